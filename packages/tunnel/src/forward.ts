/** Posts an envelope, untouched, to the server that its DSN means. Redirects are not followed. */
import type { Dsn } from '@sonde/protocol/dsn'
import { ANSWER_HEADERS, Refusal } from './refusal.ts'

export type Forwarded = {
  /** Base URL of the server, from the list of allowed ones. */
  readonly base: string
  readonly dsn: Dsn
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly userAgent: string | null
  /** Of the page; projects may let only some sites send. */
  readonly origin: string | null
  readonly clientAddress: string | undefined
}

// SDKs hold back by these; without them they would send on into a limit.
const PASSED_BACK = ['x-sentry-rate-limits', 'retry-after', 'x-sentry-error'] as const
// Answers of an ingest door have some hundred bytes.
const MAX_ANSWER_BYTES = 16 * 1024

/** The server's own answer, whatever its status. Throws `Refusal` 502 when there is none worth passing on. */
export async function forward(
  { base, dsn, bytes, userAgent, origin, clientAddress }: Forwarded,
  signal: AbortSignal,
): Promise<Response> {
  const url = `${base}/api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${dsn.publicKey}`
  // Only these: cookies and tokens of the site are nobody else's business.
  const headers: Record<string, string> = { 'content-type': 'application/x-sentry-envelope' }
  if (userAgent !== null) headers['user-agent'] = userAgent
  if (origin !== null) headers['origin'] = origin
  if (clientAddress !== undefined) headers['x-forwarded-for'] = clientAddress
  const answer = await post(url, { method: 'POST', headers, body: bytes, redirect: 'manual', signal })
  // `redirect: 'manual'` is status 0 by the standard, 3xx in Node and workers.
  const isAnswer = (answer.status >= 200 && answer.status < 300) || answer.status >= 400
  if (!isAnswer) {
    await answer.body?.cancel()
    throw new Refusal(502, 'the server redirects instead of taking the envelope: correct "to"')
  }
  const kept = PASSED_BACK.flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return new Response(await shortText(answer), {
    // 204 may not have a body, which ours has.
    status: answer.status === 204 || answer.status === 205 ? 200 : answer.status,
    headers: { ...ANSWER_HEADERS, ...Object.fromEntries(kept) },
  })
}

async function post(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch {
    init.signal?.throwIfAborted()
    // The cause would show the operator's inner addresses to anybody.
    throw new Refusal(502, 'the error-reporting server cannot be reached')
  }
}

/** What no SDK reads is passed on for people; `{}` when it is longer than any real answer. */
async function shortText(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return text || '{}'
    length += part.value.byteLength
    if (length > MAX_ANSWER_BYTES) {
      await reader?.cancel()
      return '{}'
    }
    text += decoder.decode(part.value, { stream: true })
  }
}
