/** Which spans of a trace say a text somewhere: name, op, status, or an attribute's name or value. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'
import { OF_TRACE, traceIdOf } from './trace-extent.ts'

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
