/**
 * Reads JSON from the public API of another product: one answer at a time, bounded, tried again when it says "later". What it
 * answers is a stranger's: the token goes to the named origin alone, and no redirect is followed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base'

export type ApiClient = {
  /** Undefined: there is no such thing (404). Throws `SondeError`: `forbidden` for a token that may not, `unavailable` after all tries. */
  get(path: string, query?: Query): Promise<unknown>
  /** Rows of all pages, `Link` after `Link` as Sentry has them, or `next` after `next`; none where there is no such list. */
  list(path: string, query?: Query): AsyncGenerator<Json>
  /** Rows of a list that may be missing or not allowed: `none` is told why. */
  rows(path: string, query: Query, none: (why: string) => void): AsyncGenerator<Json>
}
export type Query = Readonly<Record<string, string>>
export type Json = Readonly<Record<string, unknown>>

export type ApiClientOptions = {
  /** `https://sentry.example.com`, with a path where it lies below one. */
  readonly url: string
  readonly token: string
  /** Told of waits, for people. */
  readonly onWait: (why: string) => void
  /** Tests shorten them. */
  readonly tries?: number
  readonly firstPauseMs?: number
}

const OPERATION = 'import'
/** A page of a hundred issues has some hundred kilobytes, an event with all its frames some megabytes. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024
const ANSWER_MS = 60_000
const TRIES = 8
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** A list that never ends is none. */
const MAX_PAGES = 100_000

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { token, onWait, tries = TRIES, firstPauseMs = FIRST_PAUSE_MS } = options
  const base = new URL(options.url.endsWith('/') ? options.url : `${options.url}/`)

  const ask = async (url: URL): Promise<Answer | undefined> => {
    for (let tried = 1; ; tried++) {
      const answer = await once(url, token)
      if (answer.kind === 'answer') return answer
      if (answer.kind === 'missing') return undefined
      if (tried >= tries)
        throw new SondeError('unavailable', `${OPERATION}: ${url.pathname} ${answer.why}`, {
          operation: OPERATION,
          subject: url.pathname,
          hint: 'run the same command again: it goes on where it was',
        })
      const pauseMs = Math.min(LONGEST_PAUSE_MS, answer.afterMs ?? firstPauseMs * 2 ** (tried - 1))
      onWait(`${url.pathname} ${answer.why}: again in ${Math.ceil(pauseMs / 1_000)} s`)
      await sleep(pauseMs)
    }
  }

  const urlOf = (path: string, query: Query = {}): URL => {
    const url = new URL(path.replace(/^\//, ''), base)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  async function* pages(path: string, query: Query): AsyncGenerator<Json, boolean> {
    let next: URL | undefined = urlOf(path, query)
    const seen = new Set<string>()
    for (let count = 0; next && count < MAX_PAGES; count++) {
      if (seen.has(next.href)) throw refused(path, 'its pages go round in a circle')
      seen.add(next.href)
      const answer = await ask(next)
      if (!answer) return count > 0
      const { rows, after } = pageOf(answer)
      yield* rows.filter((row): row is Json => typeof row === 'object' && row !== null)
      next = after === undefined ? undefined : new URL(after, base)
      // The token is for one place.
      if (next && next.origin !== base.origin)
        throw refused(path, `its next page is at another place, ${next.origin}`)
    }
    return true
  }

  return {
    get: async (path, query) => (await ask(urlOf(path, query)))?.body,
    list: (path, query = {}) => pages(path, query),
    async *rows(path, query, none) {
      try {
        const found = yield* pages(path, query)
        if (!found) none('its API has no such list')
      } catch (error) {
        if (!(error instanceof SondeError) || error.kind !== 'forbidden') throw error
        none(error.message)
      }
    },
  }
}

type Answer = { readonly kind: 'answer'; readonly body: unknown; readonly link: string | null }
type Outcome =
  | Answer
  | { readonly kind: 'missing' }
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: number | undefined }

async function once(url: URL, token: string): Promise<Outcome> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    text = await bounded(response)
  } catch (error) {
    if (error instanceof SondeError) throw error
    const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : undefined
    return {
      kind: 'later',
      why: `did not answer (${cause?.message ?? 'no reason given'})`,
      afterMs: undefined,
    }
  }
  const { status, headers } = response
  if (status === 404) return { kind: 'missing' }
  if (status === 401)
    throw new SondeError('forbidden', `${OPERATION}: the token is not accepted (401)`, {
      operation: OPERATION,
      hint: 'make a new token there and put it into the file',
    })
  if (status === 403)
    throw new SondeError('forbidden', `the token may not read ${url.pathname} (403)`, {
      operation: OPERATION,
      hint: 'its scopes are in docs/operate/import.md',
    })
  if (status === 429 || status >= 500)
    return { kind: 'later', why: `answered ${status}`, afterMs: pauseOf(headers) }
  if (status < 200 || status >= 300) throw refused(url.pathname, `it answered ${status}`)
  try {
    return { kind: 'answer', body: JSON.parse(text), link: headers.get('link') }
  } catch {
    throw refused(url.pathname, 'its answer is no JSON: is the address that of the API?')
  }
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > ANSWER_MAX_BYTES) throw refused(new URL(response.url).pathname, 'its answer is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** `Retry-After` in seconds or as a date; Sentry's own header is when the window ends, in Unix seconds. */
function pauseOf(headers: Headers): number | undefined {
  const after = headers.get('retry-after')
  const seconds = Number(after)
  if (after !== null && Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const atMs = Date.parse(after ?? '') || Number(headers.get('x-sentry-rate-limit-reset')) * 1_000
  return atMs > 0 ? Math.max(0, atMs - Date.now()) : undefined
}

/** A list; or `{results, next}`. */
function pageOf({ body, link }: Answer): {
  readonly rows: readonly unknown[]
  readonly after: string | undefined
} {
  if (Array.isArray(body)) return { rows: body, after: nextOf(link ?? '') }
  const { results, next } = (body ?? {}) as { results?: unknown; next?: unknown }
  return { rows: Array.isArray(results) ? results : [], after: typeof next === 'string' ? next : undefined }
}

/** `<url>; rel="next"; results="true"`. */
function nextOf(link: string): string | undefined {
  for (const part of link.slice(0, 8_192).split(',')) {
    const [target = '', ...attributes] = part.split(';').map((text) => text.trim())
    if (attributes.includes('rel="next"') && !attributes.includes('results="false"'))
      return target.replace(/^<|>$/g, '')
  }
  return undefined
}

const refused = (path: string, why: string): SondeError =>
  new SondeError('conflict', `${OPERATION}: ${path}: ${why}`, { operation: OPERATION, subject: path })
