/** Which issue the errors of some traces went to: from a failure that was measured to the error that was reported. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'

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
