/**
 * Were those who had an error slower than those who had not? Vitals of both, on the same routes and kinds of devices, with
 * an interval of the difference: docs/decisions/0009-vitals-of-users-with-an-error.md.
 */
import type { VitalName } from '@sonde/protocol/web-vitals'
import type { IssueRow } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type Observation, type QuantileDifference, quantileDifference } from './quantile-difference.ts'
import { VITAL_ROWS } from './vital-conditions.ts'

/** Who is compared: people who ever had it in the time, or the page loads and navigations in which it happened. */
export const ISSUE_VITAL_SIDES = ['users', 'visits'] as const
export type IssueVitalSide = (typeof ISSUE_VITAL_SIDES)[number]
/** Those that say how a page felt; the others explain LCP. */
export const COMPARED_VITALS = ['lcp', 'inp', 'cls'] as const satisfies readonly VitalName[]

export type IssueVital = QuantileDifference & { readonly name: (typeof COMPARED_VITALS)[number] }
export type IssueVitals = {
  readonly fromMs: number
  readonly toMs: number
  /** Of each side those vitals of which enough is known; of visits that were sampled, how many is in each. */
  readonly users: readonly IssueVital[]
  readonly visits: readonly IssueVital[]
  /** Measured visits of those who had the error, of the vital that most told; 0: none can be joined. */
  readonly affectedVisits: number
}

type Issue = Pick<IssueRow, 'id' | 'project' | 'firstSeenMs' | 'lastSeenMs'>
type Window = { readonly fromMs: number; readonly toMs: number }
export type IssueVitalsInput = {
  /** Unix milliseconds; `toMs` is exclusive. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** Only events and visits of these; none: of all. */
  readonly environments?: readonly string[]
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The newest days of a long-lived issue: what is true of it now, and a bound of what is read. */
const MAX_SPAN_MS = 14 * DAY_MS
/** Of each vital and side; the interval of 2,000 visits is a fortieth of the percentiles wide. */
const MAX_VISITS = 2_000
const MAX_AFFECTED = 100_000
const MAX_GROUPS = 20_000
const MAX_SEC = 5

/**
 * While the issue lived, at most the last 14 days of it: before and after, others would be compared with a page of
 * another release. Four passes over three vitals of the project; each gives up after five seconds (`unavailable`).
 */
export async function issueVitals(
  deps: Pick<QueryDeps, 'telemetry'>,
  issue: Issue,
  { environments = [], ...asked }: IssueVitalsInput = {},
): Promise<IssueVitals> {
  const window = windowOf(issue, asked)
  const [users, visits] = [
    await compare(deps, issue, { ...window, environments }, 'users'),
    await compare(deps, issue, { ...window, environments }, 'visits'),
  ]
  return {
    ...window,
    users: users.compared,
    visits: visits.compared,
    affectedVisits: Math.max(users.affected, visits.affected),
  }
}

function windowOf({ firstSeenMs, lastSeenMs }: Issue, asked: Partial<IssueVitalsInput>): Window {
  const lastMs = Math.min(lastSeenMs, asked.toMs ?? Infinity)
  const toMs = (Math.floor(lastMs / HOUR_MS) + 1) * HOUR_MS
  const firstMs = Math.max(firstSeenMs, asked.fromMs ?? 0, toMs - MAX_SPAN_MS)
  return { fromMs: Math.min(Math.floor(firstMs / HOUR_MS) * HOUR_MS, toMs - HOUR_MS), toMs }
}

/** What tells that a visit is of somebody with the error: the column of vitals and of events alike. */
const KEYS: Readonly<Record<IssueVitalSide, { readonly vital: string; readonly event: string }>> = {
  users: { vital: 'user_key', event: 'user_key' },
  visits: { vital: 'toString(trace_id)', event: 'trace_id' },
}

async function compare(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issue: Issue,
  window: Window & { readonly environments: readonly string[] },
  side: IssueVitalSide,
) {
  const { vital, event } = KEYS[side]
  const params = {
    project: issue.project.id,
    issue: issue.id,
    from: window.fromMs,
    to: window.toMs,
    receivedFrom: Math.max(0, window.fromMs - 60_000),
    names: COMPARED_VITALS,
    environments: window.environments,
  }
  const place = window.environments.length > 0 ? 'AND environment IN {environments:Array(String)}' : ''
  const isAffected = `${vital} IN (SELECT DISTINCT ${event} FROM events
    WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND timestamp >= {from:DateTime64(3)}
      AND timestamp < {to:DateTime64(3)} AND ${event} != '' ${place} LIMIT ${MAX_AFFECTED})`
  const where = `project_id = {project:UInt32} AND name IN {names:Array(String)} AND ${vital} != ''
    AND received >= {receivedFrom:DateTime64(3)} AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
    ${place}`
  const limits = `SETTINGS max_execution_time = ${MAX_SEC}`

  const groups = await telemetry.query<Group>(
    `SELECT name, ${isAffected} AS affected, route, device, count() AS samples
     FROM ${VITAL_ROWS} WHERE ${where} GROUP BY name, affected, route, device
     ORDER BY affected DESC, samples DESC LIMIT ${MAX_GROUPS} ${limits}`,
    params,
  )
  const routes = [...new Set(groups.flatMap(({ affected, route }) => (affected ? [route] : [])))]
  const affected = mostOf(groups, routes, 1)
  const others = mostOf(groups, routes, 0)
  if (affected === 0 || others === 0) return { affected, compared: [] }
  // By the hash of the page: the same visits each time, and all vitals of a visit or none.
  const rows = await telemetry.query<Row>(
    `SELECT name, ${isAffected} AS affected, value, sample_rate AS sampleRate, route, device,
       ${side === 'users' ? 'user_key' : `if(user_key = '', ${vital}, user_key)`} AS person
     FROM ${VITAL_ROWS} WHERE ${where} AND route IN {routes:Array(String)}
       AND cityHash64(page_id) / 18446744073709551616. < if(affected, {keepAffected:Float64}, {keepOthers:Float64})
     ${limits}`,
    { ...params, routes, keepAffected: MAX_VISITS / affected, keepOthers: MAX_VISITS / others },
  )
  const compared = COMPARED_VITALS.flatMap((name) => {
    const own = rows.filter((row) => row.name === name)
    const found = quantileDifference(
      own.filter((row) => row.affected === 1).map(observationOf),
      own.filter((row) => row.affected === 0).map(observationOf),
    )
    return found ? [{ name, ...found }] : []
  })
  return { affected, compared }
}

/** Visits of the vital that most told, on these routes. */
function mostOf(groups: readonly Group[], routes: readonly string[], affected: 0 | 1): number {
  const asked = new Set(routes)
  const own = groups.filter((group) => group.affected === affected && asked.has(group.route))
  const byName = [...Map.groupBy(own, ({ name }) => name).values()]
  return Math.max(0, ...byName.map((list) => list.reduce((sum, { samples }) => sum + samples, 0)))
}

const observationOf = ({ value, sampleRate, route, device, person }: Row): Observation => ({
  value,
  weight: 1 / sampleRate,
  stratum: `${device} ${route}`,
  cluster: person,
})

type Group = {
  readonly name: VitalName
  readonly affected: 0 | 1
  readonly route: string
  readonly device: string
  readonly samples: number
}
type Row = Omit<Group, 'samples'> & {
  readonly value: number
  readonly sampleRate: number
  readonly person: string
}
