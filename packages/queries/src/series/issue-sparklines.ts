/** The little charts beside the rows of a list, for any window. */
import type { QueryDeps } from '../query-deps.ts'
import { type EventFilter, eventSearch } from '../search/event-search.ts'
import type { IssueTarget } from './event-series.ts'
import { type BucketWindow, bucketWindow, type WindowInput } from './intervals.ts'

/** The same buckets for each of at most 100 issues, in one read of their ranges. Throws as `eventSeries`. */
export async function issueSparklines(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issues: readonly IssueTarget[],
  input: WindowInput & EventFilter,
): Promise<BucketWindow & { readonly countsOf: (issueId: number) => readonly number[] }> {
  const window = bucketWindow(input)
  const condition = eventSearch(input)
  const rows =
    issues.length === 0
      ? []
      : await telemetry.query<{ issue: number; bucket: number; n: number }>(
          `SELECT issue_id AS issue, intDiv(toUnixTimestamp64Milli(timestamp) - {from:Int64}, {step:Int64}) AS bucket,
             count() AS n
           FROM events
           WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)}
             AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)} AND ${condition.sql}
           GROUP BY issue, bucket`,
          {
            ...condition.params,
            projects: [...new Set(issues.map((issue) => issue.project.id))],
            issues: issues.map((issue) => issue.id),
            from: window.fromMs,
            to: window.toMs,
            step: window.stepMs,
          },
        )
  const none = window.startsMs.map(() => 0)
  const counts = new Map<number, number[]>()
  for (const { issue, bucket, n } of rows) {
    const own = counts.get(issue) ?? [...none]
    own[bucket] = n
    counts.set(issue, own)
  }
  return { ...window, countsOf: (issueId) => counts.get(issueId) ?? none }
}
