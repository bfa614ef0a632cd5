/** Which issue the errors of some traces went to: from a failure that was measured to the error that was reported. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import type { TraceExtent } from './trace.ts'

/** The errors that happened in a trace, by time. */
export type TraceError = {
  readonly projectId: number
  readonly issueId: number
  readonly eventId: string
  readonly timestampMs: number
  readonly spanId: string
  readonly level: string
  readonly title: string
}

const MAX_ERRORS = 500
/** Errors are looked for around the spans: without times the whole table would be read. */
const ERRORS_AROUND_MS = 3_600_000
const WITHOUT_SPANS_MS = 30 * 86_400_000

/** At most 500. `extent`: of the trace's spans; without any, the last 30 days are looked through. */
export function traceErrors(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  projects: readonly number[],
  trace: string,
  { count, beginMs, endMs }: TraceExtent,
): Promise<TraceError[]> {
  const nowMs = clock.nowMs()
  const from = count > 0 ? beginMs - ERRORS_AROUND_MS : nowMs - WITHOUT_SPANS_MS
  const to = (count > 0 ? endMs : nowMs) + ERRORS_AROUND_MS
  return telemetry.query<TraceError>(
    `SELECT project_id AS projectId, issue_id AS issueId, toString(event_id) AS eventId, span_id AS spanId, level, title,
       toUnixTimestamp64Milli(timestamp) AS timestampMs
     FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {from:DateTime64(3)}
       AND timestamp < {to:DateTime64(3)} AND trace_id = {trace:String}
     ORDER BY timestampMs LIMIT ${MAX_ERRORS}`,
    { projects, trace, from: Math.max(0, from), to },
  )
}

export type TraceIssue = {
  readonly id: number
  readonly projectSlug: string
  readonly title: string
}

/** An error is reported with the failure or a retry later; clocks of page and server may differ by a little. */
const AROUND_MS = 5 * 60_000

/**
 * The issue with the most errors of each trace, of those whose exception matches `pattern` (RE2) when one is given. Looks
 * only around the times given: errors have no index on traces.
 */
export async function issuesOfTraces(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  samples: readonly { readonly traceId: string; readonly atMs: number }[],
  pattern = '',
): Promise<ReadonlyMap<string, TraceIssue>> {
  if (samples.length === 0) return new Map()
  const projects = await projectIdsOf({ records }, grant)
  const times = samples.map(({ atMs }) => atMs)
  const rows = await telemetry.query<{ traceId: string; issueId: number }>(
    `SELECT trace_id AS traceId, issue_id AS issueId FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
       AND trace_id IN {traces:Array(String)} AND issue_id > 0 AND match(exception_value, {pattern:String})
     GROUP BY traceId, issueId ORDER BY count(), issueId DESC`,
    {
      projects,
      from: Math.max(0, Math.min(...times) - AROUND_MS),
      to: Math.max(...times) + AROUND_MS,
      traces: [...new Set(samples.map(({ traceId }) => traceId))],
      pattern,
    },
  )
  if (rows.length === 0) return new Map()
  const issues = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.title', 'project.slug as projectSlug'])
    .where('issue.id', 'in', [...new Set(rows.map(({ issueId }) => issueId))])
    .execute()
  const byId = new Map(issues.map((issue) => [issue.id, issue]))
  // The last one of a trace stays: the most frequent.
  return new Map(
    rows.flatMap(({ traceId, issueId }) => {
      const issue = byId.get(issueId)
      return issue === undefined ? [] : [[traceId, issue] as const]
    }),
  )
}
