/**
 * `POST /api/{project_id}/minidump/`: a crash as Breakpad and Crashpad send it, a multipart form with `upload_file_minidump`,
 * the event in `sentry`, and other files; or the dump alone as the body. It becomes an envelope, so the pipeline knows one
 * form only. https://docs.sentry.io/platforms/native/guides/minidumps/
 */
import { createEnvelope, ITEM_KINDS, newEventId, normalizeEventId, serializeEnvelope } from '@sonde/protocol'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { admitSender, type EndpointTools, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'
import { type FormField, type FormFile, readForm } from './attachments.ts'

const DUMP_FIELD = 'upload_file_minidump'
const EVENT_PART = '__sentry-event'
const MAX_ID_AT = 65_536
const SIGNATURE = 'MDMP'

export async function minidumpEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req } = context
  const { auth, key } = await admitSender(tools, context)
  const body = await receiveBody(tools, context, key)
  const type = req.headers['content-type'] ?? ''
  const isForm = /^multipart\/form-data\b/i.test(type)
  const { files, fields } = isForm
    ? await readForm(body, type, ITEM_KINDS.attachment.perEnvelope)
    : { files: [{ field: DUMP_FIELD, name: 'minidump.dmp', type: '', bytes: body }], fields: [] }
  const dump = files.find(({ field }) => field === DUMP_FIELD)
  if (!dump) throw refuse(400, 'bad_envelope', `the form has no file "${DUMP_FIELD}"`)
  if (dump.bytes.toString('latin1', 0, 4) !== SIGNATURE)
    throw refuse(400, 'bad_envelope', 'the file does not begin as a minidump does')
  const event = eventOf(fields)
  const eventId = normalizeEventId(event['event_id']) ?? idOfPart(files) ?? newEventId()
  const envelope = createEnvelope({ event_id: eventId }, [
    { header: { type: 'event' }, payload: Buffer.from(JSON.stringify({ ...event, event_id: eventId })) },
    ...files.map((file) => ({ header: headerOf(file, file === dump), payload: file.bytes })),
  ])
  const { headers } = await takeEnvelope(tools, context, key, auth, envelope, serializeEnvelope(envelope))
  return {
    status: 200,
    // Crash reporters keep it as the id of their report.
    body: eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    contentType: 'text/plain',
    ...(headers === undefined ? {} : { headers }),
  }
}

/**
 * The id that the SDK gave the crash stands in the event that it had written down in MessagePack, as a text of 36 or 32
 * characters; the pipeline reads the rest.
 */
function idOfPart(files: readonly FormFile[]): string | undefined {
  const part = files.find(({ field, name }) => field === EVENT_PART || name === EVENT_PART)
  const text = part?.bytes.toString('latin1', 0, MAX_ID_AT) ?? ''
  return normalizeEventId(/\xa8event_id\xd9[ $]([\da-f-]{32,36})/i.exec(text)?.[1])
}

const headerOf = ({ name, type }: FormFile, isDump: boolean) => ({
  type: 'attachment',
  filename: name,
  content_type: isDump ? 'application/x-minidump' : type,
  ...(isDump && { attachment_type: 'event.minidump' }),
})

/** `sentry` is JSON, `sentry__1`, `sentry__2` … the pieces of it; `sentry[tags][shop]` one value. */
function eventOf(fields: readonly FormField[]): Record<string, unknown> {
  const event: Record<string, unknown> = {}
  const pieces = fields
    .filter(({ name }) => /^sentry__\d{1,3}$/.test(name))
    .toSorted((a, b) => Number(a.name.slice(8)) - Number(b.name.slice(8)))
  const whole =
    fields.find(({ name }) => name === 'sentry')?.value ?? pieces.map(({ value }) => value).join('')
  if (whole !== '') Object.assign(event, jsonOf(whole))
  for (const { name, value } of fields) {
    const path = /^sentry((?:\[[^[\]]{1,200}\]){1,3})$/.exec(name)?.[1]
    if (path !== undefined) setIn(event, path.slice(1, -1).split(']['), value)
  }
  return event
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Said below.
  }
  throw refuse(400, 'bad_json', 'the field "sentry" is no JSON object')
}

function setIn(event: Record<string, unknown>, path: readonly string[], value: string): void {
  let at = event
  for (const name of path.slice(0, -1)) {
    if (name === '__proto__') return
    const inner = Object.hasOwn(at, name) ? at[name] : undefined
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    at[name] = next
    at = next
  }
  const last = path.at(-1)
  if (last !== undefined && last !== '__proto__') at[last] = value
}
