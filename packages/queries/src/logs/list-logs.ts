/** Lines of logs, the newest first, and how many there were by severity over time. */
import type { Grant } from '@sonde/access'
import { boundedQuery, createBind } from '../explore/bounded-query.ts'
import { spanConditions } from '../explore/span-conditions.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { SearchError } from '../search/search-term.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import { FEWER_LINES, ID_SQL, LOG_SEARCH, PLACE } from './log-fields.ts'

export type LogsInput = PerformanceFilter & {
  /** As typed: `severity:error release:1.2 "connection refused"`. */
  readonly query?: string | undefined
}

export type LogLine = {
  /** Names the line, and the place behind it: a cursor. */
  readonly id: string
  readonly projectId: number
  /** Unix milliseconds with a fraction. */
  readonly atMs: number
  readonly severity: string
  readonly severityNumber: number
  readonly body: string
  /** Empty: none. */
  readonly traceId: string
  readonly spanId: string
  readonly release: string
  readonly environment: string
  readonly user: string
  readonly sdk: string
  readonly attributes: Readonly<Record<string, string | number>>
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

const MAX_LINES = 1_000
const ORDER = ['timestamp', ...PLACE] as const

export type LogPage = { readonly lines: readonly LogLine[]; readonly hasMore: boolean }
export type LogPageInput = LogsInput & {
  /** Lines older than the one with this id. */
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

/** Throws `SearchError` and `ExploreError`. Reads the end of the project's range of the key, backwards. */
export async function listLogs(deps: Deps, grant: ReadGrant, input: LogPageInput): Promise<LogPage> {
  const { bind, params } = createBind('l')
  const where = await logConditions(deps, grant, input, bind)
  if (where === undefined) return { lines: [], hasMore: false }
  const limit = Math.min(MAX_LINES, Math.max(1, input.limit ?? 100))
  const behind = input.before === undefined ? '' : `AND ${olderThan(input.before, bind)}`
  const rows = await boundedQuery<Omit<LogLine, 'attributes'> & Maps>(
    deps,
    `SELECT ${ID_SQL} AS id,
       project_id AS projectId, toUnixTimestamp64Micro(timestamp) / 1000 AS atMs, severity,
       severity_number AS severityNumber, body, trace_id AS traceId, span_id AS spanId, release, environment,
       user_key AS user, if(sdk_version = '', sdk_name, concat(sdk_name, ' ', sdk_version)) AS sdk,
       strings, numbers
     FROM logs WHERE ${where.sql} ${behind}
     ORDER BY ${ORDER.map((column) => `${column} DESC`).join(', ')} LIMIT {limit:UInt32}`,
    { ...where.params, ...params, limit: limit + 1 },
    FEWER_LINES,
  )
  return {
    lines: rows
      .slice(0, limit)
      .map(({ strings, numbers, ...line }) => ({ ...line, attributes: { ...strings, ...numbers } })),
    hasMore: rows.length > limit,
  }
}

type Maps = {
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
}
type BindValue = ReturnType<typeof createBind>['bind']

/** The first comparison is by the key; the second tells lines of one time apart. */
function olderThan(id: string, bind: BindValue): string {
  const parts = /^\d{1,16}(?:-\d{1,16}){5}$/.test(id) ? id.split('-').map(Number) : []
  const [micros = 0, ...rest] = parts
  if (parts.length !== ORDER.length) throw new SearchError('the cursor names no line', 0)
  const at = `fromUnixTimestamp64Micro(${bind(micros, 'Int64')}, 'UTC')`
  const own = [at, ...rest.map((part) => bind(part, 'UInt64'))]
  return `timestamp <= ${at} AND (${ORDER.join(', ')}) < (${own.join(', ')})`
}

async function logConditions(deps: Deps, grant: ReadGrant, input: LogsInput, bind: BindValue) {
  const where = await performanceConditions(deps, grant, input)
  const search = await spanConditions(deps, grant, input.query ?? '', bind, LOG_SEARCH)
  if (where === undefined) return undefined
  // Of one project the key is in the order that is asked for: then the engine stops at the last line of the page.
  const project = 'projectId' in grant ? `project_id = ${bind(grant.projectId, 'UInt32')} AND ` : ''
  return { sql: `${project}${where.sql} AND ${search}`, params: where.params }
}

/** In the order in which they are stacked; `other` are words of the sender's own. */
const SEVERITIES = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'other'] as const
export type Severity = (typeof SEVERITIES)[number]

export type LogSeries = Pick<BucketWindow, 'fromMs' | 'toMs' | 'stepMs'> & {
  readonly counts: readonly number[]
  readonly total: number
  readonly bySeverity: Readonly<Record<Severity, readonly number[]>>
}

const BUCKETS = 60

/** Throws `SearchError` and `ExploreError`. Without a search it reads times and severities alone. */
export async function logSeries(deps: Deps, grant: ReadGrant, input: LogsInput): Promise<LogSeries> {
  const window = bucketWindow({ fromMs: input.fromMs, toMs: input.toMs, buckets: BUCKETS })
  const { fromMs, toMs, stepMs, startsMs } = window
  const { bind, params } = createBind('l')
  const where = await logConditions(deps, grant, input, bind)
  const words = bind(SEVERITIES.slice(0, -1), 'Array(String)')
  const rows =
    where === undefined
      ? []
      : await boundedQuery<{ bucket: number; word: Severity; n: number }>(
          deps,
          `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {first:Int64}, {step:Int64}) AS bucket,
             if(has(${words}, severity), toString(severity), 'other') AS word, count() AS n
           FROM logs WHERE ${where.sql} GROUP BY bucket, word`,
          { ...where.params, ...params, first: fromMs, step: stepMs },
          FEWER_LINES,
        )
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((word) => [word, startsMs.map(() => 0)]),
  ) as unknown as Record<Severity, number[]>
  const counts = startsMs.map(() => 0)
  for (const { bucket, word, n } of rows) {
    if (!(bucket in counts)) continue
    counts[bucket] = (counts[bucket] ?? 0) + n
    bySeverity[word][bucket] = n
  }
  return { fromMs, toMs, stepMs, counts, total: counts.reduce((sum, n) => sum + n, 0), bySeverity }
}

/** So many of the newest lines tell which kinds there are. */
const PATTERN_LINES = 5_000

/** Bodies and templates of the newest lines that match; `isWhole`: there are no more than these. */
export async function recentBodies(
  deps: Deps,
  grant: ReadGrant,
  input: LogsInput,
): Promise<{ readonly bodies: readonly BodyOf[]; readonly isWhole: boolean }> {
  const { bind, params } = createBind('l')
  const where = await logConditions(deps, grant, input, bind)
  if (where === undefined) return { bodies: [], isWhole: true }
  const bodies = await boundedQuery<BodyOf>(
    deps,
    `SELECT substringUTF8(body, 1, 1000) AS body, severity, strings['sentry.message.template'] AS template
     FROM logs WHERE ${where.sql} ORDER BY timestamp DESC LIMIT ${PATTERN_LINES}`,
    { ...where.params, ...params },
    FEWER_LINES,
  )
  return { bodies, isWhole: bodies.length < PATTERN_LINES }
}
export type BodyOf = { readonly body: string; readonly severity: string; readonly template: string }
