/** The files that came with an event. */
import type { Grant } from '@sonde/access'
import type { AttachmentTable, Blobs, OpenBlob, Selectable } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

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

/** To read it; undefined also when it was deleted this moment. The stream must be read or cancelled. */
export async function openAttachment(
  deps: Deps & { readonly blobs: Pick<Blobs, 'open'> },
  grant: Scope,
  eventId: string,
  id: number,
): Promise<OpenAttachment | undefined> {
  const row = await findRow(deps, grant, eventId, id)
  const content = row && (await deps.blobs.open(row.blob))
  return content && { attachment: attachmentOf(row), content }
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
