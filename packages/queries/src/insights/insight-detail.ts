/** What the page of one group has besides its measures: slowest spans, when it was first seen, issues, what a miss costs. */
import type { Grant } from '@sonde/access'
import { inProjects } from '@sonde/stores'
import { sql } from 'kysely'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { TransactionSample } from '../performance/transaction-issues.ts'
import { HAS_FAILED } from '../performance/transaction-windows.ts'
import type { QueryDeps } from '../query-deps.ts'
import { KIND_SQL } from './insight-measures.ts'
import { insightConditions, type InsightFilter, insightSums } from './insight-rows.ts'

type ProjectGrant = Grant<'event:read', 'org' | 'project'>
type Deps = Pick<QueryDeps, 'records' | 'telemetry'>
type Named = InsightFilter & { readonly name: string }

export type InsightSample = TransactionSample & {
  /** The span's own name, with its values. */
  readonly text: string
  /** Of its transaction. */
  readonly route: string
}

const SAMPLES = 10
/** Of one trace that does it again and again; the engine would sort all rows to leave such out. */
const PER_TRACE = 10

/** The slowest first, one of each trace. */
export async function insightSamples(
  { telemetry, ...deps }: Deps,
  grant: ProjectGrant,
  { name, ...filter }: Named,
): Promise<readonly InsightSample[]> {
  const where = await insightConditions(deps, grant, filter)
  if (where === undefined) return []
  const { key, timed } = KIND_SQL[filter.kind]
  const rows = await telemetry.query<Omit<InsightSample, 'hasFailed'> & { readonly hasFailed: 0 | 1 }>(
    `SELECT toString(trace_id) AS traceId, toString(span_id) AS spanId, toUnixTimestamp64Milli(timestamp) AS startMs,
       duration_ms AS durationMs, status, ${HAS_FAILED} AS hasFailed, release, browser, user_key AS userKey,
       substring(name, 1, 500) AS text, segment_name AS route
     FROM spans WHERE ${where.sql} AND ${key} = {name:String}
     ORDER BY ${timed === '1' ? '' : `${timed} DESC, `}duration_ms DESC, timestamp DESC LIMIT ${PER_TRACE * SAMPLES}`,
    { ...where.params, name },
  )
  const slowest = new Map<string, InsightSample>()
  for (const row of rows)
    if (!slowest.has(row.traceId)) slowest.set(row.traceId, { ...row, hasFailed: row.hasFailed === 1 })
  return [...slowest.values()].slice(0, SAMPLES)
}

export type InsightFirst = {
  /** Unix milliseconds: of everything that is kept. */
  readonly firstMs: number
  readonly lastMs: number
  /** Of the first span that names one; empty: none does. */
  readonly release: string
}

/** Of all time, whatever is narrowed but the environment. From what was summed up, but for the week of `toMs`. */
export async function insightFirst(
  deps: Deps,
  grant: ProjectGrant,
  { name, kind, environment, toMs }: Named,
): Promise<InsightFirst | undefined> {
  const filter = { kind, fromMs: 0, toMs, ...(environment && { environment }) }
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const sums = await insightSums(deps, filter, where, {
    by: {},
    sums: ['sampled', 'first', 'last', 'firstRelease'],
    names: [name],
  })
  const [found] = await deps.telemetry.query<InsightFirst & { readonly n: number }>(
    `SELECT sum(sampled) AS n, toUnixTimestamp64Milli(minIf(first, sampled > 0)) AS firstMs,
       toUnixTimestamp64Milli(max(last)) AS lastMs, argMinIfMerge(firstRelease) AS release
     FROM (${sums.sql})`,
    sums.params,
  )
  if (!found || found.n === 0) return undefined
  const { firstMs, lastMs, release } = found
  return { firstMs, lastMs, release }
}

export type InsightIssue = {
  readonly shortId: string
  readonly project: string
  readonly title: string
  readonly type: string
  readonly status: string
  readonly events: number
  readonly lastSeenMs: number
  /** What it is of: one of the names that were asked for. */
  readonly name: string
}

/** Titles of what detectors find in queries; behind them stands the statement as it is stored here. */
const TITLES = ['N+1 Query: ', 'Slow DB Query: '] as const
const MAX_TITLE = 256
const MAX_ISSUES = 500

/** Issues that detectors found, by statement: at most 500, the newest first. Found by their titles, which hold it. */
export async function queryIssues(
  { records }: Pick<QueryDeps, 'records'>,
  grant: ProjectGrant,
  names: readonly string[],
): Promise<readonly InsightIssue[]> {
  const byTitle = new Map(
    names.flatMap((name) => TITLES.map((title) => [`${title}${name}`.slice(0, MAX_TITLE), name] as const)),
  )
  if (byTitle.size === 0) return []
  const issues = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.title', 'issue.type', 'issue.status', 'project.slug as project'])
    .select(['issue.event_count as events', 'issue.last_seen_ms as lastSeenMs'])
    .select(sql<string>`upper(project.slug) || '-' || issue.short_number`.as('shortId'))
    .where('issue.project_id', 'in', (eb) => eb.selectFrom('project').select('id').where(inProjects(grant)))
    .where('issue.title', 'in', [...byTitle.keys()])
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_ISSUES)
    .execute()
  return issues.map((issue) => ({ ...issue, name: byTitle.get(issue.title) ?? '' }))
}

export type MissCost = {
  /** Milliseconds: 75th percentile of transactions in which a lookup of the key missed, and of those in which none did. */
  readonly missedMs: number
  readonly hitMs: number
  readonly missed: number
  readonly hit: number
}

/** Transactions are looked at by their newest: more of them say the same. */
const MAX_TRANSACTIONS = 20_000

/** What a miss of one key costs: how long transactions take with one and without. Undefined when there is nothing to compare. */
export async function missCost(
  deps: Deps,
  grant: ProjectGrant,
  { name, kind, route, peer, ...filter }: Named,
): Promise<MissCost | undefined> {
  const calls = await insightConditions(deps, grant, { kind, route, peer, ...filter })
  const roots = await performanceConditions(deps, grant, filter satisfies PerformanceFilter)
  if (calls === undefined || roots === undefined) return undefined
  const rows = await deps.telemetry.query<{ missed: 0 | 1; p75: number; n: number }>(
    `SELECT missed, quantile(0.75)(duration_ms) AS p75, count() AS n
     FROM spans INNER JOIN (
       SELECT segment_id AS segment, max(result = 'miss') AS missed FROM spans
       WHERE ${calls.sql} AND ${KIND_SQL[kind].key} = {name:String} AND result != '' AND segment_id != ''
       GROUP BY segment LIMIT ${MAX_TRANSACTIONS}
     ) AS calls ON calls.segment = toString(span_id)
     WHERE ${roots.sql} AND is_segment = 1
       AND segment_name IN (SELECT DISTINCT segment_name FROM spans WHERE ${calls.sql} AND ${KIND_SQL[kind].key} = {name:String})
     GROUP BY missed`,
    { ...roots.params, ...calls.params, name },
  )
  const [hit, miss] = [0, 1].map((missed) => rows.find((row) => row.missed === missed))
  if (!hit || !miss) return undefined
  return { missedMs: miss.p75, hitMs: hit.p75, missed: miss.n, hit: hit.n }
}
