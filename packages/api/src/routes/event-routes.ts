/** Events of a project. */
import { deleteAttachment, deleteEvents, restoreEvents } from '@sonde/commands'
import {
  type Attachment,
  attachmentAnswer,
  deletedEvents,
  eventAttachments,
  eventById,
  findAttachment,
  openAttachment,
  projectEvents,
  projectOfEvent,
} from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { limitParam, setLink } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'
import { eventDetailJson, eventSourceJson } from '../serializers/event-detail.ts'
import { eventRowJson } from '../serializers/event-row.ts'

const attachmentJson = (attachment: Attachment) => ({
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

export function eventRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  const open = (c: ApiContext) => projectGrant(c, 'event:read')
  const base = '/projects/:org/:project/events'

  api.get(base, async (c) => {
    const page = await projectEvents(queries, await open(c), {
      query: c.req.query('query'),
      limit: limitParam(c),
      cursor: c.req.query('cursor'),
    })
    setLink(c, publicUrl, page)
    return c.json(page.rows.map((row) => eventRowJson(row)))
  })

  // 404 until the event can be queried, then 200: scripts poll this to learn that an event has arrived.
  api.get(`${base}/:event`, async (c) => {
    const detail = await eventById(queries, await open(c), pathParam(c, 'event'))
    return detail ? c.json(eventDetailJson(detail)) : c.notFound()
  })

  api.get(`${base}/:event/json`, async (c) => {
    const detail = await eventById(queries, await open(c), pathParam(c, 'event'))
    return detail ? c.json(eventSourceJson(detail)) : c.notFound()
  })

  // Ours, as Sentry deletes issues: chosen ones by their ids, which can be had back for a day.
  const remove = async (c: ApiContext, eventIds: readonly string[]) => {
    const grant = await projectGrant(c, 'event:delete')
    const { deletionId, events } = await deleteEvents(commands, grant, { eventIds })
    return c.json({ id: String(deletionId), events }, 202)
  }
  api.delete(base, (c) => remove(c, c.req.queries('id') ?? []))
  api.delete(`${base}/:event`, (c) => remove(c, [pathParam(c, 'event')]))

  api.get('/projects/:org/:project/deleted-events', async (c) => {
    const rows = await deletedEvents(queries, await projectGrant(c, 'event:delete'))
    return c.json(
      rows.map(({ id, events, deletedMs, purgeMs }) => ({
        id: String(id),
        events,
        dateDeleted: isoDate(deletedMs),
        datePurged: isoDate(purgeMs),
      })),
    )
  })
  api.post('/projects/:org/:project/deleted-events/:deletion/restore', async (c) => {
    const grant = await projectGrant(c, 'event:delete')
    const deletionId = Number(pathParam(c, 'deletion'))
    const { events } = await restoreEvents(commands, grant, { deletionId })
    return c.json({ events })
  })

  // Older clients know the organization of an event and not its project.
  api.get('/organizations/:org/events/:event/json', async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const event = pathParam(c, 'event')
    const projectId = await projectOfEvent(queries, grant, event)
    const detail = projectId === undefined ? undefined : await eventById(queries, { projectId }, event)
    return detail ? c.json(eventSourceJson(detail)) : c.notFound()
  })
}

/** The files of an event, as Sentry's API lists, gives and deletes them. */
export function attachmentRoutes(api: Api, { queries, commands, blobs }: ApiOptions): void {
  const open = (c: ApiContext) => projectGrant(c, 'event:read')
  const base = '/projects/:org/:project/events/:event/attachments'

  api.get(base, async (c) => {
    const list = await eventAttachments(queries, await open(c), pathParam(c, 'event'))
    return c.json(list.map((attachment) => attachmentJson(attachment)))
  })

  // `?download`, with any value or none, is the file; else what is known about it.
  api.get(`${base}/:attachment`, async (c) => {
    const grant = await open(c)
    const [eventId, id] = [pathParam(c, 'event'), attachmentId(c)]
    if (c.req.query('download') === undefined) {
      const attachment = await findAttachment(queries, grant, eventId, id)
      return attachment ? c.json(attachmentJson(attachment)) : c.notFound()
    }
    const opened = await openAttachment({ ...queries, blobs }, grant, eventId, id)
    return opened ? attachmentAnswer(opened, 'download') : c.notFound()
  })

  api.delete(`${base}/:attachment`, async (c) => {
    const grant = await projectGrant(c, 'event:delete')
    const eventId = pathParam(c, 'event').replaceAll('-', '').toLowerCase()
    await deleteAttachment(commands, grant, { eventId, id: attachmentId(c) })
    return c.body(null, 204)
  })
}

/** What is no number names none: 0 is nobody's. */
function attachmentId(c: ApiContext): number {
  const text = pathParam(c, 'attachment')
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}
