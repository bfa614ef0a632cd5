/**
 * One check of an address that people watch, phase by phase: the name is looked up once and the socket goes to an address of
 * that answer which the guard allows, so a second answer gains nothing. Each redirect is such a step of its own. A certificate
 * is looked at before the request is written, so that one which is not right learns no secret header. Time and size are bounded.
 */
import type { lookup as systemLookup, LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type IncomingMessage, request as startRequest } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { AddressGuard } from './address-guard.ts'
import {
  explained,
  type OutgoingFailure,
  readUrl,
  refused,
  takeCredentials,
  withoutBrackets,
} from './outgoing-error.ts'

export type ProbeMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export type ProbeRequest = {
  readonly url: string
  readonly method: ProbeMethod
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** From the first look-up to the last byte, redirects included. */
  readonly timeoutMs: number
  /** 0: a redirect is the answer. */
  readonly maxRedirects: number
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** `redirects`: too many, or to nowhere. `answer`: it began and did not end as it said. */
export type ProbeFailure = OutgoingFailure | 'redirects' | 'answer'

const PHASES = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'downloadMs'] as const
type Phase = (typeof PHASES)[number]
/** Of all steps together; a phase that was not reached is 0. */
type ProbeTimings = Readonly<Record<Phase | 'totalMs', number>>

export type ProbeResult = {
  /** Undefined: there was an answer. `text`: what the resolver or socket said, for people. */
  readonly failure: { readonly kind: ProbeFailure; readonly text: string } | undefined
  /** Of the last answer; 0: none. */
  readonly status: number
  /** Its beginning, at most `maxBytes`. */
  readonly body: string
  readonly isWhole: boolean
  readonly bytes: number
  readonly redirects: number
  /** Of the last step. */
  readonly address: string
  /** Of the last step with TLS, also where it is why there is no answer. */
  readonly certificateUntilMs: number | undefined
  readonly timings: ProbeTimings
}

type ProbeDeps = {
  readonly guard: AddressGuard
  readonly userAgent: string
  readonly lookup: typeof systemLookup
  readonly ca: string | undefined
}

/** What a check has come to so far. */
type Progress = {
  status: number
  body: Buffer
  isWhole: boolean
  redirects: number
  address: string
  certificateUntilMs: number | undefined
  readonly spent: Record<Phase, number>
}

