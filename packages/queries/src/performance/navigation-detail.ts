/** One navigation with everything its record says: what a trace, an error and a list of slow ones lead to. */
import type { Grant } from '@sonde/access'
import { NAVIGATION_PHASES, type NavigationPhase } from '@sonde/protocol/navigation'
import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { QueryParams } from '@sonde/stores'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { navigationConditions, type NavigationFilter, SEEN_AFTER_SQL } from './navigation-filter.ts'
import { VITAL_ROWS } from './vital-conditions.ts'

export type NavigationDetail = {
  readonly projectId: number
  readonly projectSlug: string
  readonly navigationId: string
  readonly traceId: string
  readonly atMs: number
  readonly durationMs: number
  /** False: it hung or was left, and nothing has told its end. */
  readonly isFinal: boolean
  readonly fromRoute: string
  readonly toRoute: string
  readonly fromPath: string
  readonly toPath: string
  readonly trigger: string
  readonly outcome: string
  readonly reason: string
  /** Milliseconds until the page was seen; undefined when it was not, or without paint timing. */
  readonly visibleAfterMs: number | undefined
  readonly phases: { readonly [Phase in NavigationPhase]?: number }
  readonly prefetch: string
  readonly cache: string
  readonly cacheAgeMs: number | undefined
  readonly bytes: number | undefined
  readonly requests: number | undefined
  readonly build: string
  readonly router: string
  readonly waitingFor: string
  readonly release: string
  readonly environment: string
  readonly userKey: string
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  readonly connection: string
}

/** Either its id (16 hex), or the trace (32 hex) it belongs to. */
export type NavigationRef = { readonly navigationId: string } | { readonly traceId: string }

/**
 * Undefined when nobody told of it. Of several in one trace (a page without tracing has one trace for all) the last. An
 * id is a range of the ordering key; a trace is found through the bloom filter on it.
 */
export async function navigationOf(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  ref: NavigationRef,
): Promise<NavigationDetail | undefined> {
  const id = ('traceId' in ref ? ref.traceId : ref.navigationId).replaceAll('-', '').toLowerCase()
  const projects = await projectIdsOf(deps, grant)
  if (!('traceId' in ref ? TRACE : SPAN).test(id) || projects.length === 0) return undefined
  const inProjects = 'project_id IN {projects:Array(UInt32)}'
  // The index is not asked together with FINAL: a row that was replaced could bring back one that was not.
  const which =
    'traceId' in ref
      ? `navigation_id IN (SELECT navigation_id FROM navigations WHERE ${inProjects} AND trace_id = {id:String} LIMIT 100)`
      : 'navigation_id = {id:String}'
  const [found] = await readNavigations(deps, `${inProjects} AND ${which} ORDER BY timestamp DESC LIMIT 1`, {
    projects,
    id,
  })
  return found
}

/** `value`: milliseconds; of CLS a score. `element`: a selector, empty when nobody named one. */
export type NavigationVital = { readonly name: VitalName; readonly value: number; readonly element: string }

/**
 * What the browser measured of one navigation, where it takes it for a soft navigation: https://wicg.github.io/soft-navigations/.
 * In the order of `VITAL_NAMES`; a vital lies under the id of its navigation, so it is a range of the ordering key for each.
 */
export async function vitalsOfNavigation(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { projectId }: Grant<'event:read', 'project'>,
  navigationId: string,
): Promise<NavigationVital[]> {
  const found = await telemetry.query<NavigationVital>(
    `SELECT name, value, element FROM ${VITAL_ROWS}
     WHERE project_id = {project:UInt32} AND name IN {names:Array(String)} AND page_id = {id:String}`,
    { project: projectId, names: [...VITAL_NAMES], id: navigationId },
  )
  return found.toSorted((a, b) => VITAL_NAMES.indexOf(a.name) - VITAL_NAMES.indexOf(b.name))
}

export type SlowestNavigationsInput = NavigationFilter & { readonly limit?: number }

