/** What was measured while a trace ran: web vitals of its pages, and the navigations in which it happened. */
import type { Grant } from '@sonde/access'
import { NAVIGATION_PHASES, type NavigationPhase } from '@sonde/protocol/navigation'
import type { VitalName } from '@sonde/protocol/web-vitals'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { OF_TRACE, traceIdOf } from './trace.ts'

/** Which spans of a trace say a text somewhere: name, op, status, or an attribute's name or value. */
export type FoundSpans = {
  /** Ids by start, at most 10,000. */
  readonly spanIds: readonly string[]
  readonly isCut: boolean
}

const MAX_FOUND = 10_000
const MAX_TEXT = 200
const KEY_VALUE = /^([\w.\-/]+)[:=](.+)$/

/**
 * `key:value` looks for attributes of that name whose value has the text, anything else for the text anywhere. Letters
 * are the same in upper and lower case. Nothing is found for an empty text.
 */
export async function findSpans(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, text }: { readonly traceId: string; readonly text: string },
): Promise<FoundSpans> {
  const trace = traceIdOf(traceId)
  const projects = await projectIdsOf(deps, grant)
  const wanted = text.trim().slice(0, MAX_TEXT)
  if (trace === undefined || projects.length === 0 || wanted === '') return { spanIds: [], isCut: false }
  const [, key = '', value = ''] = KEY_VALUE.exec(wanted) ?? []
  const has = (expression: string, param = 'text'): string =>
    `positionCaseInsensitiveUTF8(${expression}, {${param}:String}) > 0`
  const rows = await deps.telemetry.query<{ readonly spanId: string }>(
    `SELECT toString(span_id) AS spanId FROM spans
     WHERE ${OF_TRACE} AND (
       ${['name', 'op', 'status', 'segment_name', 'origin'].map((column) => has(column)).join(' OR ')}
       OR arrayExists((k, v) -> ${has('k')} OR ${has('v')}, mapKeys(strings), mapValues(strings))
       OR arrayExists((k, v) -> ${has('k')} OR toString(v) = {text:String}, mapKeys(numbers), mapValues(numbers))
       OR ({key:String} != '' AND (${has('strings[{key:String}]', 'value')}
         OR (mapContains(numbers, {key:String}) AND toString(numbers[{key:String}]) = {value:String})))
     )
     ORDER BY timestamp, span_id LIMIT ${MAX_FOUND + 1}`,
    { projects, trace, text: wanted, key, value },
  )
  return {
    spanIds: rows.slice(0, MAX_FOUND).map(({ spanId }) => spanId),
    isCut: rows.length > MAX_FOUND,
  }
}

export type TraceVital = {
  readonly projectId: number
  readonly name: VitalName
  /** Milliseconds; CLS has no unit. */
  readonly value: number
  readonly route: string
  /** Id of the page load's or soft navigation's span, of the trace when nobody said. */
  readonly pageId: string
  readonly spanId: string
  /** Start of the span that told it. */
  readonly atMs: number
  /** Selector of what was painted, shifted or pressed. */
  readonly element: string
}

/** The final ones: of several values of one page the last. At most 40. */
export async function traceVitals(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  traceId: string,
): Promise<readonly TraceVital[]> {
  const trace = traceIdOf(traceId)
  const projects = await projectIdsOf(deps, grant)
  if (trace === undefined || projects.length === 0) return []
  return deps.telemetry.query<TraceVital>(
    `SELECT project_id AS projectId, name, value, route, page_id AS pageId, toString(span_id) AS spanId, element,
       toUnixTimestamp64Milli(timestamp) AS atMs
     FROM vitals FINAL WHERE ${OF_TRACE}
     ORDER BY atMs, name LIMIT 40`,
    { projects, trace },
  )
}

export type TraceNavigation = {
  readonly projectId: number
  readonly navigationId: string
  readonly atMs: number
  readonly durationMs: number
  readonly from: string
  readonly to: string
  readonly trigger: string
  readonly outcome: string
  readonly reason: string
  /** Milliseconds until the new page was seen; null when it was not. */
  readonly visibleAfterMs: number | null
  readonly phases: { readonly [Phase in NavigationPhase]?: number }
  readonly prefetch: string
  readonly cache: string
}

/** By time, at most 20; how one ended counts, not that it hung before. */
export async function traceNavigations(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  traceId: string,
): Promise<readonly TraceNavigation[]> {
  const trace = traceIdOf(traceId)
  const projects = await projectIdsOf(deps, grant)
  if (trace === undefined || projects.length === 0) return []
  const rows = await deps.telemetry.query<
    Omit<TraceNavigation, 'phases'> & { readonly lengths: readonly (number | null)[] }
  >(
    `SELECT project_id AS projectId, toString(navigation_id) AS navigationId, toUnixTimestamp64Milli(timestamp) AS atMs,
       duration_ms AS durationMs, if(from_route = '', from_path, from_route) AS from,
       if(to_route = '', to_path, to_route) AS to, trigger, outcome, reason, visible_after_ms AS visibleAfterMs,
       prefetch, cache, [${NAVIGATION_PHASES.map((phase) => `${phase}_ms`).join(', ')}] AS lengths
     FROM navigations FINAL WHERE ${OF_TRACE}
     ORDER BY atMs, navigationId LIMIT 20`,
    { projects, trace },
  )
  return rows.map(({ lengths, ...row }) => ({
    ...row,
    phases: Object.fromEntries(
      NAVIGATION_PHASES.flatMap((phase, at) => (lengths[at] ? [[phase, lengths[at]] as const] : [])),
    ),
  }))
}
