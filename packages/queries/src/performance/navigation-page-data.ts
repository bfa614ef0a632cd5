/** Requests for page data that failed, by endpoint: how often, whether a retry helped, and whether anybody saw it. */
import type { Grant } from '@sonde/access'
import {
  PAGE_DATA_FAILURE_OP,
  PAGE_DATA_FAILURE_PREFIX,
  PAGE_START_ATTRIBUTE,
} from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import { issuesOfTraces, type TraceIssue } from './issues-of-traces.ts'
import type { NavigationFilter } from './navigation-filter.ts'
import { performanceConditions } from './performance-filter.ts'

export type PageDataFailures = {
  /** `GET /api/orders/[id]` */
  readonly endpoint: string
  /** Failures; requests that failed in a row are one. */
  readonly count: number
  /** An error page or boundary was shown for it. */
  readonly seen: number
  /** Older data stayed on the screen instead; told by hooks of query libraries alone. */
  readonly stale: number
  /** A later attempt succeeded in time. */
  readonly recovered: number
  /** Requests that failed, retries included. */
  readonly attempts: number
  /** By HTTP status, and without an answer by `offline` or `network`; the most frequent first. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[]
  /** People, as far as the site tells who they are, and page loads. */
  readonly users: number
  readonly usersWhoSaw: number
  readonly pages: number
  /** Where it happened, the most frequent first; at most three. */
  readonly routes: readonly string[]
  readonly lastMs: number
  /** The latest, of those that were seen if any was. */
  readonly traceId: string
  /** Empty: in no navigation. */
  readonly navigationId: string
  readonly issue: TraceIssue | undefined
}
export type PageDataFailuresInput = NavigationFilter & {
  readonly limit?: number
  /** Only those that happened in this navigation. */
  readonly navigation?: string | undefined
  /** Only this one: `GET /api/orders/[id]`. */
  readonly endpoint?: string | undefined
}

const MAX_ENDPOINTS = 200
const name = (key: string): string => `strings['${PAGE_DATA_FAILURE_PREFIX}${key}']`
const STATUS = `numbers['${PAGE_DATA_FAILURE_PREFIX}status']`
const COUNT = 'sum(1 / sample_rate)'

/** Seen by most first. One range of the ordering key of `spans` per project. `to`: only those on the way to this route. */
export async function pageDataFailures(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: PageDataFailuresInput,
): Promise<PageDataFailures[]> {
  const where = await performanceConditions(deps, grant, input)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT spans.name AS endpoint, ${COUNT} AS count, sumIf(1 / sample_rate, ${name('seen')} = 'true') AS seen,
       sumIf(1 / sample_rate, ${name('stale')} = 'true') AS stale,
       sumIf(1 / sample_rate, ${name('recovered')} = 'true') AS recovered,
       sum(greatest(1, numbers['${PAGE_DATA_FAILURE_PREFIX}attempts']) / sample_rate) AS attempts,
       sumMap(map(if(${STATUS} > 0, toString(toUInt16(${STATUS})), ${name('kind')}), 1 / sample_rate)) AS answers,
       uniqIf(user_key, user_key != '') AS users,
       uniqIf(user_key, user_key != '' AND ${name('seen')} = 'true') AS usersWhoSaw,
       ${PAGES_SQL} AS pages, topKIf(3)(${name('route')}, ${name('route')} != '') AS routes,
       toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3)) AS lastMs,
       argMax((trace_id, ${name('navigation')}, toUnixTimestamp64Milli(toDateTime64(timestamp, 3))), (${name('seen')} = 'true', timestamp)) AS sample
     FROM spans
     WHERE ${where.sql} AND is_segment = 0 AND op = '${PAGE_DATA_FAILURE_OP}'
       ${input.to === undefined ? '' : `AND ${name('route')} = {toRoute:String}`}
       ${input.endpoint === undefined ? '' : 'AND name = {endpoint:String}'}
       ${input.navigation === undefined ? '' : `AND ${name('navigation')} = {navigation:String}`}
     GROUP BY endpoint ORDER BY seen DESC, count DESC, endpoint LIMIT {rows:UInt32}`,
    {
      ...where.params,
      toRoute: input.to ?? '',
      navigation: input.navigation ?? '',
      endpoint: input.endpoint ?? '',
      rows: Math.min(input.limit ?? 50, MAX_ENDPOINTS),
    },
  )
  const samples = rows.map(({ sample: [traceId, , atMs] }) => ({ traceId, atMs }))
  const issues = await issuesOfTraces(deps, grant, samples)
  return rows.map(({ sample: [traceId, navigationId], answers, ...row }) => ({
    ...row,
    count: Math.round(row.count),
    seen: Math.round(row.seen),
    stale: Math.round(row.stale),
    recovered: Math.round(row.recovered),
    attempts: Math.round(row.attempts),
    answers: Object.entries(answers)
      .map(([answer, count]) => ({ answer, count: Math.round(count) }))
      .toSorted((a, b) => b.count - a.count || a.answer.localeCompare(b.answer)),
    traceId,
    navigationId,
    issue: issues.get(traceId),
  }))
}

/** Page loads that told something: by when they began; reporters that do not tell have a trace for each navigation. */
export const PAGES_SQL = `uniq(if(numbers['${PAGE_START_ATTRIBUTE}'] > 0, toString(numbers['${PAGE_START_ATTRIBUTE}']), trace_id))`

type Row = Omit<PageDataFailures, 'answers' | 'traceId' | 'navigationId' | 'issue'> & {
  readonly answers: Readonly<Record<string, number>>
  readonly sample: readonly [traceId: string, navigationId: string, atMs: number]
}
