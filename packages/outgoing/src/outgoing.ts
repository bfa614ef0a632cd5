/**
 * Requests to places that people typed in: webhooks, chat, issue trackers. One guard for all of them: the address is checked
 * when the socket is opened, so a name that resolves to something else the second time gains nothing; a redirect is an answer
 * like any other; time and size are bounded. https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
 */
import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Agent, buildConnector } from 'undici'
import { createAddressGuard } from './address-guard.ts'
import { explained, refused, takeCredentials, withoutBrackets, readUrl } from './outgoing-error.ts'
import { createProbe, type ProbeRequest, type ProbeResult } from './probe.ts'

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

/** An answer that is read while it comes. */
export type OutgoingStream = {
  readonly status: number
  /** At most `maxBytes`; ends early with the iteration, and the connection with it. Throws `OutgoingError`. */
  readonly chunks: AsyncIterable<Uint8Array>
}

export type Outgoing = {
  /** Throws `OutgoingError`. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>
  /** As `request`, without waiting for the end of the answer. `signal` ends it. Throws `OutgoingError`. */
  stream(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingStream>
  /** A check of an address that people watch: follows redirects, tells how long each phase took. Never throws. */
  probe(request: ProbeRequest): Promise<ProbeResult>
  close(): Promise<void>
}

export type OutgoingOptions = {
  /** Addresses and ranges beside those of the public internet: `SONDE_OUTGOING_ALLOW`. */
  readonly allowed?: readonly string[]
  /** `Sonde/1.2.3 (+https://sonde.example)`. */
  readonly userAgent: string
  /** Tests give names addresses. */
  readonly lookup?: typeof systemLookup
  /** Tests trust certificates of their own, in PEM. */
  readonly ca?: string
}

export const ANSWER_MAX_BYTES = 64 * 1024
const DEFAULT_TIMEOUT_MS = 10_000

export function createOutgoing({
  allowed = [],
  userAgent,
  lookup = systemLookup,
  ca,
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
  const send = async (
    { url: text, method, headers = {}, body, timeoutMs = DEFAULT_TIMEOUT_MS }: OutgoingRequest,
    signal: AbortSignal,
  ) => {
    const url = readUrl(text)
    const credentials = takeCredentials(url)
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { 'user-agent': userAgent, ...credentials, ...headers },
        body: body ?? null,
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      })
      return { host: url.host, answer }
    } catch (error) {
      throw explained(error, url.host, timeoutMs)
    }
  }
  return {
    close: () => agent.close(),
    probe: createProbe({ guard, userAgent, lookup, ca }),
    async request(request) {
      const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = ANSWER_MAX_BYTES } = request
      const startedMs = performance.now()
      const { host, answer } = await send(request, AbortSignal.timeout(timeoutMs))
      try {
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
        throw explained(error, host, timeoutMs)
      }
    },
    async stream(request, signal) {
      const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = ANSWER_MAX_BYTES } = request
      const { host, answer } = await send(request, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
      return { status: answer.statusCode, chunks: boundedChunks(answer.body, { host, timeoutMs, maxBytes }) }
    },
  }
}

type Answered = AsyncIterable<Uint8Array>

async function* boundedChunks(
  body: Answered,
  {
    host,
    timeoutMs,
    maxBytes,
  }: { readonly host: string; readonly timeoutMs: number; readonly maxBytes: number },
): AsyncGenerator<Uint8Array> {
  let room = maxBytes
  try {
    for await (const part of body) {
      yield part.subarray(0, room)
      room -= part.length
      if (room <= 0) return
    }
  } catch (error) {
    throw explained(error, host, timeoutMs)
  }
}

/** What does not end, or is too long, is left: the socket goes with it. */
async function readBounded(
  body: Answered,
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
