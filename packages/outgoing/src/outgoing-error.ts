/** Why a request got no answer, and what addresses a request can be sent to. */
import { SondeError } from '@sonde/base'

const OUTGOING_FAILURES = ['address', 'refused', 'name', 'connection', 'tls', 'timeout'] as const
export type OutgoingFailure = (typeof OUTGOING_FAILURES)[number]

/** There was no answer. `failure` says why; `address` and `refused` come again however often it is tried. */
export class OutgoingError extends SondeError {
  readonly failure: OutgoingFailure

  constructor(failure: OutgoingFailure, host: string, message: string, hint?: string, cause?: unknown) {
    super(failure === 'address' || failure === 'refused' ? 'invalid' : 'unavailable', message, {
      operation: 'send a request',
      subject: host,
      ...(hint === undefined ? {} : { hint }),
      cause,
    })
    this.name = 'OutgoingError'
    this.failure = failure
  }
}

const MAX_URL_CHARS = 2_048

/** Throws `OutgoingError` (`address`) for what no request can be sent to. Also what forms check an address with. */
export function readUrl(text: string): URL {
  const wrong = (message: string) =>
    new OutgoingError('address', text.slice(0, 100), message, 'Write https://HOST/PATH.')
  if (text.length > MAX_URL_CHARS) throw wrong(`an address has at most ${MAX_URL_CHARS} characters`)
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw wrong('this is not an address')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong('an address begins with https:// or http://')
  return url
}

export function takeCredentials(url: URL): Record<string, string> {
  const { username, password } = url
  if (username === '' && password === '') return {}
  url.username = ''
  url.password = ''
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` }
}

export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

export const refused = (host: string, address: string | undefined): OutgoingError =>
  new OutgoingError(
    'refused',
    host,
    `${host} is ${address === undefined || address === host ? '' : `${address}, `}an address that is not of the public internet`,
    'Whoever runs this Sonde can allow it: SONDE_OUTGOING_ALLOW lists addresses and ranges.',
  )

const NAME_ERRORS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'])
const TIME_ERRORS: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

export function explained(error: unknown, host: string, timeoutMs: number): OutgoingError {
  const known = [error, (error as { cause?: unknown })?.cause].find((each) => each instanceof OutgoingError)
  if (known instanceof OutgoingError) return known
  const { code, name, message = '' } = error as { code?: unknown; name?: string; message?: string }
  if (name === 'TimeoutError' || name === 'AbortError' || TIME_ERRORS.has(code))
    return new OutgoingError(
      'timeout',
      host,
      `${host} did not answer within ${timeoutMs / 1_000} s`,
      undefined,
      error,
    )
  if (NAME_ERRORS.has(code))
    return new OutgoingError('name', host, `the name ${host} was not found`, undefined, error)
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(String(code)))
    return new OutgoingError('tls', host, `no TLS connection to ${host}: ${message}`, undefined, error)
  return new OutgoingError('connection', host, `no connection to ${host}: ${message}`, undefined, error)
}
