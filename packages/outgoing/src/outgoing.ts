/**
 * Requests to places that people typed in: webhooks, chat, issue trackers. One guard for all of them: the address is checked
 * when the socket is opened, so a name that resolves to something else the second time gains nothing; a redirect is an answer
 * like any other; time and size are bounded. https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
 */
import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { SondeError } from '@sonde/base'
import { Agent, buildConnector, request as send } from 'undici'
import { createAddressGuard } from './address-guard.ts'

export type OutgoingRequest = {
  /** `http:` or `https:`. A name and password in it become Basic authentication. */
  readonly url: string
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs?: number
  /** How much of the answer is read: `ANSWER_MAX_BYTES` unless told. */
  readonly maxBytes?: number
}

/** Any status: what it means, the caller knows. */
export type OutgoingAnswer = {
  readonly status: number
  /** Names in lower case; of repeated ones the last. */
  readonly headers: Readonly<Record<string, string>>
  /** Its beginning, at most `maxBytes`. */
  readonly body: string
  readonly isWhole: boolean
  readonly durationMs: number
}

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

export type Outgoing = {
  /** Throws `OutgoingError`. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>
  close(): Promise<void>
}

export type OutgoingOptions = {
  /** Addresses and ranges beside those of the public internet: `SONDE_OUTGOING_ALLOW`. */
  readonly allowed?: readonly string[]
  /** `Sonde/1.2.3 (+https://sonde.example)`. */
  readonly userAgent: string
  /** Tests give names addresses. */
  readonly lookup?: typeof systemLookup
}

export const ANSWER_MAX_BYTES = 64 * 1024
const DEFAULT_TIMEOUT_MS = 10_000
const MAX_URL_CHARS = 2_048

export function createOutgoing({
  allowed = [],
  userAgent,
  lookup = systemLookup,
}: OutgoingOptions): Outgoing {
  const guard = createAddressGuard(allowed)
  const connect = buildConnector({
    timeout: DEFAULT_TIMEOUT_MS,
    lookup(hostname, options, callback) {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [])
        const open = addresses.filter(({ address }) => guard.allows(address))
        if (open.length > 0) return callback(null, open)
        callback(refused(hostname, addresses[0]?.address), [])
      })
    },
  })
  const agent = new Agent({
    // The look-up is not asked for a host that is an address already.
    connect(options, callback) {
      const host = withoutBrackets(options.hostname)
      if (isIP(host) !== 0 && !guard.allows(host)) callback(refused(host, host), null)
      else connect(options, callback)
    },
    // A connection for each request: one that was kept may have been closed by the other side, and a POST sent into it is lost.
    pipelining: 0,
    maxHeaderSize: 32 * 1024,
  })
  return {
    close: () => agent.close(),
    async request({
      url: text,
      method,
      headers = {},
      body = null,
      timeoutMs = DEFAULT_TIMEOUT_MS,
      maxBytes = ANSWER_MAX_BYTES,
    }) {
      const url = readUrl(text)
      const credentials = takeCredentials(url)
      const startedMs = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await send(url, {
          dispatcher: agent,
          method,
          headers: { 'user-agent': userAgent, ...credentials, ...headers },
          body,
          signal,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        })
        const { text: read, isWhole } = await readBounded(answer.body, maxBytes)
        return {
          status: answer.statusCode,
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().at(-1) ?? '']),
          ),
          body: read,
          isWhole,
          durationMs: performance.now() - startedMs,
        }
      } catch (error) {
        throw explained(error, url.host, timeoutMs)
      }
    },
  }
}

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

function takeCredentials(url: URL): Record<string, string> {
  const { username, password } = url
  if (username === '' && password === '') return {}
  url.username = ''
  url.password = ''
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` }
}

/** What does not end, or is too long, is left: the socket goes with it. */
async function readBounded(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  maxBytes: number,
): Promise<{
  readonly text: string
  readonly isWhole: boolean
}> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    const room = maxBytes - bytes
    parts.push(part.subarray(0, room))
    bytes += part.length
    if (bytes > maxBytes) break
  }
  return { text: Buffer.concat(parts).toString('utf8'), isWhole: bytes <= maxBytes }
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

const refused = (host: string, address: string | undefined): OutgoingError =>
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

function explained(error: unknown, host: string, timeoutMs: number): OutgoingError {
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
