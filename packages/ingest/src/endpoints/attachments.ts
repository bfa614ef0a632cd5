/**
 * `POST /api/{project_id}/events/{event_id}/attachments/`: files for an event that came earlier or comes later, as a
 * multipart form. They become attachment items of an envelope, so the pipeline knows one form only. The form is in memory
 * already; it is read in pieces and no further than its limits, however many parts a stranger put there.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { createEnvelope, ITEM_KINDS, normalizeEventId, serializeEnvelope } from '@sonde/protocol'
import type { Answer } from '../http/answer.ts'
import { Refusal, refuse } from '../refusal.ts'
import { admitSender, type EndpointTools, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'

export type FormField = { readonly name: string; readonly value: string }
export type FormFile = {
  readonly field: string
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

// Forms that SDKs and people send have a few.
const MAX_FIELDS = 100
// An event is sent as one.
const MAX_FIELD_BYTES = 1_000_000
// The shortest part has 40 bytes: so many at most are read in vain.
const PIECE_BYTES = 16_384

/** In their order; fields that are none are left out. Throws 400 and 413. */
export async function readFormFiles(
  body: Buffer,
  contentType: string,
  maxFiles: number,
): Promise<FormFile[]> {
  return (await readForm(body, contentType, maxFiles, 0)).files
}

/** Files and fields, each in their order. Throws 400 and 413. */
export async function readForm(
  body: Buffer,
  contentType: string,
  maxFiles: number,
  maxFieldBytes = MAX_FIELD_BYTES,
): Promise<{ readonly files: FormFile[]; readonly fields: readonly FormField[] }> {
  const form = openForm(contentType, maxFiles, maxFieldBytes)
  const fields: FormField[] = []
  if (maxFieldBytes > 0) form.on('field', (name, value) => fields.push({ name, value }))
  const files: (Omit<FormFile, 'bytes'> & { readonly pieces: Buffer[] })[] = []
  form.on('file', (field, stream: BusboyFileStream, name, _transferEncoding, type) => {
    const pieces: Buffer[] = []
    files.push({ field, name: unescapeName(name), type, pieces })
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    // The form's own error says it.
    stream.on('error', () => undefined)
  })
  const stop = (): unknown => form.destroy(tooMany(maxFiles))
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) form.once(limit, stop)
  try {
    await pipeline(Readable.from(piecesOf(body)), form)
  } catch (error) {
    throw error instanceof Refusal ? error : noForm(error)
  }
  return { files: files.map(({ pieces, ...file }) => ({ ...file, bytes: Buffer.concat(pieces) })), fields }
}

function openForm(contentType: string, maxFiles: number, maxFieldBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // What is named like a file is one, and nothing else: browsers give every file a name.
      isPartAFile: (_field, _type, name) => name !== undefined,
      // The name is shown, never used as a path.
      preservePath: true,
      limits: {
        files: maxFiles,
        fields: MAX_FIELDS,
        parts: maxFiles + MAX_FIELDS,
        fieldSize: maxFieldBytes,
        headerPairs: 20,
        headerSize: 8_192,
      },
    })
  } catch (error) {
    throw noForm(error)
  }
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}

// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0A': '\n', '%0D': '\r' }

const unescapeName = (name: string): string =>
  name.replaceAll(/%(?:22|0A|0D)/g, (escape) => ESCAPES[escape] ?? escape)

function noForm(error: unknown): Refusal {
  const causes = [error instanceof Error ? error.message : String(error)]
  return refuse(400, 'bad_envelope', 'the body is no multipart form', { causes })
}

function tooMany(maxFiles: number): Refusal {
  const detail = `a form has at most ${maxFiles} files and ${MAX_FIELDS} fields`
  return refuse(413, 'too_many_items', detail)
}

export async function attachmentsEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req, endpoint } = context
  const { auth, key } = await admitSender(tools, context)
  const eventId = normalizeEventId(endpoint.eventId)
  if (eventId === undefined)
    throw refuse(400, 'missing_event_id', 'the event id in the path is not 32 hex digits')
  const type = req.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw refuse(415, 'bad_mime_type', 'attachments are sent as multipart/form-data')
  const files = await readFormFiles(
    await receiveBody(tools, context, key),
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
  const { headers } = await takeEnvelope(tools, context, key, auth, envelope, serializeEnvelope(envelope))
  return { status: 201, body: '{}', ...(headers === undefined ? {} : { headers }) }
}
