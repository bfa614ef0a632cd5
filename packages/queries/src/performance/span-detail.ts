/** Everything that is stored of one span. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'
import { resolveScripts } from '../scripts/resolve-scripts.ts'
import { positionOfSpan } from '../scripts/script-position.ts'
import { placeOf, type SourcePlace, type Unreadable, unreadableOf } from '../scripts/source-place.ts'
import { OF_TRACE, traceIdOf } from './trace-extent.ts'

export type SpanDetail = {
  readonly projectId: number
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly op: string
  readonly status: string
  readonly origin: string
  /** Unix milliseconds as the sender's clock had it. */
  readonly startMs: number
  readonly durationMs: number
  readonly isSegment: boolean
  /** Name of the root that it belongs to. */
  readonly segmentName: string
  /** What filters look at: release, environment, browser, …; empty ones are left out. */
  readonly facts: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string | number>>
  /** Of a span that names a place in a script: where it was written. */
  readonly place: SourcePlace | undefined
  /** Why that is not known; undefined where it is, and where no place was named. */
  readonly unreadable: Unreadable | undefined
}

const SPAN = /^[0-9a-f]{16}$/
const FACTS = [
  'release',
  'environment',
  'platform',
  'browser',
  'os',
  'device',
  'country',
  'connection',
  'user_key',
  'sdk_name',
  'sdk_version',
] as const

/** Undefined when it is not there. Reads the granules that the trace's bloom filter names. */
export async function spanDetail(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, spanId }: { readonly traceId: string; readonly spanId: string },
): Promise<SpanDetail | undefined> {
  const projects = await projectIdsOf(deps, grant)
  const trace = traceIdOf(traceId)
  if (trace === undefined || !SPAN.test(spanId) || projects.length === 0) return undefined
  const [row] = await deps.telemetry.query<Row>(
    `SELECT project_id AS projectId, toString(span_id) AS spanId, parent_span_id AS parentSpanId, name, op, status,
       origin, toUnixTimestamp64Micro(timestamp) / 1000 AS startMs, duration_ms AS durationMs, is_segment AS isSegment,
       segment_name AS segmentName, ${FACTS.join(', ')}, strings, numbers
     FROM spans WHERE ${OF_TRACE} AND span_id = {span:FixedString(16)} ORDER BY timestamp LIMIT 1`,
    { projects, trace, span: spanId },
  )
  if (!row) return undefined
  const { strings, numbers, isSegment, ...rest } = row
  const facts = FACTS.flatMap((fact) => (row[fact] === '' ? [] : [[fact.replace('_', ' '), row[fact]]]))
  const {
    projectId,
    spanId: id,
    parentSpanId,
    name,
    op,
    status,
    origin,
    startMs,
    durationMs,
    segmentName,
  } = rest
  const attributes = { ...strings, ...numbers }
  const position = positionOfSpan({ projectId, release: row.release }, attributes)
  const [answer] = await resolveScripts(deps, [position])
  return {
    projectId,
    spanId: id,
    parentSpanId,
    name,
    op,
    status,
    origin,
    startMs,
    durationMs,
    isSegment: isSegment === 1,
    segmentName,
    facts: Object.fromEntries(facts) as Record<string, string>,
    attributes,
    place: placeOf(answer),
    unreadable: unreadableOf(answer, row.release),
  }
}

type Row = Omit<SpanDetail, 'facts' | 'attributes' | 'isSegment' | 'place' | 'unreadable'> & {
  readonly isSegment: number
} & {
  readonly [Fact in (typeof FACTS)[number]]: string
} & {
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
}
