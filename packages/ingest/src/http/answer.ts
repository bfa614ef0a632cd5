/** Writes answers. Never an empty 2xx body on envelope and store: some SDKs parse it as JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentScope } from '@sonde/base'
import type { RefusalDetails } from '../refusal.ts'

/**
 * Pages of any origin send here, and their SDKs must be able to read the limits, also from errors.
 * Browsers hide every response header that `Expose-Headers` does not name.
 * https://developer.mozilla.org/docs/Web/HTTP/Guides/CORS
 */

/** Flat name, value pairs: the form that `writeHead` takes without building an object first. */
const CORS_HEADERS: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'x-sentry-error, x-sentry-rate-limits, retry-after',
]

/** Nobody reads an answer as anything but what it says it is. */
const CORS_AND_NOSNIFF_HEADERS: readonly string[] = [...CORS_HEADERS, 'X-Content-Type-Options', 'nosniff']

const BASE_HEADERS =
  'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, ' +
  'authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage, traceparent'

const HEADER_LIST = /^[\w!#$%&'*+.^`|~, -]{1,1000}$/

/**
 * Answers to OPTIONS. What the browser asks to send is allowed as it asks: nothing rests on these
 * headers (no cookies, no credentials), and newer SDKs add some. An hour saves most preflights.
 */
export function preflightHeaders(methods: string, requestedHeaders: string | undefined): string[] {
  const isList = requestedHeaders !== undefined && HEADER_LIST.test(requestedHeaders)
  return [
    ...CORS_AND_NOSNIFF_HEADERS,
    'Access-Control-Allow-Methods',
    `${methods}, OPTIONS`,
    'Access-Control-Allow-Headers',
    isList ? `${BASE_HEADERS}, ${requestedHeaders}` : BASE_HEADERS,
    'Access-Control-Max-Age',
    '3600',
    'Allow',
    `${methods}, OPTIONS`,
    'Content-Length',
    '0',
  ]
}

const MAX_HEADER_TEXT = 256

export type Answer = {
  readonly status: number
  readonly body: string | Uint8Array
  readonly contentType?: string
  /** Flat name, value pairs. */
  readonly headers?: readonly string[]
  /** Instead of `contentType`, `headers` and what every answer has: right for any body of the same length. */
  readonly allHeaders?: readonly string[]
}

// Nearly every answer names an event: its headers are always these, so they are made once.
const EVENT_HEADERS = baseHeaders('application/json', `{"id":"${'0'.repeat(32)}"}`)

export function acceptedAnswer(eventId: string | undefined, rateLimits: string | undefined): Answer {
  const body = eventId === undefined ? '{}' : `{"id":"${eventId}"}`
  if (rateLimits !== undefined) return { status: 200, body, headers: ['X-Sentry-Rate-Limits', rateLimits] }
  return eventId === undefined ? { status: 200, body } : { status: 200, body, allHeaders: EVENT_HEADERS }
}

export function sendAnswer(res: ServerResponse, answer: Answer): void {
  if (writeHead(res, answer)) res.end(answer.body)
}

function writeHead(res: ServerResponse, answer: Answer): boolean {
  // The client is gone: there is nobody to write to.
  if (res.destroyed || res.headersSent) return false
  const { body, contentType = 'application/json', headers = [] } = answer
  // The array is only read; the type does not say so.
  const own = answer.allHeaders ?? [...baseHeaders(contentType, body), ...headers]
  const requestId = currentScope()?.requestId
  const all = requestId === undefined ? own : [...own, 'X-Request-Id', requestId]
  res.writeHead(answer.status, all as string[])
  return true
}

function baseHeaders(contentType: string, body: string | Uint8Array): readonly string[] {
  const length = String(Buffer.byteLength(body))
  return [...CORS_AND_NOSNIFF_HEADERS, 'Content-Type', contentType, 'Content-Length', length]
}

/** The body of a refusal, in the format that the clients of the endpoint read. */
export type RefusalBody = (details: RefusalDetails) => Pick<Answer, 'body' | 'contentType'>

const jsonBody: RefusalBody = ({ detail, causes = [] }) => ({ body: JSON.stringify({ detail, causes }) })

export function sendRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  details: RefusalDetails,
  limits: LingerLimits,
  bodyOf: RefusalBody = jsonBody,
): void {
  const headers = ['X-Sentry-Error', headerText(details.detail)]
  if (details.rateLimits !== undefined) headers.push('X-Sentry-Rate-Limits', details.rateLimits)
  if (details.retryAfterSec !== undefined) headers.push('Retry-After', String(details.retryAfterSec))
  if (details.allow !== undefined) headers.push('Allow', details.allow)
  if (details.hangUp) headers.push('Connection', 'close')
  const answer: Answer = { status: details.status, ...bodyOf(details), headers }
  if (req.complete || details.hangUp) sendAnswer(res, answer)
  else if (writeHead(res, answer)) endAfterRequest(req, res, answer.body, limits)
}

/** Only what a header may contain: a message may quote what the client sent. */
export function headerText(text: string): string {
  return text.slice(0, MAX_HEADER_TEXT).replaceAll(/[^\x20-\x7e]+/g, '?')
}

/**
 * Answers before the body has come. Closing at once would reset the connection, and a client that is still
 * sending would see EPIPE instead of the answer (RFC 9112, 9.6: https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
 * So the answer goes out whole, what still comes is thrown away, and only then the response ends, after which
 * node:http closes the connection or takes the next request from it.
 */
type LingerLimits = {
  /** How long, and how many bytes more, of a refused body are read and thrown away. */
  readonly lingerMs: number
  readonly lingerBytes: number
}

/** The head was written, with the length of `body`. */
function endAfterRequest(
  req: IncomingMessage,
  res: ServerResponse,
  body: string | Uint8Array,
  { lingerMs, lingerBytes }: LingerLimits,
): void {
  let left = lingerBytes
  const finish = (): void => {
    clearTimeout(timer)
    req.off('data', onData)
    req.off('end', finish)
    req.off('close', finish)
    res.end(() => {
      // Where the body ends nobody knows: no other request can follow it.
      if (!req.complete) req.socket.destroy()
    })
  }
  const onData = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) finish()
  }
  const timer = setTimeout(finish, lingerMs).unref()
  res.write(body)
  req.on('end', finish)
  req.on('close', finish)
  req.on('error', () => undefined)
  req.on('data', onData)
}
