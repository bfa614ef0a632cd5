/** Events of a project. */
import type { Grant } from '@sonde/access'
import { deleteAttachment, deleteEvents, restoreEvents } from '@sonde/commands'
import {
  type Attachment as AttachmentRow,
  attachmentAnswer,
  deletedEvents,
  eventAttachments,
  eventById,
  findAttachment,
  openAttachment,
  projectEvents,
  projectOfEvent,
} from '@sonde/queries'
import { z } from 'zod'
import { type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { media } from '../operation.ts'
import { setLink } from '../pages.ts'
import { text, texts } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { EventDetail, eventDetailJson, EventSource, eventSourceJson } from '../serializers/event-detail.ts'
import { EventInList, eventRowJson } from '../serializers/event-row.ts'

const Attachment = z
  .object({
    id: z.string(),
    event_id: z.string(),
    type: z.string(),
    name: z.string(),
    mimetype: z.string(),
    dateCreated: Time,
    size: z.int(),
    headers: z.record(z.string(), z.string()),
    sha1: z.string(),
  })
  .meta({ id: 'Attachment' })

const attachmentJson = (attachment: AttachmentRow) => ({
  id: String(attachment.id),
  event_id: attachment.eventId,
  type: attachment.type,
  name: attachment.name,
  mimetype: attachment.contentType || 'application/octet-stream',
  dateCreated: isoDate(attachment.receivedMs),
  size: attachment.bytes,
  headers: { 'Content-Type': attachment.contentType || 'application/octet-stream' },
  sha1: attachment.sha1,
})

const EVENTS = '/projects/:org/:project/events'
const EVENT = '/projects/:org/:project/events/:event'
const reads = { tag: 'Events', permission: 'event:read' } as const
const deletes = { tag: 'Events', permission: 'event:delete' } as const

const Deletion = z
  .object({ id: z.string(), events: z.int(), dateDeleted: Time, datePurged: Time })
  .meta({ id: 'DeletedEvents' })

export function eventRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.get(
    EVENTS,
    {
      ...reads,
      id: 'listProjectEvents',
      summary: 'List the events of a project',
      query: z.object({ query: text('A search.') }),
      pages: true,
      answer: z.array(EventInList),
    },
    async ({ c, grant, query, page: asked }) => {
      const page = await projectEvents(queries, grant, { query: query.query, ...asked })
      setLink(c, publicUrl, page)
      return page.rows.map(eventRowJson)
    },
  )

  api.get(
    EVENT,
    {
      ...reads,
      id: 'getEvent',
      summary: 'Read an event',
      description:
        '404 until the event can be queried, then 200: scripts poll this to learn that it has arrived.',
      answer: EventDetail,
    },
    async ({ grant, params }) => {
      const detail = await eventById(queries, grant, params.event)
      return detail && eventDetailJson(detail)
    },
  )

  api.get(
    `${EVENT}/json`,
    { ...reads, id: 'getEventSource', summary: 'Read an event as it is stored', answer: EventSource },
    async ({ grant, params }) => {
      const detail = await eventById(queries, grant, params.event)
      return detail && eventSourceJson(detail)
    },
  )

  // Ours, as Sentry deletes issues: chosen ones by their ids, which can be had back for a day.
  const deleted = { answer: z.object({ id: z.string(), events: z.int() }), status: 202 } as const
  const remove = async (grant: Grant<'event:delete', 'project'>, eventIds: readonly string[]) => {
    const { deletionId, events } = await deleteEvents(commands, grant, { eventIds })
    return { id: String(deletionId), events }
  }
  api.delete(
    EVENTS,
    {
      ...deletes,
      ...deleted,
      id: 'deleteEvents',
      summary: 'Delete events',
      description: 'They can be restored for a day.',
      query: z.object({ id: texts('Ids of events.') }),
    },
    ({ grant, query: { id = [] } }) => remove(grant, id),
  )
  api.delete(
    EVENT,
    { ...deletes, ...deleted, id: 'deleteEvent', summary: 'Delete an event' },
    ({ grant, params }) => remove(grant, [params.event]),
  )

  api.get(
    '/projects/:org/:project/deleted-events',
    {
      ...deletes,
      id: 'listDeletedEvents',
      summary: 'List deletions of events that can be restored',
      answer: z.array(Deletion),
    },
    async ({ grant }) =>
      (await deletedEvents(queries, grant)).map(({ id, events, deletedMs, purgeMs }) => ({
        id: String(id),
        events,
        dateDeleted: isoDate(deletedMs),
        datePurged: isoDate(purgeMs),
      })),
  )

  api.post(
    '/projects/:org/:project/deleted-events/:deletion/restore',
    {
      ...deletes,
      id: 'restoreEvents',
      summary: 'Restore deleted events',
      answer: z.object({ events: z.int() }),
    },
    async ({ grant, params }) => {
      const { events } = await restoreEvents(commands, grant, { deletionId: Number(params.deletion) })
      return { events }
    },
  )

  // Older clients know the organization of an event and not its project.
  api.get(
    '/organizations/:org/events/:event/json',
    {
      ...reads,
      id: 'getEventSource',
      summary: 'Read an event as it is stored, without knowing its project',
      answer: EventSource,
    },
    async ({ grant, params: { event } }) => {
      const projectId = await projectOfEvent(queries, grant, event)
      const detail = projectId === undefined ? undefined : await eventById(queries, { projectId }, event)
      return detail && eventSourceJson(detail)
    },
  )
}

/** The files of an event, as Sentry's API lists, gives and deletes them. */
export function attachmentRoutes(api: Api, { queries, commands, blobs }: ApiOptions): void {
  api.get(
    `${EVENT}/attachments`,
    {
      ...reads,
      id: 'listAttachments',
      summary: 'List the attachments of an event',
      answer: z.array(Attachment),
    },
    async ({ grant, params }) => (await eventAttachments(queries, grant, params.event)).map(attachmentJson),
  )

  api.get(
    `${EVENT}/attachments/:attachment`,
    {
      ...reads,
      id: 'getAttachment',
      summary: 'Read an attachment',
      query: z.object({
        download: text('With any value, or none: the file itself instead of what is known of it.'),
      }),
      answer: media('application/json', 'What is known of it, or the file.', Attachment),
    },
    async ({ c, grant, params, query }) => {
      const id = idOf(params.attachment)
      if (query.download === undefined) {
        const attachment = await findAttachment(queries, grant, params.event, id)
        if (attachment) return c.json(attachmentJson(attachment))
        throw notFound('read an attachment')
      }
      const opened = await openAttachment({ ...queries, blobs }, grant, params.event, id)
      if (opened) return attachmentAnswer(opened, 'download')
      throw notFound('read an attachment')
    },
  )

  api.delete(
    `${EVENT}/attachments/:attachment`,
    { ...deletes, id: 'deleteAttachment', summary: 'Delete an attachment' },
    ({ grant, params }) => {
      const eventId = params.event.replaceAll('-', '').toLowerCase()
      return deleteAttachment(commands, grant, { eventId, id: idOf(params.attachment) })
    },
  )
}

/** What is no number names none: 0 is nobody's. */
const idOf = (ref: string): number => (/^[1-9]\d{0,14}$/.test(ref) ? Number(ref) : 0)
