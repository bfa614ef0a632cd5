/** The first screen of a project: whether the last deployment is fine, in sentences. */
import { mayAlso } from '@sonde/access'
import { listProjects, newestRelease, projectKeys, receivedData, recentIssues } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { environmentsOf } from '../../../shell/time-range.ts'
import { overviewSections } from './overview-sections.server.ts'

/** Whoever sent nothing for so long has to set it up again. */
const RECEIVED_DAYS = 30

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const environment = environmentsOf(args.url.searchParams)
  const [[project], release] = await Promise.all([
    listProjects(queries, grant),
    newestRelease(queries, grant, { environment }),
  ])
  if (!project) return notFound()
  const { name, platform } = project
  const shown = { name, platform, mayTest: mayAlso(grant, 'event:write') }
  // The issue is there before the project knows of its first event.
  const isWaiting =
    project.firstEventMs === undefined &&
    (await recentIssues(queries, grant, { limit: 1 })).length === 0 &&
    !(await receivedData(queries, grant, { days: RECEIVED_DAYS })).categories.some(
      ({ counts }) => counts.accepted > 0,
    )
  if (isWaiting) {
    const keys = await projectKeys(queries, grant)
    return { project: shown, waiting: { dsn: keys.find((key) => key.isActive)?.dsn }, sections: [] }
  }
  const sections = await overviewSections({
    queries,
    grant,
    release,
    place: { org: args.params.org, project: args.params.project },
    nowMs: clock.nowMs(),
    environment,
  })
  return { project: shown, waiting: undefined, sections }
}
