/** Ours: reads stored events again with the source maps that are there, and says how far that is. */
import { requireAlso } from '@sonde/access'
import { repairEvents } from '@sonde/commands'
import { type RecentRepair, recentRepairs } from '@sonde/queries'
import { type Api, type ApiOptions, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'

const PATH = '/projects/:org/:project/source-maps/repair'

export function repairRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.post(PATH, async (c) => {
    const grant = requireAlso(await projectGrant(c, 'project:read'), 'release:write', 'project:write')
    const release = (await jsonBody(c)).text('release') ?? c.req.query('release')
    const asked = await repairEvents(commands, grant, { release })
    return c.json({ id: String(asked.id), isNew: asked.isNew }, 202)
  })

  api.get(PATH, async (c) => {
    const grant = await projectGrant(c, 'project:read')
    return c.json((await recentRepairs(queries, grant, MOST)).map((repair) => repairJson(repair)))
  })
}

const MOST = 50

function repairJson({ id, release, requestedMs, startedMs, finishedMs, ...repair }: RecentRepair) {
  const { cause, total, seen, changed, moved, merged, trouble } = repair
  return {
    id: String(id),
    cause,
    release: release === '' ? null : release,
    dateRequested: isoDate(requestedMs),
    dateStarted: isoDateOrNull(startedMs),
    dateFinished: isoDateOrNull(finishedMs),
    events: { total: total ?? null, seen, changed, moved },
    mergedIssues: merged,
    trouble: trouble === '' ? null : trouble,
  }
}
