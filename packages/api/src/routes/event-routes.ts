/** Events of a project. */
import { eventById, projectEvents, projectOfEvent } from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { setLink } from '../link-header.ts'
import { limitParam } from '../request-params.ts'
import { eventDetailJson, eventSourceJson } from '../serializers/event-detail.ts'
import { eventRowJson } from '../serializers/event-row.ts'

export function eventRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
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

  // Older clients know the organisation of an event and not its project.
  api.get('/organizations/:org/events/:event/json', async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const event = pathParam(c, 'event')
    const projectId = await projectOfEvent(queries, grant, event)
    const detail = projectId === undefined ? undefined : await eventById(queries, { projectId }, event)
    return detail ? c.json(eventSourceJson(detail)) : c.notFound()
  })
}
