/** How many requests of a server were fetches ahead: by the headers that browsers and Next.js send with them. */
import type { Grant } from '@sonde/access'
import {
  NEXT_PREFETCH_HEADERS,
  NODE_PREFETCH_ATTRIBUTE,
  PREFETCH_ATTRIBUTE,
  PURPOSE_HEADERS,
} from '@sonde/protocol/prefetch-headers'
import type { QueryDeps } from '../query-deps.ts'
import { performanceConditions, type PerformanceFilter } from './performance-filter.ts'

export type OriginPrefetches = {
  /** Of servers of the project, counted up from what was sampled. */
  readonly requests: number
  readonly prefetches: number
  /** Those with the most first; at most 200. */
  readonly routes: readonly {
    readonly route: string
    readonly requests: number
    readonly prefetches: number
  }[]
  /** Slugs of other projects whose servers were counted, as pages of this one asked them. */
  readonly others: readonly string[]
}

/** OpenTelemetry keeps the dashes of a header's name, the Sentry SDKs write underscores. */
const header = (name: string): string =>
  `lower(concat(strings['http.request.header.${name}'], strings['http.request.header.${name.replaceAll('-', '_')}']))`
/** Of a server's root span. */
export const IS_PREFETCH_SQL = `(${[
  ...PURPOSE_HEADERS.map((name) => `position(${header(name)}, 'prefetch') > 0`),
  ...NEXT_PREFETCH_HEADERS.map((name) => `${header(name)} != ''`),
  ...[PREFETCH_ATTRIBUTE, NODE_PREFETCH_ATTRIBUTE].map((name) => `strings['${name}'] = 'true'`),
].join(' OR ')})`
/** Requests as their servers saw them. */
export const SERVER_REQUEST_SQL = "is_segment = 1 AND op = 'http.server'"
const MAX_ROUTES = 200
const MAX_OTHERS = 20
/** Traces of pages that are looked for at other projects' servers: which those are shows after few. */
const MAX_TRACES = 10_000

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

/**
 * Undefined: no server reports requests that were prefetches. `seen`: what else the reader may see; servers in other projects of it
 * are counted where they were asked in traces of this project's pages. One range of the ordering key of `spans` for each project.
 */
export async function originPrefetches(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  { fromMs, toMs, environment, release }: PerformanceFilter,
  seen?: Grant<'event:read', 'org'>,
): Promise<OriginPrefetches | undefined> {
  const filter = { fromMs, toMs, ...(environment && { environment }), ...(release && { release }) }
  const [own, others] = await Promise.all([
    performanceConditions(deps, grant, filter),
    seen ? serversOf(deps, grant, filter, seen) : [],
  ])
  if (own === undefined) return undefined
  const projects = [grant.projectId, ...others.map(({ id }) => id)]
  const [row] = await deps.telemetry.query<OriginPrefetches>(
    `SELECT sum(n) AS requests, sum(ahead) AS prefetches,
       arraySlice(arrayReverseSort(each -> each.3, groupArrayIf((route, n, ahead), ahead > 0)), 1, ${MAX_ROUTES}) AS routes
     FROM (
       SELECT segment_name AS route, round(sum(1 / sample_rate)) AS n,
         round(sumIf(1 / sample_rate, ${IS_PREFETCH_SQL})) AS ahead
       FROM spans WHERE ${own.sql} AND ${SERVER_REQUEST_SQL} GROUP BY route
     )`,
    { ...own.params, projects },
  )
  if (!row || row.prefetches === 0) return undefined
  const routes = row.routes as unknown as readonly (readonly [string, number, number])[]
  return {
    requests: row.requests,
    prefetches: row.prefetches,
    routes: routes.map(([route, requests, prefetches]) => ({ route, requests, prefetches })),
    others: others.map(({ slug }) => slug),
  }
}

/** Other projects with a server's span in a trace that a page of this one began. */
async function serversOf(
  deps: Deps,
  { projectId }: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
  seen: Grant<'event:read', 'org'>,
): Promise<readonly { readonly id: number; readonly slug: string }[]> {
  const where = await performanceConditions(deps, seen, filter)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<{ readonly id: number }>(
    `SELECT DISTINCT project_id AS id FROM spans
     WHERE ${where.sql} AND project_id != {page:UInt32} AND ${SERVER_REQUEST_SQL} AND trace_id IN (
       SELECT DISTINCT trace_id FROM spans WHERE ${where.sql} AND project_id = {page:UInt32} AND is_segment = 1
         AND op IN ('pageload', 'navigation') LIMIT ${MAX_TRACES})
     ORDER BY id LIMIT ${MAX_OTHERS}`,
    { ...where.params, page: projectId },
  )
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  return deps.records
    .selectFrom('project')
    .select(['id', 'slug'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}
