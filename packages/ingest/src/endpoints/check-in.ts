/**
 * `GET` and `POST /api/{project_id}/cron/{slug}/{key}/`: a check-in by curl. What goes into the log is an envelope with one
 * `check_in` item, so the pipeline knows one form only. https://docs.sentry.io/product/crons/getting-started/http/
 */
import {
  createEnvelope,
  ITEM_MAX_BYTES,
  newEventId,
  normalizeEventId,
  serializeEnvelope,
} from '@sonde/protocol'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { admitSender, type EndpointTools, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'

const NEWEST = '0'.repeat(32)
const MAX_SLUG_CHARS = 200
const STATUSES: ReadonlySet<string> = new Set(['ok', 'in_progress', 'error'])

export async function checkInEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req, endpoint } = context
  const { slug = '', publicKey } = endpoint.monitor ?? {}
  const { auth, key } = await admitSender(tools, context, publicKey)
  const body = await receiveBody(tools, context, key)
  const checkIn = checkInOf(decodeSlug(slug), new URLSearchParams(endpoint.query), sentFields(req, body))
  const payload = payloadOf(checkIn)
  if (payload.length > ITEM_MAX_BYTES.checkIn) throw tooLarge()
  // The header says when: the same request again is another run.
  const header = { event_id: newEventId(), sent_at: new Date(tools.clock.nowMs()).toISOString() }
  const envelope = createEnvelope(header, [{ header: { type: 'check_in' }, payload }])
  const { headers } = await takeEnvelope(tools, context, key, auth, envelope, serializeEnvelope(envelope))
  const answer = { status: 202, body: JSON.stringify({ id: checkIn.check_in_id }) }
  return headers === undefined ? answer : { ...answer, headers }
}

function payloadOf(checkIn: object): Buffer {
  try {
    return Buffer.from(JSON.stringify(checkIn))
  } catch {
    // Deeper than the stack: parsing goes further down than writing.
    throw refuse(400, 'bad_json', 'monitor_config is nested too deeply')
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Of a body that says it is JSON; any other is not looked at, as `curl -d ''` sends one. */
function sentFields({ headers }: RequestContext['req'], body: Buffer): Fields {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json' || body.length === 0) return {}
  if (body.length > ITEM_MAX_BYTES.checkIn) throw tooLarge()
  let sent: unknown
  try {
    sent = JSON.parse(body.toString('utf8'))
  } catch {
    throw refuse(400, 'bad_json', 'the body is not valid JSON')
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw refuse(400, 'bad_json', 'the body is not a JSON object')
  return sent as Fields
}

/** The query says more than the body. Without an id: the newest run that goes on, or a new one. */
function checkInOf(slug: string, query: URLSearchParams, sent: Fields) {
  const said = (name: string): unknown => query.get(name) ?? sent[name]
  const status = said('status') ?? 'ok'
  if (typeof status !== 'string' || !STATUSES.has(status))
    throw refuse(400, 'bad_json', 'status is ok, in_progress or error')
  const id = said('check_in_id')
  const checkInId = id === undefined || id === '' ? NEWEST : normalizeEventId(id)
  if (checkInId === undefined) throw refuse(400, 'bad_json', 'check_in_id is no UUID')
  const duration = said('duration')
  if (duration !== undefined && !(Number(duration) >= 0))
    throw refuse(400, 'bad_json', 'duration is a number of seconds')
  const environment = said('environment')
  return {
    check_in_id: checkInId,
    monitor_slug: slug,
    status,
    ...(duration !== undefined && { duration: Number(duration) }),
    ...(typeof environment === 'string' && environment !== '' && { environment }),
    ...(typeof sent.release === 'string' && { release: sent.release }),
    ...(sent.monitor_config !== undefined && { monitor_config: sent.monitor_config }),
  }
}

function decodeSlug(text: string): string {
  try {
    const slug = decodeURIComponent(text)
    if (slug.length <= MAX_SLUG_CHARS) return slug
  } catch {
    // As one that is too long.
  }
  throw refuse(400, 'bad_json', 'the name of the monitor cannot be read')
}

const tooLarge = (): Error =>
  refuse(413, 'too_large', `a check-in is larger than ${ITEM_MAX_BYTES.checkIn} bytes`)
