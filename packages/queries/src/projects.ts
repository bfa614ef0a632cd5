import type { Grant } from '@sonde/access'
import type { MembersSee, ProjectTable, RecordsSchema } from '@sonde/stores'
import { EVENT_COUNT, EVENT_USERS, inProjects } from '@sonde/stores'
import type { Kysely, Selectable } from 'kysely'
import { HAS_EVENTS } from './issues/issue-row.ts'
import { projectIdsOf, type QueryDeps } from './query-deps.ts'

/** The little chart and the release of every project's card, in two reads for all of them. */
export type ProjectTrend = {
  /** Errors (level `error` and `fatal`) of the last 24 hours. */
  readonly errors24h: number
  /** Events per hour, 24 of them; the last is the hour until now. */
  readonly hours: readonly number[]
  /** The release that began last, by its first event of the last 30 days; undefined when none was named. */
  readonly release: { readonly name: string; readonly firstSeenMs: number } | undefined
}

const HOUR_MS = 3_600_000
const HOURS = 24
const RELEASES_WITHIN_MS = 30 * 24 * HOUR_MS

/** By project id. Reads narrow columns: a day of them for the bars, a month of them for the releases. */
export async function projectTrends(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
): Promise<(projectId: number) => ProjectTrend> {
  const nowMs = deps.clock.nowMs()
  const projects = await projectIdsOf(deps, grant)
  const fromMs = nowMs - HOURS * HOUR_MS
  const [bars, releases] = await Promise.all([
    projects.length === 0 ? [] : hourBars(deps, projects, fromMs),
    projects.length === 0 ? [] : newestReleases(deps, projects, nowMs),
  ])
  return (projectId) => {
    const hours = Array.from({ length: HOURS }, () => 0)
    let errors24h = 0
    for (const bar of bars) {
      if (bar.project !== projectId) continue
      // What a clock that is ahead has sent belongs to the last hour.
      const hour = Math.min(HOURS - 1, Math.max(0, bar.hour))
      hours[hour] = (hours[hour] ?? 0) + bar.events
      errors24h += bar.errors
    }
    const newest = releases.find(({ project }) => project === projectId)
    return {
      errors24h,
      hours,
      release: newest && { name: newest.release, firstSeenMs: newest.firstSeenMs },
    }
  }
}

const hourBars = ({ telemetry }: Pick<QueryDeps, 'telemetry'>, projects: readonly number[], fromMs: number) =>
  telemetry.query<{ project: number; hour: number; events: number; errors: number }>(
    `SELECT project_id AS project, intDiv(toUnixTimestamp64Milli(timestamp) - {from:Int64}, ${HOUR_MS}) AS hour,
       ${EVENT_COUNT} AS events, sumIf(1 + left_out, level IN ('error', 'fatal')) AS errors
     FROM events WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {since:DateTime64(3)}
     GROUP BY project, hour`,
    { projects, from: fromMs, since: fromMs },
  )

const newestReleases = (
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projects: readonly number[],
  nowMs: number,
) =>
  telemetry.query<{ project: number; release: string; firstSeenMs: number }>(
    `SELECT project, argMax(release, first) AS release, toUnixTimestamp64Milli(max(first)) AS firstSeenMs
     FROM (
       SELECT project_id AS project, release, min(timestamp) AS first FROM events
       WHERE project_id IN {projects:Array(UInt32)} AND release != '' AND timestamp >= {since:DateTime64(3)}
       GROUP BY project, release
     ) GROUP BY project`,
    { projects, since: nowMs - RELEASES_WITHIN_MS },
  )

export type ProjectOverview = {
  /** Created within the last 24 hours. */
  readonly newIssues24h: number
  readonly events24h: number
  readonly users24h: number
  /** Unix milliseconds; undefined when nothing arrived within 24 hours. */
  readonly lastEventMs: number | undefined
}

const DAY_MS = 86_400_000
const NOTHING: ProjectOverview = { newIssues24h: 0, events24h: 0, users24h: 0, lastEventMs: undefined }

