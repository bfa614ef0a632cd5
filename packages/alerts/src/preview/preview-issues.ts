/** When an issue rule would have fired: what changed about issues in the last days, and how busy they were. */
import type { Grant } from '@sonde/access'
import {
  busyIssueSteps,
  issueAssignees,
  issuesNamed,
  type NamedIssue,
  type PastChange,
  pastIssueChanges,
  type QueryDeps,
} from '@sonde/queries'
import type { IssueTriggerType } from '../contract.ts'
import { changesOf, isOfAssignee, type IssueRule, searchOf } from '../rules/rule.ts'
import { isWithin } from '../rules/within-schedule.ts'
import { SHOWN_FIRINGS } from './preview-metric.ts'
import { PREVIEW_MS, stepMinutesOf } from './preview-steps.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'project'>

export type IssueFiring = {
  readonly atMs: number
  readonly kind: IssueTriggerType
  readonly issue: NamedIssue
  /** Of what was counted. */
  readonly count: number | null
}

export type IssuePreview = {
  readonly kind: 'issue'
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  /** How often it would have fired within each bar. */
  readonly counts: readonly number[]
  readonly total: number
  /** The newest first, at most `SHOWN_FIRINGS`. */
  readonly firings: readonly IssueFiring[]
}

const MINUTE_MS = 60_000
const BAR_MS = 360 * MINUTE_MS

/** Throws `SearchError` and `ExploreError`. */
export async function previewIssues(deps: Deps, grant: ReadGrant, rule: IssueRule): Promise<IssuePreview> {
  const toMs = Math.ceil(deps.clock.nowMs() / BAR_MS) * BAR_MS
  const fromMs = toMs - PREVIEW_MS
  const [changes, runs] = await Promise.all([
    pastIssueChanges(deps, grant, { kinds: changesOf(rule), search: searchOf(rule), fromMs }),
    busyRuns(deps, grant, rule, fromMs),
  ])
  const isCounted = await ofAssignee(deps, grant, rule, [...changes, ...runs])
  const fired = firedBy(rule, changes.filter(isCounted), runs.filter(isCounted))
  const shown = fired.toReversed().slice(0, SHOWN_FIRINGS)
  const named = await issuesNamed(deps, grant, [...new Set(shown.map(({ issueId }) => issueId))])
  const issueOf = new Map(named.map((issue) => [issue.id, issue]))
  const counts = Array.from({ length: PREVIEW_MS / BAR_MS }, () => 0)
  for (const { atMs } of fired) {
    const bar = Math.min(counts.length - 1, Math.max(0, Math.floor((atMs - fromMs) / BAR_MS)))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  return {
    kind: 'issue',
    fromMs,
    toMs,
    stepMs: BAR_MS,
    counts,
    total: fired.length,
    firings: shown.flatMap(({ issueId, ...firing }) => {
      const issue = issueOf.get(issueId)
      return issue ? [{ ...firing, issue }] : []
    }),
  }
}

/** Who had an issue then is not kept, so it is who has it now. */
async function ofAssignee(
  deps: Deps,
  grant: ReadGrant,
  rule: IssueRule,
  found: readonly { readonly issueId: number }[],
): Promise<(of: { readonly issueId: number }) => boolean> {
  if (rule.assigned === undefined) return () => true
  const issues = await issueAssignees(deps, grant, [...new Set(found.map(({ issueId }) => issueId))])
  const own = new Set(issues.flatMap((issue) => (isOfAssignee(rule, issue) ? [issue.id] : [])))
  return ({ issueId }) => own.has(issueId)
}

/** From the first window in which an issue was busy to the first in which it was not. */
export type BusyRun = {
  readonly issueId: number
  readonly kind: 'events' | 'users' | 'escalating'
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

async function busyRuns(
  deps: Deps,
  grant: ReadGrant,
  rule: IssueRule,
  fromMs: number,
): Promise<readonly BusyRun[]> {
  const runs: BusyRun[] = []
  const search = searchOf(rule)
  for (const trigger of rule.triggers) {
    if (!('count' in trigger)) continue
    const { type: kind, count: above, minutes } = trigger
    const stepMs = stepMinutesOf(minutes) * MINUTE_MS
    const lastMs = Math.floor(deps.clock.nowMs() / stepMs) * stepMs
    const firstMs = lastMs - Math.floor((lastMs - fromMs) / stepMs) * stepMs
    const steps = await busyIssueSteps(deps, grant, {
      count: kind,
      above,
      search,
      fromMs: firstMs,
      toMs: lastMs,
      stepMs,
      windowMs: minutes * MINUTE_MS,
    })
    for (const [issueId, own] of Map.groupBy(steps, (step) => step.issueId))
      for (const { first, last, count } of inARow(own))
        runs.push({
          issueId,
          kind,
          count,
          fromMs: firstMs + first * stepMs,
          toMs: firstMs + (last + 1) * stepMs,
        })
  }
  return runs
}

function inARow(steps: readonly { readonly at: number; readonly count: number }[]) {
  const rows: { first: number; last: number; count: number }[] = []
  for (const { at, count } of steps) {
    const open = rows.at(-1)
    if (open && at === open.last + 1) open.last = at
    else rows.push({ first: at, last: at, count })
  }
  return rows
}

type Fired = Omit<IssueFiring, 'issue'> & { readonly issueId: number }

/**
 * One incident of an issue at a time: what changed ends with the issue, what was counted when no count is above its number.
 * Oldest first.
 */
export function firedBy(
  rule: Pick<IssueRule, 'triggers' | 'schedule' | 'environment'>,
  changes: readonly PastChange[],
  runs: readonly BusyRun[],
): readonly Fired[] {
  const { triggers, schedule } = rule
  const wanted = new Set<string>([...triggers.map(({ type }) => type), ...changesOf(rule)])
  const steps = [
    ...changes.map(({ issueId, kind, atMs }) => ({ issueId, atMs, kind, by: 0, count: null })),
    ...runs.flatMap(({ issueId, kind, fromMs, toMs, count }) => [
      { issueId, atMs: fromMs, kind, by: 1, count },
      { issueId, atMs: toMs, kind: 'calm' as const, by: -1, count: null },
    ]),
    // What begins as something else ends is one incident.
  ].toSorted((a, b) => a.atMs - b.atMs || b.by - a.by)
  const open = new Map<number, 'change' | 'count'>()
  const busy = new Map<number, number>()
  const fired: Fired[] = []
  for (const { issueId, atMs, kind, by, count } of steps) {
    if (by !== 0) busy.set(issueId, (busy.get(issueId) ?? 0) + by)
    if (kind === 'calm') {
      if (busy.get(issueId) === 0 && open.get(issueId) === 'count') open.delete(issueId)
    } else if (kind === 'resolved' || kind === 'ignored') open.delete(issueId)
    else if (wanted.has(kind) && !open.has(issueId) && isWithin(schedule, atMs)) {
      open.set(issueId, by === 0 ? 'change' : 'count')
      fired.push({ issueId, atMs, kind, count })
    }
  }
  return fired
}
