/** How many requests of a server were fetches ahead: by the headers that browsers and Next.js send with them. */
import type { Grant } from '@sonde/access'
import { NEXT_PREFETCH_HEADERS, PREFETCH_ATTRIBUTE, PURPOSE_HEADERS } from '@sonde/protocol/prefetch-headers'
import type { QueryDeps } from '../query-deps.ts'
import { performanceConditions, type PerformanceFilter } from './performance-filter.ts'

export type OriginPrefetches = {
  /** Of servers of the project, counted up from what was sampled. */
  readonly requests: number
  readonly prefetches: number
  /** Those with the most first; at most five. */
  readonly routes: readonly {
    readonly route: string
    readonly requests: number
    readonly prefetches: number
  }[]
}

/** OpenTelemetry keeps the dashes of a header's name, the Sentry SDKs write underscores. */
const header = (name: string): string =>
  `lower(concat(strings['http.request.header.${name}'], strings['http.request.header.${name.replaceAll('-', '_')}']))`
/** Of a server's root span. */
export const IS_PREFETCH_SQL = `(${[
  ...PURPOSE_HEADERS.map((name) => `position(${header(name)}, 'prefetch') > 0`),
  ...NEXT_PREFETCH_HEADERS.map((name) => `${header(name)} != ''`),
  `strings['${PREFETCH_ATTRIBUTE}'] = 'true'`,
].join(' OR ')})`
/** Requests as their servers saw them. */
export const SERVER_REQUEST_SQL = "is_segment = 1 AND op = 'http.server'"
const MAX_ROUTES = 5

/** Undefined: no server of the project reports requests with their headers. One range of the ordering key of `spans`. */
export async function originPrefetches(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { fromMs, toMs, environment, release }: PerformanceFilter,
): Promise<OriginPrefetches | undefined> {
  const where = await performanceConditions(deps, grant, {
    fromMs,
    toMs,
    ...(environment && { environment }),
    ...(release && { release }),
  })
  if (where === undefined) return undefined
  const [row] = await deps.telemetry.query<OriginPrefetches>(
    `SELECT sum(n) AS requests, sum(ahead) AS prefetches,
       arraySlice(arrayReverseSort(each -> each.3, groupArrayIf((route, n, ahead), ahead > 0)), 1, ${MAX_ROUTES}) AS routes
     FROM (
       SELECT segment_name AS route, round(sum(1 / sample_rate)) AS n,
         round(sumIf(1 / sample_rate, ${IS_PREFETCH_SQL})) AS ahead
       FROM spans WHERE ${where.sql} AND ${SERVER_REQUEST_SQL} GROUP BY route
     )`,
    where.params,
  )
  if (!row || row.prefetches === 0) return undefined
  const routes = row.routes as unknown as readonly (readonly [string, number, number])[]
  return {
    requests: row.requests,
    prefetches: row.prefetches,
    routes: routes.map(([route, requests, prefetches]) => ({ route, requests, prefetches })),
  }
}
