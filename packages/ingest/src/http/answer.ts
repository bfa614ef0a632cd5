/** Writes answers. Never an empty 2xx body on envelope and store: some SDKs parse it as JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RefusalDetails } from '../refusal.ts'
import { STANDING_HEADERS } from './cors.ts'
import { endAfterRequest, type LingerLimits } from './linger.ts'

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
  const all = answer.allHeaders ?? [...baseHeaders(contentType, body), ...headers]
  res.writeHead(answer.status, all as string[])
  return true
}

function baseHeaders(contentType: string, body: string | Uint8Array): readonly string[] {
  const length = String(Buffer.byteLength(body))
  return [...STANDING_HEADERS, 'Content-Type', contentType, 'Content-Length', length]
}

/** How a door says no: in what its clients read. */
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

/** What may stand in a header: a message may quote what the client sent. */
export function headerText(text: string): string {
  return text.slice(0, MAX_HEADER_TEXT).replaceAll(/[^\x20-\x7e]+/g, '?')
}
