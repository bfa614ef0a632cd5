/**
 * Were those who had an error slower than those who had not? Vitals of both, on the same routes and kinds of devices, with
 * an interval of the difference: docs/decisions/0009-vitals-of-users-with-an-error.md.
 */
import type { VitalName } from '@sonde/protocol/web-vitals'
import { type IssueVitalSide, MIN_COMPARED_VISITS } from '../contract.ts'
import type { IssueRow } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import { sinceWeek } from '../weeks.ts'
import { dayText } from './performance-filter.ts'
import { type Observation, type QuantileDifference, quantileDifference } from './quantile-difference.ts'
import { visitSample, VITAL_ROWS } from './vital-conditions.ts'

/** Who is compared: people who ever had it in the time, or the page loads and navigations in which it happened. */
/** Those that say how a page felt; the others explain LCP. */
const COMPARED_VITALS = ['lcp', 'inp', 'cls'] as const satisfies readonly VitalName[]

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
/** Of the others, among whom those on the same routes are looked for. */
const MAX_OTHERS_READ = 30_000
const MAX_SEC = 5

/**
 * While the issue lived, at most the last 14 days of it: before and after, others would be compared with a page of
 * another release. For each side one pass over the three vitals of the project and, when there
 * are enough, one over a part of them; each gives up after five seconds (`unavailable`).
 */
export async function issueVitals(
  deps: Pick<QueryDeps, 'telemetry'>,
  issue: Issue,
  { environments = [], ...requested }: IssueVitalsInput = {},
): Promise<IssueVitals> {
  const window = windowOf(issue, requested)
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

function windowOf({ firstSeenMs, lastSeenMs }: Issue, requested: Partial<IssueVitalsInput>): Window {
  const lastMs = Math.min(lastSeenMs, requested.toMs ?? Infinity)
  const toMs = (Math.floor(lastMs / HOUR_MS) + 1) * HOUR_MS
  const firstMs = Math.max(firstSeenMs, requested.fromMs ?? 0, toMs - MAX_SPAN_MS)
  return { fromMs: Math.min(Math.floor(firstMs / HOUR_MS) * HOUR_MS, toMs - HOUR_MS), toMs }
}

/** What tells that a visit is of somebody with the error: the column of vitals, and what is the same of events. */
const KEYS: Readonly<Record<IssueVitalSide, { readonly vital: string; readonly event: string }>> = {
  users: { vital: 'user_key', event: "SELECT DISTINCT user_key FROM events WHERE user_key != ''" },
  // As the column is, so that its filter can leave out what holds none of them.
  visits: {
    vital: 'trace_id',
    event: 'SELECT DISTINCT toFixedString(trace_id, 32) FROM events WHERE length(trace_id) = 32',
  },
}
/** Who visits of nobody known are: each trace somebody. */
const PERSON: Readonly<Record<IssueVitalSide, string>> = {
  users: 'user_key',
  visits: "if(user_key = '', toString(trace_id), user_key)",
}

async function compare(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issue: Issue,
  { fromMs, toMs, environments }: Window & { readonly environments: readonly string[] },
  side: IssueVitalSide,
) {
  const { vital, event } = KEYS[side]
  const params = {
    project: issue.project.id,
    issue: issue.id,
    from: fromMs,
    to: toMs,
    weekFrom: dayText(Math.max(0, fromMs - 60_000)),
    names: COMPARED_VITALS,
    environments,
    rows: MAX_VISITS,
  }
  const when = `timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
    ${environments.length > 0 ? 'AND environment IN {environments:Array(String)}' : ''}`
  const affectedKeys = `(${event} AND project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND ${when}
    LIMIT ${MAX_AFFECTED})`
  const where = `project_id = {project:UInt32} AND name IN {names:Array(String)} AND ${vital} != ''
    AND ${sinceWeek('toMonday({weekFrom:Date})')} AND ${when}`
  // By the hash of the page: the same visits each time, and all vitals of a visit or none.
  const visitsWhere = (condition: string, more = ''): string =>
    `SELECT name, value, sample_rate AS sampleRate, route, device, ${PERSON[side]} AS person ${more}
     FROM ${VITAL_ROWS} WHERE ${where} AND ${condition}
     ORDER BY cityHash64(page_id) LIMIT {rows:UInt32} BY name SETTINGS max_execution_time = ${MAX_SEC}`

  const affected = await telemetry.query<Row & { readonly found: number }>(
    visitsWhere(`${vital} IN ${affectedKeys}`, ', count() OVER (PARTITION BY name) AS found'),
    params,
  )
  const affectedVisits = Math.max(0, ...affected.map(({ found }) => found))
  if (affectedVisits < MIN_COMPARED_VISITS) return { affected: affectedVisits, compared: [] }
  const [most] = await telemetry.query<{ readonly visits: number }>(
    `SELECT count() AS visits FROM vitals WHERE ${where} GROUP BY name ORDER BY visits DESC LIMIT 1`,
    params,
  )
  const { sql: sampled } = visitSample(most?.visits, MAX_OTHERS_READ)
  const others = await telemetry.query<Row>(
    visitsWhere(`${vital} NOT IN ${affectedKeys} AND route IN {routes:Array(String)} ${sampled}`),
    { ...params, routes: [...new Set(affected.map(({ route }) => route))] },
  )
  const compared = COMPARED_VITALS.flatMap((name) => {
    const [first, second] = [affected, others].map((rows) =>
      rows.filter((row) => row.name === name).map(observationOf),
    )
    const found = quantileDifference(first ?? [], second ?? [])
    return found ? [{ name, ...found }] : []
  })
  return { affected: affectedVisits, compared }
}

const observationOf = ({ value, sampleRate, route, device, person }: Row): Observation => ({
  value,
  weight: 1 / sampleRate,
  stratum: `${device} ${route}`,
  cluster: person,
})

type Row = {
  readonly name: VitalName
  readonly value: number
  readonly sampleRate: number
  readonly route: string
  readonly device: string
  readonly person: string
}
