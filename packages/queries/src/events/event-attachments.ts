/** The files that came with an event. */
import type { Grant } from '@sonde/access'
import type { AttachmentTable, Blobs, OpenBlob, Selectable } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { openWhole } from './whole-file.ts'

/**
 * How a stranger's file is handed to a browser: as a download, or shown when its bytes were seen to be a raster image
 * or text. Whatever it holds, it gets no origin, no script and nothing to load.
 */
export type AttachmentUse = 'download' | 'view'

/** `view` of what is only to be downloaded is a download. */
export function attachmentAnswer({ attachment, content }: OpenAttachment, use: AttachmentUse): Response {
  const isShown = use === 'view' && attachment.shownAs !== ''
  const type = attachment.shownAs === 'text/plain' ? 'text/plain; charset=utf-8' : attachment.shownAs
  return new Response(content.stream, {
    headers: {
      'content-type': isShown ? type : 'application/octet-stream',
      'content-length': String(content.bytes),
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${fileNames(attachment)}`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    },
  })
}

const MAX_FILE_NAME_BYTES = 200

/**
 * The last part of the name, without what any file system or shell takes for something else, and without marks that
 * turn the reading direction: `gpj.exe` must not look like `exe.jpg`. https://www.rfc-editor.org/rfc/rfc6266#section-4.3
 */
export function downloadName(name: string): string {
  const last = name.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  const safe = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^\.+/, '')
    .replace(/(?<![. ])[. ]+$/, '')
  let short = safe
  while (Buffer.byteLength(short) > MAX_FILE_NAME_BYTES) short = short.slice(0, -1)
  return short.toWellFormed().replace(/\uFFFD$/, '') || 'attachment'
}

function fileNames({ name }: Pick<Attachment, 'name'>): string {
  const file = downloadName(name)
  const plain = file.replaceAll(/[^\x20-\x7e]|[\\"%]/g, '_')
  const encoded = encodeURIComponent(file).replaceAll(/['()*]/g, percent)
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

export type Attachment = {
  readonly id: number
  /** 32 lower hex. */
  readonly eventId: string
  /** As the sender gave it: 1 to 255 characters, path separators and all. */
  readonly name: string
  /** As the sender said; may be empty. Not what it is shown as. */
  readonly contentType: string
  readonly type: string
  /** From its bytes: a raster image's media type, `text/plain`, or empty for what is only downloaded. */
  readonly shownAs: string
  readonly bytes: number
  readonly sha1: string
  readonly receivedMs: number
}

/** More than any envelope holds; an event that gets files for weeks shows its first ones. */
const MAX_LISTED = 200

type Scope = Pick<Grant<'event:read', 'project'>, 'projectId'>
type Deps = Pick<QueryDeps, 'records'>

/** As they came; none is no error, also for an event that is not there. Reads along its index. */
export async function eventAttachments(
  { records }: Deps,
  { projectId }: Scope,
  eventId: string,
): Promise<readonly Attachment[]> {
  const rows = await records
    .selectFrom('attachment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('event_id', '=', plainId(eventId))
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute()
  return rows.map(attachmentOf)
}

/** One of them; undefined when the event has none of this id. */
export async function findAttachment(
  deps: Deps,
  grant: Scope,
  eventId: string,
  id: number,
): Promise<Attachment | undefined> {
  const row = await findRow(deps, grant, eventId, id)
  return row && attachmentOf(row)
}

export type OpenAttachment = { readonly attachment: Attachment; readonly content: OpenBlob }

/**
 * To read it; undefined: there is none. The stream must be read or cancelled. Throws `SondeError` (`gone`) when its bytes are
 * missing or damaged.
 */
export async function openAttachment(
  deps: Deps & { readonly blobs: Pick<Blobs, 'open' | 'note'> },
  grant: Scope,
  eventId: string,
  id: number,
): Promise<OpenAttachment | undefined> {
  const row = await findRow(deps, grant, eventId, id)
  return row && { attachment: attachmentOf(row), content: await openWhole(deps.blobs, row) }
}

const findRow = ({ records }: Deps, { projectId }: Scope, eventId: string, id: number) =>
  records
    .selectFrom('attachment')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('event_id', '=', plainId(eventId))
    .executeTakeFirst()

const plainId = (eventId: string): string => eventId.replaceAll('-', '').toLowerCase()

const attachmentOf = (row: Selectable<AttachmentTable>): Attachment => ({
  id: row.id,
  eventId: row.event_id,
  name: row.name,
  contentType: row.content_type,
  type: row.attachment_type,
  shownAs: row.shown_as,
  bytes: row.bytes,
  sha1: row.sha1,
  receivedMs: row.created_ms,
})
