/**
 * Hands a tunnelled envelope, untouched, to the ingest URL that the operator listed for its region. Only
 * listed URLs are ever connected to, nothing in a request can add one, and redirects are not followed.
 */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { ConfigError } from '@sonde/base'
import type { Dsn } from '@sonde/protocol'
import { type Answer, headerText } from '../http/answer.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { readDsnAuth } from '../validate/authenticate.ts'

export type RegionRelay = {
  knows(region: string): boolean
  /** The region's own answer, whatever its status. Throws 502 or 503 when there is none worth passing on. */
  send(
    region: string,
    dsn: Dsn,
    body: Buffer,
    req: IncomingMessage,
    clientIp: string | undefined,
  ): Promise<Answer>
  stop(): void
}

export type RelayLimits = { readonly relayTimeoutMs: number; readonly relaysAtOnce: number }

// Answers of an ingest endpoint have some hundred bytes.
const MAX_ANSWER_BYTES = 64 * 1024
const PASSED_BACK = ['x-sentry-rate-limits', 'retry-after', 'x-sentry-error'] as const

/** `regions`: region → base URL of its ingest, as in `SONDE_REGIONS`. Throws `ConfigError` at start. */
export function createRegionRelay(
  regions: Readonly<Record<string, string>>,
  limits: RelayLimits,
): RegionRelay {
  const bases = new Map(Object.entries(regions).map(([region, url]) => [region, readBase(region, url)]))
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  }
  let running = 0

  const post = (url: URL, body: Buffer, headers: Record<string, string>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const isHttps = url.protocol === 'https:'
      const out = (isHttps ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: agents[isHttps ? 'https:' : 'http:'],
        headers,
        // For all of it: a socket that trickles never times out by idleness.
        signal: AbortSignal.timeout(limits.relayTimeoutMs),
      })
      out.on('error', (error: NodeJS.ErrnoException) => reject(unreachable(error)))
      out.on('response', (response) => {
        readAnswer(response).then(resolve, (error: unknown) => {
          out.destroy()
          reject(error)
        })
      })
      out.end(body)
    })

  return {
    knows: (region) => bases.has(region),
    async send(region, dsn, body, req, clientIp) {
      const base = bases.get(region)
      if (!base) throw new Error(`the region ${region} is not listed`)
      if (running >= limits.relaysAtOnce)
        throw refuse(503, 'relay_busy', 'too many envelopes wait for another region', { retryAfterSec: 5 })
      const { publicKey } = readDsnAuth(dsn)
      const url = new URL(`${base}/api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${publicKey}`)
      const { 'user-agent': userAgent, origin, referer } = req.headers
      running++
      try {
        return await post(url, body, {
          'Content-Type': 'application/x-sentry-envelope',
          'Content-Length': String(body.length),
          ...(userAgent === undefined ? {} : { 'User-Agent': userAgent }),
          // The project's allowed domains are checked there.
          ...(origin === undefined ? {} : { Origin: origin }),
          ...(referer === undefined ? {} : { Referer: referer }),
          // Without it `{{auto}}` would become this server's address.
          ...(clientIp === undefined ? {} : { 'X-Forwarded-For': clientIp }),
        })
      } finally {
        running--
      }
    },
    stop() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0
  const isAnswer = (status >= 200 && status < 300) || (status >= 400 && status < 600)
  if (!isAnswer) throw badAnswer(`it answered with status ${status}`)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) throw badAnswer('its answer is too long')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Error && error.name === 'Refusal'
      ? error
      : unreachable(error as NodeJS.ErrnoException)
  }
  const headers = PASSED_BACK.flatMap((name) => {
    const value = response.headers[name]
    return value === undefined ? [] : [name, headerText(String(value))]
  })
  // Its content type is not passed on: HTML of another server must not run under this origin.
  return { status, body: Buffer.concat(chunks).toString('utf8'), headers }
}

function readBase(region: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash)
    throw new ConfigError(
      'SONDE_REGIONS',
      `the URL of region "${region}" is ${JSON.stringify(text)}`,
      'use https://host',
    )
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

function badAnswer(cause: string): Refusal {
  return refuse(502, 'relay_failed', 'the other region did not answer as an ingest server does', {
    causes: [cause],
  })
}

/** The cause is named by its code only: messages would show the operator's inner addresses to anybody. */
function unreachable(error: NodeJS.ErrnoException): Refusal {
  const causes = [
    error.name === 'TimeoutError' || error.name === 'AbortError' ? 'timeout' : (error.code ?? 'unknown'),
  ]
  return refuse(503, 'relay_failed', 'the other region cannot be reached', { causes, retryAfterSec: 30 })
}
