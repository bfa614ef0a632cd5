/** One request to a tracker. What it refuses, and how, becomes words for people and says whether another try makes sense. */
import { SondeError } from '@sonde/base'
import { type Outgoing, type OutgoingAnswer, OutgoingError } from '@sonde/outgoing'
import type { z } from 'zod'
import { retryAfterMs } from '../outbox/retry.ts'

/** The tracker refused, or did not answer. The message is for people. */
export class TrackerRefusal extends SondeError {
  readonly again: 'later' | 'never'
  readonly afterMs: number | undefined
  /** Of its answer; undefined: there was none. */
  readonly status: number | undefined

  constructor(
    message: string,
    { again, afterMs, status }: { again: 'later' | 'never'; afterMs?: number | undefined; status?: number },
  ) {
    // `invalid`, so that whoever asked is shown the tracker's words.
    super('invalid', message, { operation: 'ask an issue tracker' })
    this.name = 'TrackerRefusal'
    this.again = again
    this.afterMs = afterMs
    this.status = status
  }
}

export type TrackerRequest<T> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** What is read of the answer. */
  readonly answer: z.ZodType<T>
}

/** Throws `TrackerRefusal`. */
export type CallTracker = <T>(request: TrackerRequest<T>) => Promise<T>

/** Twenty issues with texts of 64 KiB each, and what stands around them. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const SHOWN_CHARS = 500

export function createCall(outgoing: Outgoing, name: string): CallTracker {
  return async ({ method, url, headers, body, answer: schema }) => {
    const answer = await sent(outgoing, {
      url,
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      maxBytes: MAX_ANSWER_BYTES,
    })
    const { status, isWhole } = answer
    if (!isWhole && status < 300)
      throw new TrackerRefusal(`${name} answered more than can be read at once`, { again: 'never', status })
    const json = parsed(answer.body)
    const limited = (json as { errors?: { extensions?: { code?: unknown } }[] } | undefined)?.errors
    const isLimited =
      Array.isArray(limited) && limited.some((each) => each?.extensions?.code === 'RATELIMITED')
    if (status < 200 || status >= 300 || isLimited) throw refusal(name, answer, json, isLimited)
    const read = schema.safeParse(json)
    if (read.success) return read.data
    const said = json === undefined ? 'something that is not JSON' : 'something else than was asked for'
    throw new TrackerRefusal(
      `${name} answered ${status} with ${said}. Is the address in the settings right?`,
      {
        again: 'later',
        status,
      },
    )
  }
}

async function sent(
  outgoing: Outgoing,
  request: Parameters<Outgoing['request']>[0],
): Promise<OutgoingAnswer> {
  try {
    return await outgoing.request(request)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    const again = error.failure === 'address' || error.failure === 'refused' ? 'never' : 'later'
    throw new TrackerRefusal([error.message, error.hint].filter(Boolean).join('. '), { again })
  }
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const LATER: ReadonlySet<number> = new Set([408, 425, 429])

const HINTS: Readonly<Record<number, string>> = {
  401: 'The token is not valid, or no longer: enter another one in the settings of the connection.',
  403: 'The token may not do this: give it the permissions that the documentation lists.',
  404: 'It does not exist, or the token may not see it.',
}

function refusal(
  name: string,
  { status, headers, body }: OutgoingAnswer,
  json: unknown,
  isLimited: boolean,
): TrackerRefusal {
  const words = (json === undefined ? body : wordsOf(json).join(', ')).replaceAll(/\s+/g, ' ').trim()
  const shown = words.slice(0, SHOWN_CHARS)
  // GitHub answers 403 beyond its limits too, sometimes with no header that says so.
  const isTooMuch = isLimited || status === 429 || (status === 403 && isRateLimit(headers, words))
  if (status >= 300 && status < 400)
    return new TrackerRefusal(`${name} answered ${status}: it lies at another address now`, {
      again: 'never',
      status,
    })
  const hint = isTooMuch ? 'It has had too many requests; it is tried again.' : (HINTS[status] ?? '')
  const message = [`${name} answered ${status}${shown === '' ? '' : `: ${shown.replace(/\.$/, '')}`}`, hint]
  const again = isTooMuch || LATER.has(status) || status >= 500 ? 'later' : 'never'
  return new TrackerRefusal(message.filter(Boolean).join('. '), {
    again,
    status,
    afterMs: again === 'later' ? retryAfterMs(headers['retry-after']) : undefined,
  })
}

const isRateLimit = (headers: OutgoingAnswer['headers'], words: string): boolean =>
  headers['retry-after'] !== undefined ||
  headers['x-ratelimit-remaining'] === '0' ||
  /rate limit/i.test(words.slice(0, SHOWN_CHARS))

const TOLD = ['message', 'error', 'error_description', 'errorMessages', 'errors', 'detail'] as const
const MAX_DEPTH = 4

/** The sentences of an error, in whichever of their forms a tracker says them. */
function wordsOf(json: unknown, depth = 0): string[] {
  if (typeof json === 'string') return json === '' ? [] : [json]
  if (depth > MAX_DEPTH || typeof json !== 'object' || json === null) return []
  if (Array.isArray(json)) return json.slice(0, 10).flatMap((each) => wordsOf(each, depth + 1))
  const fields = Object.entries(json)
  const told = fields.filter(([field]) => (TOLD as readonly string[]).includes(field))
  if (told.length > 0) return told.flatMap(([, value]) => wordsOf(value, depth + 1))
  // Of a field of the form: `{"title": ["is too long"]}`. At the top it is no error.
  return depth === 0
    ? []
    : fields
        .slice(0, 10)
        .flatMap(([field, value]) => wordsOf(value, depth + 1).map((text) => `${field} ${text}`))
}
