/** The files of an event, as Sentry's API lists, gives and deletes them. */
import { deleteAttachment } from '@sonde/commands'
import { attachmentAnswer, eventAttachments, findAttachment, openAttachment } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam, projectGrant } from '../api-context.ts'
import { attachmentJson } from '../serializers/attachment.ts'

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
