/** Everything that is stored of one span, and the vitals that were measured in its trace. */
import type { VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import { type AnyScope, projectIdsOf } from '../scope-projects.ts'

export type SpanDetail = {
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly op: string
  readonly status: string
  readonly origin: string
  readonly durationMs: number
  /** What filters look at: release, environment, browser, …; empty ones are left out. */
  readonly facts: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string | number>>
}

const TRACE = /^[0-9a-f]{32}$/
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
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  { traceId, spanId }: { readonly traceId: string; readonly spanId: string },
): Promise<SpanDetail | undefined> {
  const projects = await projectIdsOf(deps, scope)
  if (!TRACE.test(traceId) || !SPAN.test(spanId) || projects.length === 0) return undefined
  const [row] = await deps.telemetry.query<Row>(
    `SELECT toString(span_id) AS spanId, parent_span_id AS parentSpanId, name, op, status, origin,
       duration_ms AS durationMs, ${FACTS.join(', ')}, strings, numbers
     FROM spans WHERE project_id IN {projects:Array(UInt32)} AND trace_id = {trace:FixedString(32)}
       AND span_id = {span:FixedString(16)} LIMIT 1`,
    { projects, trace: traceId, span: spanId },
  )
  if (!row) return undefined
  const { strings, numbers, spanId: id, parentSpanId, name, op, status, origin, durationMs } = row
  const facts = FACTS.flatMap((fact) => (row[fact] === '' ? [] : [[fact.replace('_', ' '), row[fact]]]))
  return {
    spanId: id,
    parentSpanId,
    name,
    op,
    status,
    origin,
    durationMs,
    facts: Object.fromEntries(facts) as Record<string, string>,
    attributes: { ...strings, ...numbers },
  }
}

type Row = Omit<SpanDetail, 'facts' | 'attributes'> & {
  readonly [Fact in (typeof FACTS)[number]]: string
} & {
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
}

export type TraceVital = { readonly name: VitalName; readonly value: number; readonly route: string }

/** The final ones, by name. */
export async function traceVitals(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  traceId: string,
): Promise<readonly TraceVital[]> {
  const projects = await projectIdsOf(deps, scope)
  if (!TRACE.test(traceId) || projects.length === 0) return []
  return deps.telemetry.query<TraceVital>(
    `SELECT name, value, route FROM vitals FINAL
     WHERE project_id IN {projects:Array(UInt32)} AND trace_id = {trace:FixedString(32)}
     ORDER BY name LIMIT 20`,
    { projects, trace: traceId },
  )
}
