/** One request to a Sonde, with errors that say what to do. Tries again what may pass: the network, a restart. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorKind, SondeError } from '@sonde/base/errors'

export type Call = {
  /** `GET` unless given. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From `/api/0/` on. */
  readonly path: string
  /** What is undefined is left out; a list is the same name several times. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly json?: unknown
  readonly form?: FormData
  /** Whether doing it twice is doing it once: then it is sent again when no answer came. All but `POST` unless given. */
  readonly isRepeatable?: boolean
  /** Ends the call: the promise is rejected with its reason. */
  readonly signal?: AbortSignal
}

export type Answer<Body> = { readonly body: Body; readonly headers: Headers }

export type Credentials = {
  readonly token: () => Promise<string>
  /** After a 401: another token, or undefined when there is none to be had. */
  readonly renew: (refused: string) => Promise<string | undefined>
}

const TRIES = 4
const FIRST_WAIT_MS = 500
const ANSWER_WITHIN_MS = 120_000
/** What proxies and a restarting Sonde answer. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** More than any answer that is asked for. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

/** `url`: the Sonde, without a trailing slash. @throws SondeError */
export async function callServer<Body>(
  url: string,
  credentials: Credentials,
  call: Call,
): Promise<Answer<Body>> {
  const address = addressOf(url, call)
  const isRepeatable = call.isRepeatable ?? call.method !== 'POST'
  let token = await credentials.token()
  let isRenewed = false
  for (let tried = 1; ; tried++) {
    const answer = await once(address, token, call)
    const isLast = tried >= TRIES
    if (typeof answer === 'string') {
      if (isLast || !isRepeatable) throw unreachable(address, answer)
    } else if (answer.ok) return { body: (await bodyOf(address, answer)) as Body, headers: answer.headers }
    else if (answer.status === 401 && !isRenewed) {
      isRenewed = true
      const renewed = await credentials.renew(token)
      if (renewed === undefined) throw await refused(address, answer)
      token = renewed
      continue
    } else if (isLast || !PASSING.has(answer.status)) throw await refused(address, answer)
    await sleep(FIRST_WAIT_MS * 2 ** (tried - 1), undefined, call.signal && { signal: call.signal })
  }
}

function addressOf(url: string, { path, query = {} }: Call): URL {
  const address = new URL(path, `${url}/`)
  // The token goes to the server that it is of, and nowhere else.
  if (address.origin !== new URL(url).origin)
    throw failed('config', address, 'it names an address elsewhere', 'check --url')
  for (const [name, value] of Object.entries(query))
    for (const one of value === undefined ? [] : typeof value === 'string' ? [value] : value)
      address.searchParams.append(name, one)
  return address
}

/** A text: why there was no answer. */
async function once(
  address: URL,
  token: string,
  { method = 'GET', json, form, signal }: Call,
): Promise<Response | string> {
  const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    return await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form !== undefined && { body: form }),
      // A redirect would turn a POST into a GET; an address with http instead of https is told instead.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (error) {
    signal?.throwIfAborted()
    const { message, cause } = error as Error
    return cause instanceof Error ? `${message}: ${cause.message || codeOf(cause)}` : message
  }
}

/** Node reports a name with several addresses as an `AggregateError` without a text. */
const codeOf = (cause: Error): string => (cause as NodeJS.ErrnoException).code ?? cause.name

async function bodyOf(address: URL, answer: Response): Promise<unknown> {
  if (Number(answer.headers.get('content-length') ?? 0) > MAX_ANSWER_BYTES)
    throw failed('unavailable', address, 'the answer is too large', undefined)
  const text = await answer.text()
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw failed('config', address, 'it answers no JSON', 'check --url: is it a Sonde?')
  }
}

const SIGN_IN = 'sign in with "sonde login", or give another token as SONDE_AUTH_TOKEN'
const WHICH_SCOPE =
  'docs/reference/cli.md of Sonde says which scope each command needs; for builds it is org:ci'

async function refused(address: URL, answer: Response): Promise<SondeError> {
  const { status } = answer
  if (status >= 300 && status < 400) {
    const to = answer.headers.get('location') ?? 'another address'
    return failed('config', address, `it leads to ${to}`, 'use that as --url')
  }
  const detail = detailOf((await answer.text()).slice(0, 2_000))
  if (status === 401) return failed('forbidden', address, `the token is not known (${detail})`, SIGN_IN)
  if (status === 403)
    return failed('forbidden', address, `the token may not do this (${detail})`, WHICH_SCOPE)
  if (status === 404)
    return failed(
      'not-found',
      address,
      `there is no such thing (${detail})`,
      'check the name, --org and --project, and that --url is a Sonde',
    )
  const kind = status === 429 || status >= 500 ? 'unavailable' : 'invalid'
  return failed(kind, address, `it answers ${status}: ${detail}`, undefined)
}

/** `{"detail": …}` or `{"field": ["…"]}`, as all of `/api/0` says what is wrong. */
function detailOf(text: string): string {
  try {
    const said = JSON.parse(text) as Record<string, unknown>
    if (typeof said['detail'] === 'string') return said['detail']
    return Object.entries(said)
      .map(([field, what]) => `${field} ${Array.isArray(what) ? what.join(', ') : JSON.stringify(what)}`)
      .join('; ')
  } catch {
    return text.replace(/\s+/g, ' ').slice(0, 200)
  }
}

const unreachable = (address: URL, what: string): SondeError =>
  failed('unavailable', address, what, 'is Sonde running, and is --url right?')

const failed = (kind: ErrorKind, address: URL, what: string, hint: string | undefined): SondeError =>
  new SondeError(kind, `${address.origin}${address.pathname}: ${what}`, {
    operation: 'call Sonde',
    subject: address.origin,
    ...(hint === undefined ? {} : { hint }),
  })
