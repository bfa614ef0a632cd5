/** The errors of one route: issues whose events name the same transaction. */
import type { Grant } from '@sonde/access'
import { EVENT_COUNT, EVENT_USERS } from '@sonde/stores'
import { sql } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'
import { performanceConditions, type PerformanceFilter } from './performance-filter.ts'
import { HAS_FAILED, transactionConditions, type TransactionRef } from './transaction-windows.ts'

/** Traces of one route to open: its slowest transactions. */
export type TransactionSample = {
  readonly traceId: string
  readonly spanId: string
  /** Unix milliseconds. */
  readonly startMs: number
  readonly durationMs: number
  /** Empty when nobody said. */
  readonly status: string
  readonly hasFailed: boolean
  readonly release: string
  readonly browser: string
  readonly userKey: string
}

const MAX_SAMPLES = 50
/** Of one trace that calls the route again and again; the engine would sort all rows to leave such out. */
const PER_TRACE = 4

/** The slowest first, one of each trace. Reads the durations of the route's range, and of few rows the rest. */
export async function slowestTransactions(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { limit = 10, ...filter }: PerformanceFilter & TransactionRef & { readonly limit?: number },
): Promise<readonly TransactionSample[]> {
  const where = await transactionConditions(deps, grant, filter)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<
    Omit<TransactionSample, 'hasFailed'> & { readonly hasFailed: 0 | 1 }
  >(
    `SELECT toString(trace_id) AS traceId, toString(span_id) AS spanId, toUnixTimestamp64Milli(timestamp) AS startMs,
       duration_ms AS durationMs, status, ${HAS_FAILED} AS hasFailed, release, browser, user_key AS userKey
     FROM spans WHERE ${where.sql}
     ORDER BY durationMs DESC, timestamp DESC LIMIT {rows:UInt32}`,
    { ...where.params, rows: PER_TRACE * Math.min(limit, MAX_SAMPLES) },
  )
  const slowest = new Map<string, TransactionSample>()
  for (const row of rows) {
    if (!slowest.has(row.traceId)) slowest.set(row.traceId, { ...row, hasFailed: row.hasFailed === 1 })
  }
  return [...slowest.values()].slice(0, limit)
}

export type TransactionIssue = {
  /** `SHOP-42`. */
  readonly shortId: string
  readonly project: string
  readonly title: string
  readonly level: string
  readonly status: string
  /** Events of the window that name the transaction. */
  readonly events: number
  readonly users: number
  readonly lastSeenMs: number
}

const MAX_ISSUES = 10

/**
 * The most frequent first. Events have release and environment of their own and browser only as a tag: they are narrowed
 * by the first two. Reads two columns of the project's events in the window.
 */
export async function transactionIssues(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { name, fromMs, toMs, release, environment }: PerformanceFilter & { readonly name: string },
): Promise<readonly TransactionIssue[]> {
  const where = await performanceConditions(deps, grant, {
    fromMs,
    toMs,
    ...(release && { release }),
    ...(environment && { environment }),
  })
  if (where === undefined) return []
  const counted = await deps.telemetry.query<Counted>(
    `SELECT issue_id AS id, ${EVENT_COUNT} AS events, ${EVENT_USERS} AS users,
       toUnixTimestamp64Milli(max(timestamp)) AS lastSeenMs
     FROM events WHERE ${where.sql} AND transaction = {name:String}
     GROUP BY id ORDER BY events DESC, id LIMIT ${MAX_ISSUES}`,
    { ...where.params, name },
  )
  if (counted.length === 0) return []
  const issues = await deps.records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.title', 'issue.level', 'issue.status', 'project.slug as project'])
    .select(sql<string>`upper(project.slug) || '-' || issue.short_number`.as('shortId'))
    .where(
      'issue.id',
      'in',
      counted.map(({ id }) => id),
    )
    .execute()
  const byId = new Map(issues.map((issue) => [issue.id, issue]))
  // An issue that was deleted or merged meanwhile still has rows.
  return counted.flatMap(({ id, ...counts }) => {
    const issue = byId.get(id)
    if (!issue) return []
    const { shortId, project, title, level, status } = issue
    return [{ shortId, project, title, level, status, ...counts }]
  })
}

type Counted = Pick<TransactionIssue, 'events' | 'users' | 'lastSeenMs'> & { readonly id: number }
