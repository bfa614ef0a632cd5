/** The small chart beside an issue: events per hour of a day, or per day of two weeks. */
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

export type BarPeriod = '24h' | '14d'
export type EventBars = {
  readonly period: BarPeriod
  readonly stepSec: number
  /** Unix seconds of the first bar's begin, a multiple of the step. */
  readonly startSec: number
  /** 24 or 14 numbers; the last bar is the running hour or day. */
  readonly counts: readonly number[]
}

const STEPS: Readonly<Record<BarPeriod, { readonly stepSec: number; readonly bars: number }>> = {
  '24h': { stepSec: 3_600, bars: 24 },
  '14d': { stepSec: 86_400, bars: 14 },
}

/** For at most 100 issues; reads the end of their ranges of `events` (ordering key project, issue, timestamp). */
export async function eventBars(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  issues: readonly Pick<IssueRow, 'id' | 'project'>[],
  period: BarPeriod,
): Promise<(issueId: number) => EventBars> {
  const { stepSec, bars } = STEPS[period]
  const startSec = (Math.floor(clock.nowMs() / 1000 / stepSec) - (bars - 1)) * stepSec
  const rows =
    issues.length === 0
      ? []
      : await telemetry.query<{ issue: number; bar: number; n: number }>(
          `SELECT issue_id AS issue, intDiv(toUnixTimestamp(timestamp) - {start:UInt32}, {step:UInt32}) AS bar,
             count() AS n
           FROM events
           WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)}
             AND timestamp >= {since:DateTime64(3)}
           GROUP BY issue, bar`,
          {
            projects: [...new Set(issues.map((issue) => issue.project.id))],
            issues: issues.map((issue) => issue.id),
            start: startSec,
            step: stepSec,
            since: startSec * 1000,
          },
        )
  const counts = new Map<number, number[]>()
  for (const { issue, bar, n } of rows) {
    const list = counts.get(issue) ?? Array.from({ length: bars }, () => 0)
    // A clock ahead of ours puts an event beyond the last bar.
    if (bar >= 0 && bar < bars) list[bar] = n
    counts.set(issue, list)
  }
  const none = Array.from({ length: bars }, () => 0)
  return (issueId) => ({ period, stepSec, startSec, counts: counts.get(issueId) ?? none })
}
