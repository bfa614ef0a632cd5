/**
 * A project's scrubbing rules and what is stored: what they would take out, applying them, how far that is. Sentry has no such
 * addresses: docs/operate/erasure.md.
 */
import { scrubStoredEvents } from '@sonde/commands'
import { type RecentReprocessing, recentReprocessing, scrubTrial } from '@sonde/queries'
import { type Api, type ApiOptions, pathParam, projectGrant } from '../api-context.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'

const PATH = '/projects/:org/:project/stored-scrubs'
const MOST = 50

export function storedScrubRoutes(api: Api, { queries, commands }: ApiOptions): void {
  // It reads for seconds: a POST, and nothing is changed. Whoever goes away ends it.
  api.post(`${PATH}/preview`, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    return c.json(await scrubTrial(queries, grant, c.req.raw.signal))
  })

  api.post(PATH, async (c) => {
    const { id, isNew } = await scrubStoredEvents(commands, await projectGrant(c, 'project:write'))
    return c.json({ id: String(id), isNew }, 202)
  })

  api.get(PATH, async (c) => {
    const grant = await projectGrant(c, 'project:read')
    return c.json((await recentReprocessing(queries, grant, MOST, true)).map(scrubJson))
  })

  api.get(`${PATH}/:scrub`, async (c) => {
    const grant = await projectGrant(c, 'project:read')
    const runs = await recentReprocessing(queries, grant, MOST, true)
    const run = runs.find(({ id }) => String(id) === pathParam(c, 'scrub'))
    return run ? c.json(scrubJson(run)) : c.notFound()
  })
}

const scrubJson = ({
  id,
  requestedMs,
  startedMs,
  finishedMs,
  total,
  seen,
  changed,
  trouble,
}: RecentReprocessing) => ({
  id: String(id),
  state: finishedMs !== undefined ? 'done' : startedMs === undefined ? 'waits' : 'runs',
  dateRequested: isoDate(requestedMs),
  dateStarted: isoDateOrNull(startedMs),
  dateFinished: isoDateOrNull(finishedMs),
  rows: { total: total ?? null, seen, changed },
  trouble: trouble === '' ? null : trouble,
})
