/**
 * `POST /api/{project_id}/events/{event_id}/attachments/`: files for an event that came earlier or comes later, as a
 * multipart form. They go on as the attachment items of an envelope, so the pipeline knows one form only.
 */
import {
  createEnvelope,
  type NewItem,
  ITEM_KINDS,
  normalizeEventId,
  serializeEnvelope,
} from '@sonde/protocol'
import { checkKey, missingAuth, readProjectId } from '../admit/authenticate.ts'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { takeEnvelope } from './take-envelope.ts'
import { type DoorTools, findKey, receiveBody, type Visit } from './visit.ts'

export async function attachmentsDoor(tools: DoorTools, visit: Visit): Promise<Answer> {
  const { req, door } = visit
  const projectId = readProjectId(door.projectId ?? '')
  const auth = tools.readRequestAuth(req, door.query)
  if (!auth) throw missingAuth()
  const key = await findKey(tools, visit, auth.publicKey)
  checkKey(key, projectId)
  const eventId = normalizeEventId(door.eventId)
  if (eventId === undefined)
    throw refuse(400, 'missing_event_id', 'the event id in the path is not 32 hex digits')
  const type = req.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw refuse(415, 'bad_mime_type', 'attachments are sent as multipart/form-data')
  const items = await readForm(await receiveBody(tools, visit, key), type)
  if (items.length === 0) throw refuse(400, 'bad_envelope', 'the form holds no file')
  const envelope = createEnvelope({ event_id: eventId }, items)
  const { headers } = await takeEnvelope(tools, visit, key, auth, envelope, serializeEnvelope(envelope))
  return { status: 201, body: '{}', ...(headers === undefined ? {} : { headers }) }
}

/** Its files in order; fields that are none say nothing about attachments. */
async function readForm(body: Buffer, contentType: string): Promise<NewItem[]> {
  const form = await parseForm(body, contentType)
  const files = [...form.values()].filter((value) => typeof value !== 'string')
  if (files.length > ITEM_KINDS.attachment.perEnvelope)
    throw refuse(413, 'too_many_items', `at most ${ITEM_KINDS.attachment.perEnvelope} files at once`)
  return Promise.all(
    files.map(async (file) => ({
      header: {
        type: 'attachment',
        filename: file.name,
        ...(file.type === '' ? {} : { content_type: file.type }),
      },
      payload: new Uint8Array(await file.arrayBuffer()),
    })),
  )
}

async function parseForm(body: Buffer, contentType: string): Promise<FormData> {
  try {
    // Never shared memory: it was read from a socket.
    return await new Response(body as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': contentType },
    }).formData()
  } catch (error) {
    const causes = [error instanceof Error ? error.message : String(error)]
    throw refuse(400, 'bad_envelope', 'the body is no multipart form', { causes })
  }
}
