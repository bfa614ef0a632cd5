/**
 * Sessions and their users, counted exactly: single sessions by the last that was told of each, and what SDKs counted
 * themselves. By release, environment and project, over a time or in steps of it.
 */
import type { Grant } from '@sonde/access'
import { type Estimate, rateEstimate } from '../performance/change-interval.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

export const SESSION_GROUPS = ['release', 'environment', 'project'] as const
export type SessionGroup = (typeof SESSION_GROUPS)[number]

/** Sessions are disjoint. A user is in each kind of which they had a session, `all` counts them once. */
export type SessionKinds = {
  readonly all: number
  readonly healthy: number
  readonly errored: number
  readonly unhandled: number
  readonly abnormal: number
  readonly crashed: number
}
export type SessionKind = keyof SessionKinds
export type SessionCounts<User extends SessionKind = SessionKind> = {
  readonly sessions: SessionKinds
  /** Of the kinds that were asked for. */
  readonly users: Pick<SessionKinds, User>
}
export type SessionRow<User extends SessionKind = SessionKind> = SessionCounts<User> & {
  readonly release: string
  readonly environment: string
  readonly projectId: number
  /** Where steps were asked for: 0 is the one that begins at `fromMs`. */
  readonly step: number
}

export type SessionFilter = {
  /** Of when sessions began, in Unix milliseconds; `toMs` is exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** Any of these; absent and empty: all. */
  readonly environment?: readonly string[] | undefined
  readonly release?: readonly string[] | undefined
  readonly projectIds?: readonly number[] | undefined
}
export type SessionGroupsInput<User extends SessionKind> = SessionFilter & {
  /** Telling users apart is most of the work: kinds that nobody looks at are not counted. */
  readonly users: readonly User[]
  readonly by: readonly SessionGroup[]
  readonly stepMs?: number | undefined
  readonly limit: number
}

const KINDS = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed'] as const
const ALL = KINDS.join(' + ')
const COLUMNS: { readonly [Group in SessionGroup]: string } = {
  release: 'release',
  environment: 'environment',
  project: 'project_id',
}
// Eight bytes of memory for each user. The text is 64 bits of a SHA-256 of project and user, so a quick hash of it does.
const usersWith = (condition: string): string =>
  `uniqExactIf(cityHash64(user_hash), user_hash != '' AND ${condition})`
const SESSIONS = [
  `sum(toUInt64(${ALL})) AS all_sessions`,
  ...KINDS.map((kind) => `sum(toUInt64(${kind})) AS ${kind}_sessions`),
]
const USERS: Readonly<Record<SessionKind, string>> = {
  all: usersWith('1'),
  // Who had nothing but healthy sessions.
  healthy: `${usersWith('1')} - ${usersWith(`${ALL} > healthy`)}`,
  errored: usersWith('errored > 0'),
  unhandled: usersWith('unhandled > 0'),
  abnormal: usersWith('abnormal > 0'),
  crashed: usersWith('crashed > 0'),
}

type Measured = Readonly<Record<string, number>>

/**
 * The groups with the most sessions first, of steps the earliest. Reads the range of the ordering key, of which `FINAL`
 * leaves one row a session: its weeks are of when sessions began, so every update of one is in the same.
 */
export async function sessionGroups<User extends SessionKind>(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  { fromMs, toMs, by, stepMs, limit, users, ...filter }: SessionGroupsInput<User>,
): Promise<readonly SessionRow<User>[]> {
  const own = await projectIdsOf(deps, grant)
  const wanted = filter.projectIds?.length ? new Set(filter.projectIds) : undefined
  const projects = wanted ? own.filter((id) => wanted.has(id)) : own
  if (projects.length === 0) return []
  const { environment = [], release = [] } = filter
  const step =
    stepMs === undefined ? '0' : 'intDiv(toUnixTimestamp64Milli(started) - {from_ms:Int64}, {step:Int64})'
  const keys = SESSION_GROUPS.map((group) =>
    by.includes(group) ? COLUMNS[group] : group === 'project' ? '0' : `''`,
  )
  const measures = [...SESSIONS, ...users.map((kind) => `${USERS[kind]} AS ${kind}_users`)].join(', ')
  const rows = await deps.telemetry.query<
    { g_release: string; g_environment: string; g_project: number; step: number } & Measured
  >(
    `SELECT ${SESSION_GROUPS.map((group, at) => `${keys[at]} AS g_${group}`).join(', ')}, ${step} AS step, ${measures}
     FROM sessions FINAL
     WHERE project_id IN {projects:Array(UInt32)}
       AND started >= {from:DateTime64(3)} AND started < {to:DateTime64(3)}
       ${environment.length > 0 ? 'AND environment IN {environments:Array(String)}' : ''}
       ${release.length > 0 ? 'AND release IN {releases:Array(String)}' : ''}
     GROUP BY g_release, g_environment, g_project, step
     HAVING all_sessions > 0
     ORDER BY all_sessions DESC, step, g_release, g_environment, g_project LIMIT {limit:UInt32}`,
    {
      projects,
      from: Math.max(0, Math.min(fromMs, LAST_MS)),
      to: Math.max(0, Math.min(toMs, LAST_MS)),
      from_ms: fromMs,
      step: stepMs ?? 1,
      environments: environment,
      releases: release,
      limit,
    },
  )
  return rows.map(({ g_release, g_environment, g_project, step: at, ...row }) => ({
    release: g_release,
    environment: g_environment,
    projectId: g_project,
    step: at,
    sessions: kindsOf(row, ['all', ...KINDS], 'sessions'),
    users: kindsOf(row, users, 'users'),
  }))
}

// The engine refuses years of five digits.
const LAST_MS = Date.UTC(2149, 0, 1)

const kindsOf = <Kind extends SessionKind>(
  row: Measured,
  kinds: readonly Kind[],
  of: 'sessions' | 'users',
): Pick<SessionKinds, Kind> =>
  Object.fromEntries(kinds.map((kind) => [kind, row[`${kind}_${of}`] ?? 0])) as Pick<SessionKinds, Kind>

export type CrashFree = Estimate | 'few'
/** The share without a crash, with the interval that it stands for; of fewer than thirty it says nothing. */
export function crashFree({ all, crashed }: Pick<SessionKinds, 'all' | 'crashed'>): CrashFree {
  return rateEstimate(all === 0 ? 1 : (all - crashed) / all, all) ?? 'few'
}
