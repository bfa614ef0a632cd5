/**
 * `POST /api/{project_id}/store/` and `/api/store/`: one event as JSON, from SDKs of before 2020. What
 * goes into the log is an envelope around it, so the pipeline knows one form only.
 */
import {
  createEnvelope,
  type Envelope,
  ITEM_MAX_BYTES,
  newEventId,
  normalizeEventId,
  serializeEnvelope,
} from '@sonde/protocol'
import { findEncoding } from '../body/decoders.ts'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { type EndpointTools, findKey, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'
import { checkKey, checkPage, missingAuth, readProjectId } from '../validate/authenticate.ts'

export async function storeEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req, endpoint } = context
  const projectId = endpoint.projectId === undefined ? undefined : readProjectId(endpoint.projectId)
  const auth = tools.readRequestAuth(req, endpoint.query)
  if (!auth) throw missingAuth()
  const key = await findKey(tools, context, auth.publicKey)
  checkKey(key, projectId)
  checkPage(key, req)
  const json = await decodeStoreBody(await receiveBody(tools, context, key))
  const envelope = wrapEvent(json)
  return takeEnvelope(tools, context, key, auth, envelope, serializeEnvelope(envelope))
}

const MAX_EVENT_BYTES = ITEM_MAX_BYTES.event
const DEFLATE = findEncoding('deflate')
const ZLIB_FIRST_BYTE = 0x78
const OPENING_BRACE = 0x7b

/** JSON as it is, or base64 of it, or base64 of its zlib form. Throws 400 and 413. */
export async function decodeStoreBody(body: Buffer): Promise<Buffer> {
  if (body.length === 0) throw refuse(400, 'bad_json', 'the body is empty')
  if (isJsonObject(body)) return body
  // Base64 takes a third more.
  if (body.length > MAX_EVENT_BYTES * 2) throw eventTooLarge()
  const text = body.toString('latin1')
  if (!isBase64(text)) throw refuse(400, 'bad_json', 'the body is neither a JSON object nor base64')
  const decoded = Buffer.from(text, 'base64')
  if (decoded[0] !== ZLIB_FIRST_BYTE) return decoded
  return new Promise((resolve, reject) => {
    DEFLATE?.decode(decoded, MAX_EVENT_BYTES, (error, json) => {
      if (!error) resolve(json)
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') reject(eventTooLarge())
      else reject(refuse(400, 'bad_encoding', 'the body is not valid zlib', { causes: [error.message] }))
    })
  })
}

/**
 * In pieces that are each looked at once. One expression for all of it tries the spaces of the tail again from each of
 * them, which takes hours for a body that this endpoint still reads.
 */
function isBase64(text: string): boolean {
  const padding = text.indexOf('=')
  const digits = padding === -1 ? text : text.slice(0, padding)
  const tail = text.slice(digits.length).trimEnd()
  return digits !== '' && !/[^\w+/\s-]/.test(digits) && ['', '=', '=='].includes(tail)
}

function wrapEvent(json: Buffer): Envelope {
  if (json.length > MAX_EVENT_BYTES) throw eventTooLarge()
  const event = readEvent(json)
  const type = event['type'] === 'transaction' ? 'transaction' : 'event'
  const eventId = normalizeEventId(event['event_id']) ?? newEventId()
  return createEnvelope({ event_id: eventId }, [{ header: { type }, payload: json }])
}

// Python's json writes these without asking; no other JSON reader takes them.
const NON_JSON_NUMBERS = /(?<=[:,[\s])(?:NaN|-?Infinity)(?=[\s,\]}])/g

/** Only the id and the type are used; the bytes are stored as they came. */
function readEvent(json: Buffer): Record<string, unknown> {
  const text = json.toString('utf8')
  const event = tryParse(text) ?? tryParse(text.replaceAll(NON_JSON_NUMBERS, 'null'))
  if (event === undefined) throw refuse(400, 'bad_json', 'the body is not valid JSON')
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw refuse(400, 'bad_json', 'the body is not a JSON object')
  return event as Record<string, unknown>
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isJsonObject(body: Buffer): boolean {
  for (const byte of body) {
    if (byte === OPENING_BRACE) return true
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false
  }
  return false
}

function eventTooLarge(): Error {
  return refuse(413, 'too_large', `the event is larger than ${MAX_EVENT_BYTES} bytes`)
}