const MAX_SLOWEST = 100

/** Those that were shown, the slowest first: samples of what the upper percentiles are made of. */
export async function slowestNavigations(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: SlowestNavigationsInput,
): Promise<NavigationDetail[]> {
  const where = await navigationConditions(deps, grant, input)
  if (where === undefined) return []
  // The few are found by two columns, then read whole. What committed is final: nothing replaces it.
  const rows = Math.min(input.limit ?? 10, MAX_SLOWEST)
  const found = await deps.telemetry.query<{ readonly id: string }>(
    `SELECT navigation_id AS id FROM navigations WHERE ${where.sql} AND outcome = 'committed'
     ORDER BY ${SEEN_AFTER_SQL} DESC, id LIMIT 1 BY id LIMIT {rows:UInt32}`,
    { ...where.params, rows },
  )
  // Ours, and 16 hex: as literals the engine looks them up in the key, as a parameter it goes through all rows.
  const ids = found.map(({ id }) => id).filter((id) => SPAN.test(id))
  if (ids.length === 0) return []
  const slowest = await readNavigations(
    deps,
    `project_id IN {projects:Array(UInt32)} AND navigation_id IN (${ids.map((id) => `'${id}'`).join(', ')})`,
    where.params,
  )
  return slowest.toSorted((a, b) => ids.indexOf(a.navigationId) - ids.indexOf(b.navigationId))
}

const TRACE = /^[0-9a-f]{32}$/
const SPAN = /^[0-9a-f]{16}$/

async function readNavigations(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  where: string,
  params: QueryParams,
): Promise<NavigationDetail[]> {
  const rows = await telemetry.query<Row>(
    `SELECT project_id AS projectId, navigation_id AS navigationId, trace_id AS traceId,
       toUnixTimestamp64Milli(timestamp) AS atMs, duration_ms AS durationMs, is_final AS isFinalBit,
       from_route AS fromRoute, to_route AS toRoute, from_path AS fromPath, to_path AS toPath,
       trigger, outcome, reason, visible_after_ms AS visibleAfterMs,
       ${NAVIGATION_PHASES.map((phase) => `${phase}_ms AS ${phase}`).join(', ')},
       prefetch, cache, cache_age_ms AS cacheAgeMs, bytes, requests, build, router, waiting_for AS waitingFor,
       release, environment, user_key AS userKey, browser, os, device, country, connection
     FROM navigations FINAL WHERE ${where}`,
    params,
  )
  const ids = [...new Set(rows.map(({ projectId }) => projectId))]
  const projects =
    ids.length === 0
      ? []
      : await records.selectFrom('project').select(['id', 'slug']).where('id', 'in', ids).execute()
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  return rows.map((row) => detailOf(row, slugs.get(row.projectId) ?? ''))
}

type Numbers = 'visibleAfterMs' | 'cacheAgeMs' | 'bytes' | 'requests'
type Row = Omit<NavigationDetail, Numbers | 'phases' | 'isFinal' | 'projectSlug'> & {
  readonly isFinalBit: number
} & { readonly [Name in Numbers | NavigationPhase]: number | null }

function detailOf(row: Row, projectSlug: string): NavigationDetail {
  const { isFinalBit, intent, match, data, chunk, commit, paint, settled, ...rest } = row
  const given = { intent, match, data, chunk, commit, paint, settled }
  const phases = NAVIGATION_PHASES.flatMap((phase) => {
    const ms = given[phase]
    return ms === null ? [] : [[phase, ms] as const]
  })
  return {
    ...rest,
    projectSlug,
    isFinal: isFinalBit === 1,
    phases: Object.fromEntries(phases),
    visibleAfterMs: rest.visibleAfterMs ?? undefined,
    cacheAgeMs: rest.cacheAgeMs ?? undefined,
    bytes: rest.bytes ?? undefined,
    requests: rest.requests ?? undefined,
  }
}
