/** What one incident is about: its chart with what was deployed meanwhile, and what had most to do with it. */
import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import { METRIC_RULE, metricOf, type MetricRule, previewMetric } from '@sonde/alerts'
import {
  alertRule,
  busyIssues,
  eventSeries,
  ExploreError,
  findIssue,
  incident,
  incidentNotes,
  incidentNotifications,
  type IncidentRow,
  issuesNamed,
  metricRoutes,
  type QueryDeps,
  SearchError,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { membersNamed, ownerName } from '../../../../../../parts/alerts/members-named.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { storedRule } from '../../stored-rule.server.ts'
import { aboutMonitor } from './about-monitor.server.ts'
import { aboutRelease } from './about-release.ts'

type Args = LoadArgs<AppContext, 'org' | 'project' | 'incident'>
type EventGrant = Grant<'event:read', 'project'>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Of a longer one its beginning is shown. */
const MAX_SHOWN_MS = 13 * DAY_MS
const INVOLVED = 5

export async function loadIncident(args: Args) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'alert:read')
  const id = Number(args.params.incident)
  if (!Number.isSafeInteger(id) || id < 1) return notFound()
  const row = (await incident(queries, grant, id)) ?? notFound()
  const nowMs = clock.nowMs()
  // Before it something else, so that one sees where it begins.
  const leadMs = row.issue === undefined ? 3 * HOUR_MS : DAY_MS
  const fromMs = Math.max(0, row.startedMs - leadMs)
  const toMs = Math.min(nowMs, (row.resolvedMs ?? nowMs) + leadMs, fromMs + MAX_SHOWN_MS)
  const within = { fromMs, toMs: Math.max(toMs, fromMs + HOUR_MS) }
  const [told, notes, about] = await Promise.all([
    incidentNotifications(queries, grant, id),
    incidentNotes(queries, grant, id),
    aboutOf(queries, grant, row, within),
  ])
  const { cause: _, ...shown } = row
  return {
    incident: shown,
    owner: await ownerOf(args, grant, row),
    told,
    notes,
    about,
    mayWrite: mayAlso(grant, 'alert:write'),
  }
}

/** Of the rule as it is now. Empty: it has none. */
async function ownerOf(
  args: Args,
  grant: Grant<'alert:read', 'project'>,
  { ruleId }: IncidentRow,
): Promise<string> {
  const rule = ruleId === undefined ? undefined : await alertRule(args.context.queries, grant, ruleId)
  const ownerId = rule && storedRule(rule)?.rule.ownerId
  return ownerId === undefined ? '' : ownerName(ownerId, await membersNamed(args))
}

type Within = { readonly fromMs: number; readonly toMs: number }

async function aboutOf(
  queries: QueryDeps,
  readGrant: Grant<'alert:read', 'project'>,
  row: IncidentRow,
  within: Within,
) {
  const cause = JSON.parse(row.cause) as Readonly<Record<string, unknown>>
  const monitor = await aboutMonitor(queries, readGrant, cause)
  if (monitor) return monitor
  const release = aboutRelease(cause)
  if (release) return release
  const grant = requireAlso(readGrant, 'event:read')
  if (row.issue !== undefined) {
    const found = await findIssue(queries, grant, row.issue.id)
    const events = found && (await eventSeries(queries, found, within))
    return { kind: 'issue' as const, trigger: typeof cause['kind'] === 'string' ? cause['kind'] : '', events }
  }
  const rule = METRIC_RULE.safeParse(cause['rule'])
  if (!rule.success) return { kind: 'unknown' as const }
  const { value, threshold } = cause
  const judged = { value: numberOf(value), threshold: numberOf(threshold), rule: rule.data }
  try {
    const involved = await involvedIn(queries, grant, rule.data, row, within)
    return { kind: 'metric' as const, ...judged, involved, trouble: undefined }
  } catch (error) {
    // A search that could be read when it fired; more to read than there is time for.
    if (!(error instanceof SearchError || error instanceof ExploreError)) throw error
    return { kind: 'metric' as const, ...judged, involved: undefined, trouble: error.message }
  }
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

async function involvedIn(
  queries: QueryDeps,
  grant: EventGrant,
  rule: MetricRule,
  { startedMs, resolvedMs }: IncidentRow,
  within: Within,
) {
  const { direction, windowMinutes } = rule
  const metric = metricOf(rule)
  const fromMs = startedMs - windowMinutes * 60_000
  const toMs = Math.max(startedMs, Math.min(resolvedMs ?? within.toMs, startedMs + DAY_MS, within.toMs))
  const [chart, { markers }, busy, routes] = await Promise.all([
    previewMetric(queries, grant, rule, within),
    eventSeries(queries, grant, within),
    busyIssues(queries, grant, {
      count: 'events',
      above: 0,
      search: metric.source === 'errors' ? metric.search : '',
      fromMs,
      toMs,
    }),
    metricRoutes(queries, { grant, metric, fromMs, toMs }, { worse: direction, limit: INVOLVED }),
  ])
  const busiest = busy.slice(0, INVOLVED)
  const ids = busiest.map(({ issueId }) => issueId)
  const named = new Map((await issuesNamed(queries, grant, ids)).map((issue) => [issue.id, issue]))
  return {
    chart,
    markers,
    routes,
    issues: busiest.flatMap(({ issueId, count }) => {
      const issue = named.get(issueId)
      return issue ? [{ ...issue, count }] : []
    }),
  }
}