type Step = {
  readonly url: URL
  readonly method: ProbeMethod
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function createProbe(deps: ProbeDeps): (request: ProbeRequest) => Promise<ProbeResult> {
  return async function probe(request) {
    const { timeoutMs, maxRedirects, maxBytes, signal: stop } = request
    const startedMs = performance.now()
    const progress: Progress = {
      status: 0,
      body: Buffer.alloc(0),
      isWhole: true,
      redirects: 0,
      address: '',
      certificateUntilMs: undefined,
      spent: { dnsMs: 0, connectMs: 0, tlsMs: 0, firstByteMs: 0, downloadMs: 0 },
    }
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = stop ? AbortSignal.any([timeout, stop]) : timeout
    let failure: ProbeResult['failure']
    let host = ''
    try {
      const url = readUrl(request.url)
      host = url.host
      const headers = { 'user-agent': deps.userAgent, accept: '*/*', ...takeCredentials(url) }
      let step: Step | undefined = {
        url,
        method: request.method,
        headers: { ...headers, ...lowered(request.headers ?? {}) },
        body: request.body,
      }
      while (step) {
        host = step.url.host
        const location = await take(deps, step, progress, maxBytes, signal)
        if (location === undefined || maxRedirects === 0) break
        if (progress.redirects >= maxRedirects)
          throw new ProbeError('redirects', `more than ${maxRedirects} redirects`)
        progress.redirects++
        step = redirected(step, location, progress.status)
      }
    } catch (error) {
      failure = failureOf(error, host, timeoutMs)
    }
    const { spent, body, ...rest } = progress
    return {
      ...rest,
      failure,
      body: body.toString('utf8'),
      bytes: body.length,
      timings: { ...spent, totalMs: performance.now() - startedMs },
    }
  }
}

class ProbeError extends Error {
  readonly kind: ProbeFailure

  constructor(kind: ProbeFailure, message: string) {
    super(message)
    this.kind = kind
  }
}

function failureOf(error: unknown, host: string, timeoutMs: number): ProbeResult['failure'] {
  if (error instanceof ProbeError) return { kind: error.kind, text: error.message }
  const known = explained(error, host, timeoutMs)
  const code = (error as { code?: unknown }).code
  return {
    kind: known.failure,
    text: known.failure === 'name' && typeof code === 'string' ? `${known.message} (${code})` : known.message,
  }
}

/** One request. Returns where its answer leads on. */
async function take(
  deps: ProbeDeps,
  step: Step,
  progress: Progress,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { spent } = progress
  const timed = async <T>(phase: Phase, work: () => Promise<T>): Promise<T> => {
    const fromMs = performance.now()
    try {
      return await work()
    } finally {
      spent[phase] += performance.now() - fromMs
    }
  }
  const isTls = step.url.protocol === 'https:'
  const host = withoutBrackets(step.url.hostname)
  const addresses = await timed('dnsMs', () => within(lookUp(deps, host), signal))
  const tcp = await timed('connectMs', () =>
    opened(addresses, host, Number(step.url.port) || (isTls ? 443 : 80), signal),
  )
  progress.address = tcp.remoteAddress ?? ''
  let socket = tcp
  try {
    if (isTls) socket = await timed('tlsMs', () => secured(deps, tcp, host, progress, signal))
    const response = await timed('firstByteMs', () => answerOf(socket, step, signal))
    progress.status = response.statusCode ?? 0
    progress.body = Buffer.alloc(0)
    const { location } = response.headers
    if (REDIRECTS.has(progress.status) && location !== undefined) return location
    await timed('downloadMs', () => readBody(response, progress, maxBytes))
    return undefined
  } finally {
    socket.destroy()
    tcp.destroy()
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

async function lookUp({ guard, lookup }: ProbeDeps, host: string): Promise<readonly LookupAddress[]> {
  const family = isIP(host)
  const all =
    family > 0
      ? [{ address: host, family }]
      : await new Promise<LookupAddress[]>((resolve, reject) =>
          lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
        )
  const allowed = all.filter(({ address }) => guard.allows(address))
  if (allowed.length === 0) throw refused(host, all[0]?.address)
  return allowed
}

/** The resolver itself cannot be stopped: nobody waits for it any longer. */
async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const over = new AbortController()
  const abort = once(signal, 'abort', { signal: over.signal }).then(() => signal.throwIfAborted())
  abort.catch(() => undefined)
  work.catch(() => undefined)
  try {
    return (await Promise.race([work, abort])) as T
  } finally {
    over.abort()
  }
}

async function opened(
  addresses: readonly LookupAddress[],
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted()
  const socket = connectTcp({
    host,
    port,
    autoSelectFamily: true,
    lookup: (_, options, callback) => {
      const [first] = addresses
      if (options.all) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    },
  })
  // What breaks later is told by whoever reads; without a listener it would end the process.
  socket.on('error', () => undefined)
  return untilAborted(socket, signal, () => once(socket, 'connect').then(() => socket))
}

/** What waits for the socket fails when the time is over, and the socket goes. */
async function untilAborted<T>(socket: Socket, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const stop = (): unknown => socket.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    return await work()
  } catch (error) {
    socket.destroy()
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function secured(
  { ca }: ProbeDeps,
  tcp: Socket,
  host: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = connectTls({
    socket: tcp,
    host,
    servername: isIP(host) > 0 ? '' : host,
    ALPNProtocols: ['http/1.1'],
    // It is judged below, before anything is written: its age is told also when it is refused.
    rejectUnauthorized: false,
    ...(ca === undefined ? {} : { ca }),
  })
  socket.on('error', () => undefined)
  return untilAborted(tcp, signal, async () => {
    try {
      await Promise.race([once(socket, 'secureConnect'), ended(tcp)])
    } catch (error) {
      if (signal.aborted) throw error
      throw new ProbeError('tls', `no TLS connection to ${host}: ${(error as Error).message}`)
    }
    const untilMs = Date.parse(socket.getPeerCertificate().valid_to ?? '')
    if (Number.isFinite(untilMs)) progress.certificateUntilMs = untilMs
    if (!socket.authorized)
      throw new ProbeError('tls', certificateTrouble(host, String(socket.authorizationError), untilMs))
    return socket
  })
}

async function ended(socket: Socket): Promise<never> {
  await once(socket, 'close')
  throw new Error('the connection was closed')
}

function certificateTrouble(host: string, trouble: string, untilMs: number): string {
  if (trouble.includes('CERT_HAS_EXPIRED') && Number.isFinite(untilMs))
    return `the certificate of ${host} expired at ${new Date(untilMs).toISOString()}`
  return `the certificate of ${host} is not trusted: ${trouble}`
}

function answerOf(
  socket: Socket,
  { url, method, headers, body }: Step,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return untilAborted(socket, signal, async () => {
    const request = startRequest({
      createConnection: () => socket,
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        ...headers,
        host: url.host,
        connection: 'close',
        // A body that has to be inflated could be any size.
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      setHost: false,
      maxHeaderSize: 32 * 1024,
    })
    request.on('error', () => undefined)
    request.end(body)
    const [response] = (await Promise.race([once(request, 'response'), ended(socket)])) as [IncomingMessage]
    response.on('error', () => undefined)
    // The time goes on while it is read.
    const stop = (): unknown => response.destroy(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    response.once('close', () => signal.removeEventListener('abort', stop))
    return response
  })
}

async function readBody(response: IncomingMessage, progress: Progress, maxBytes: number): Promise<void> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, maxBytes - bytes))
      bytes += part.length
      if (bytes > maxBytes) break
    }
  } catch (error) {
    if ((error as Error).name === 'TimeoutError' || (error as Error).name === 'AbortError') throw error
    throw new ProbeError('answer', `the answer ended early, after ${bytes} bytes`)
  } finally {
    progress.body = Buffer.concat(parts)
    progress.isWhole = bytes <= maxBytes
  }
}

/** As browsers do: a POST becomes a GET unless the status says otherwise; another origin gets no header of the monitor. */
function redirected({ url, method, headers, body }: Step, location: string, status: number): Step {
  let next: URL
  try {
    next = readUrl(new URL(location, url).href)
  } catch {
    throw new ProbeError('redirects', `a redirect leads to ${location.slice(0, 200)}`)
  }
  const isGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  const own = next.origin === url.origin ? headers : PLAIN(headers)
  return {
    url: next,
    method: isGet ? 'GET' : method,
    headers: { ...own, ...takeCredentials(next) },
    body: isGet ? undefined : body,
  }
}

const PLAIN = ({ 'user-agent': agent = '', accept = '*/*' }: Step['headers']): Step['headers'] => ({
  'user-agent': agent,
  accept,
})

const lowered = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
