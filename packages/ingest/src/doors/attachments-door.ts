/**
 * `POST /api/{project_id}/events/{event_id}/attachments/`: files for an event that came earlier or comes later, as a
 * multipart form. They go on as the attachment items of an envelope, so the pipeline knows one form only.
 */
import { createEnvelope, ITEM_KINDS, normalizeEventId, serializeEnvelope } from '@sonde/protocol'
import { checkKey, missingAuth, readProjectId } from '../admit/authenticate.ts'
import { checkPage } from '../admit/check-page.ts'
import { readFormFiles } from '../body/form-files.ts'
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
  checkPage(key, req)
  const eventId = normalizeEventId(door.eventId)
  if (eventId === undefined)
    throw refuse(400, 'missing_event_id', 'the event id in the path is not 32 hex digits')
  const type = req.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw refuse(415, 'bad_mime_type', 'attachments are sent as multipart/form-data')
  const files = await readFormFiles(
    await receiveBody(tools, visit, key),
    type,
    ITEM_KINDS.attachment.perEnvelope,
  )
  if (files.length === 0) throw refuse(400, 'bad_envelope', 'the form holds no file')
  const envelope = createEnvelope(
    { event_id: eventId },
    files.map((file) => ({
      header: { type: 'attachment', filename: file.name, content_type: file.type },
      payload: file.bytes,
    })),
  )
  const { headers } = await takeEnvelope(tools, visit, key, auth, envelope, serializeEnvelope(envelope))
  return { status: 201, body: '{}', ...(headers === undefined ? {} : { headers }) }
}
