/**
 * What a person wrote about one event, as a form or as JSON: `event_id`, `name`, `email`, `comments`. It goes on as one
 * item `user_report`, as SDKs send it.
 * https://docs.sentry.io/api/projects/submit-user-feedback/
 */
import { createEnvelope, normalizeEventId, serializeEnvelope } from '@sonde/protocol'
import type { Auth } from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { admitSender, type EndpointTools, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'

/** A page of text, four times percent-encoded. Longer texts are cut by the pipeline. */
const MAX_BODY_BYTES = 64 * 1024
const MAX_EMAIL_LENGTH = 320

export type UserReport = {
  readonly name: string
  readonly email: string
  readonly comments: string
  /** As sent; empty when it was not. */
  readonly eventId: string
}

/** `POST /api/{project}/user-feedback/`, with the key where SDKs put it. */
export async function userFeedbackEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { auth, key } = await admitSender(tools, context)
  return takeReport(tools, context, key, auth, undefined)
}

/** `eventId`: when the address names it; else the body has to. Throws 400, 413, 415 and what envelopes may be refused for. */
export async function takeReport(
  tools: EndpointTools,
  context: RequestContext,
  key: KeyInfo,
  auth: Auth,
  eventId: string | undefined,
): Promise<Answer> {
  const report = readReport(await receiveBody(tools, context, key), context.req.headers['content-type'])
  const about = eventId ?? normalizeEventId(report.eventId)
  if (about === undefined)
    throw refuse(400, 'missing_event_id', 'event_id is missing or is not 32 hex digits')
  const { name, email, comments } = report
  const payload = Buffer.from(JSON.stringify({ event_id: about, name, email, comments }))
  const envelope = createEnvelope({ event_id: about }, [{ header: { type: 'user_report' }, payload }])
  return takeEnvelope(tools, context, key, auth, envelope, serializeEnvelope(envelope))
}

/** Throws 400 for what is no report, 413 and 415. */
export function readReport(body: Buffer, contentType: string | undefined): UserReport {
  if (body.length > MAX_BODY_BYTES)
    throw refuse(413, 'too_large', `a report is at most ${MAX_BODY_BYTES} bytes`)
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase()
  const field = readFields(body.toString('utf8'), type)
  const report = {
    name: field('name'),
    email: field('email'),
    comments: field('comments'),
    eventId: field('event_id'),
  }
  if (report.comments === '') throw refuse(400, 'bad_payload', 'comments is empty')
  if (report.email !== '' && !isAddress(report.email))
    throw refuse(400, 'bad_payload', 'email is not an address')
  return report
}

function readFields(text: string, type: string | undefined): (name: string) => string {
  if (type === 'application/x-www-form-urlencoded') {
    const params = new URLSearchParams(text)
    return (name) => (params.get(name) ?? '').trim()
  }
  // Pages send JSON as text where they want no preflight.
  if (type !== 'application/json' && type !== 'text/plain')
    throw refuse(415, 'bad_mime_type', 'a report is sent as a form or as application/json')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw refuse(400, 'bad_json', 'the body is not valid JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw refuse(400, 'bad_json', 'the body is not a JSON object')
  return (name) => {
    const value = Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined
    return typeof value === 'string' ? value.trim() : ''
  }
}

/** Something before and behind one `@`, without spaces: what a person would try is not refused. */
function isAddress(text: string): boolean {
  const at = text.indexOf('@')
  return text.length <= MAX_EMAIL_LENGTH && at > 0 && at < text.length - 1 && !/\s/.test(text)
}