/** The numbers on every project's card, by project id: one range of `issue_by_last_seen` each, one scan of a day's narrow columns. */
export async function projectOverviews(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
): Promise<(projectId: number) => ProjectOverview> {
  const projects = await projectIdsOf(deps, grant)
  if (projects.length === 0) return () => NOTHING
  const sinceMs = deps.clock.nowMs() - DAY_MS
  const [fresh, days] = await Promise.all([
    deps.records
      .selectFrom('issue')
      .select(['project_id', ({ fn }) => fn.countAll<number>().as('n')])
      .where('project_id', 'in', projects)
      .where('type', '<>', 'feedback')
      .where('last_seen_ms', '>=', sinceMs)
      .where('first_seen_ms', '>=', sinceMs)
      .where(HAS_EVENTS)
      .groupBy('project_id')
      .execute(),
    deps.telemetry.query<{ project: number; events: number; users: number; lastMs: number }>(
      `SELECT project_id AS project, ${EVENT_COUNT} AS events, ${EVENT_USERS} AS users,
         toUnixTimestamp64Milli(max(timestamp)) AS lastMs
       FROM events WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {since:DateTime64(3)}
       GROUP BY project`,
      { projects, since: sinceMs },
    ),
  ])
  const newIssues = new Map(fresh.map((row) => [row.project_id, row.n]))
  const dayOf = new Map(days.map((day) => [day.project, day]))
  return (projectId) => {
    const day = dayOf.get(projectId)
    return {
      newIssues24h: newIssues.get(projectId) ?? 0,
      events24h: day?.events ?? 0,
      users24h: day?.users ?? 0,
      lastEventMs: day?.lastMs,
    }
  }
}

export type ProjectRow = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string
  readonly createdMs: number
  /** Undefined: it waits for its first event. */
  readonly firstEventMs: number | undefined
  readonly unresolvedCount: number
  /** Those that have it, by slug. */
  readonly teams: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
}

/** The projects screen: those of an organization that the grant covers, in slug order (or the one of a project grant). */
export async function listProjects(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'org:read' | 'event:read' | 'project:read', 'org' | 'project'>,
): Promise<readonly ProjectRow[]> {
  const rows = await selectProjects(records).where(inProjects(grant)).orderBy('project.slug').execute()
  const having = await records
    .selectFrom('team_project')
    .innerJoin('team', 'team.id', 'team_project.team_id')
    .select(['team_project.project_id', 'team.id', 'team.slug', 'team.name'])
    .where('team.org_id', '=', grant.orgId)
    .orderBy('team.slug')
    .execute()
  const teams = Map.groupBy(having, (row) => row.project_id)
  return rows.map((row) => projectRow(row, teams.get(row.id) ?? []))
}

/** Counting walks one index range a project (`issue_by_status`): 100,000 issues cost a few milliseconds. */
const selectProjects = (records: Kysely<RecordsSchema>) =>
  records
    .selectFrom('project')
    .selectAll('project')
    .select((eb) =>
      eb
        .selectFrom('issue')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('issue.project_id', '=', 'project.id')
        .where('issue.status', '=', 'unresolved')
        .where('issue.type', '<>', 'feedback')
        .where(HAS_EVENTS)
        .as('unresolved_count'),
    )

const projectRow = (
  row: Selectable<ProjectTable> & { unresolved_count: number | null },
  teams: ProjectRow['teams'],
): ProjectRow => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  platform: row.platform,
  createdMs: row.created_ms,
  firstEventMs: row.first_event_ms ?? undefined,
  unresolvedCount: row.unresolved_count ?? 0,
  teams: teams.map(({ id, slug, name }) => ({ id, slug, name })),
})

export type OrganizationRow = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly createdMs: number
  readonly projectCount: number
  /** Members open it only with a second factor. */
  readonly requiresSecondFactor: boolean
  /** Which projects members and viewers see. */
  readonly membersSee: MembersSee
}

/** The organizations of these grants (`access.openOrgs` makes them), in slug order: the first screen after sign-in. */
export async function listOrganizations(
  { records }: Pick<QueryDeps, 'records'>,
  grants: readonly Grant<'org:read', 'org'>[],
): Promise<readonly OrganizationRow[]> {
  if (grants.length === 0) return []
  const rows = await records
    .selectFrom('organization')
    .leftJoin('project', (join) =>
      join.onRef('project.org_id', '=', 'organization.id').on((eb) => eb.or(grants.map(inProjects))),
    )
    .select(['organization.id', 'organization.slug', 'organization.name', 'organization.created_ms'])
    .select('organization.requires_second_factor')
    .select('organization.members_see')
    .select(({ fn }) => fn.count<number>('project.id').as('project_count'))
    .where(
      'organization.id',
      'in',
      grants.map((grant) => grant.orgId),
    )
    .groupBy(['organization.id', 'organization.slug', 'organization.name', 'organization.created_ms'])
    .groupBy('organization.requires_second_factor')
    .groupBy('organization.members_see')
    .orderBy('organization.slug')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    createdMs: row.created_ms,
    projectCount: row.project_count,
    requiresSecondFactor: row.requires_second_factor === 1,
    membersSee: row.members_see,
  }))
}
