/** What issues are once they are one, and what is left of one when a part of it goes. */
import {
  type Counted,
  FIGURE_COLUMNS,
  type Figures,
  type IssueTable,
  PRIORITY_VALUES,
  priorityOf,
  type Records,
  type Selectable,
} from '@sonde/stores'
import { type CompareVersions, releasesOfIssue } from '../commit/record-releases.ts'
import { decisionOf } from '../reprocess/merge-issues.ts'

export type Issue = Selectable<IssueTable>

/** What people decide about an issue, each on its own: columns of its row. */
const DECISIONS = {
  state: ['status', 'substatus', 'resolved_in', 'resolved_release', 'regressed_release'],
  assignee: ['assignee_user_id', 'assignee_team_id'],
  priority: ['priority', 'is_priority_set'],
} as const
const KINDS = ['state', 'assignee', 'priority'] as const satisfies readonly (keyof typeof DECISIONS)[]
type Kind = (typeof KINDS)[number]
const DECISION_COLUMNS = KINDS.flatMap((kind) => DECISIONS[kind])
export type Decision = Pick<Issue, (typeof DECISION_COLUMNS)[number]>

function pick<Row, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> {
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>
}
export const figuresIn = (issue: Figures): Figures => pick(issue, FIGURE_COLUMNS)
export const decisionIn = (issue: Decision): Decision => pick(issue, DECISION_COLUMNS)

/** A priority that nobody set follows the events. */
const isSame = (kind: Kind, a: Decision, b: Decision): boolean =>
  (kind === 'priority' && a.is_priority_set === 0 && b.is_priority_set === 0) ||
  DECISIONS[kind].every((column) => a[column] === b[column])

/**
 * The state as reprocessing merges it (of two ignored ones that of the one that stays); who has it is whoever had the one that
 * stays, else whoever had the other; the priority is the higher of those that somebody set.
 */
export function mergedDecision(into: Decision, gone: Decision): Decision {
  const isFree = into.assignee_user_id === null && into.assignee_team_id === null
  const set = [into, gone].filter((each) => each.is_priority_set === 1)
  const [highest = into] = set.toSorted((a, b) => b.priority - a.priority)
  return {
    ...decisionOf(into, gone),
    ...pick(isFree ? gone : into, DECISIONS.assignee),
    ...pick(highest, DECISIONS.priority),
  }
}

/** What the rule says, where nobody said anything. */
export function ruledPriority<Row extends Pick<Issue, 'level' | 'is_unhandled' | 'substatus'> & Decision>(
  issue: Row,
): { readonly priority: number } {
  const { level, is_unhandled: isUnhandled, substatus, is_priority_set: isSet, priority } = issue
  const isEscalating = substatus === 'escalating'
  const ruled = priorityOf({ level, isUnhandled: isUnhandled === 1, isEscalating })
  return { priority: isSet === 1 ? priority : PRIORITY_VALUES[ruled] }
}

/**
 * `own`: what it is without the others that were merged since `sinceMs`; those of before are part of what somebody decided about the
 * whole. `decided`: what merging made of that.
 */
export type DecisionBase = {
  readonly own: Decision
  readonly sinceMs: Readonly<Partial<Record<Kind, number>>>
  readonly decided: Decision
}

/** What somebody decided about the whole since the last merge is what it is without those that are merged from now on. */
export function rebased({ own, sinceMs, decided }: DecisionBase, now: Decision, atMs: number): DecisionBase {
  const anew = KINDS.filter((kind) => !isSame(kind, now, decided))
  return {
    own: {
      ...own,
      ...pick(
        now,
        anew.flatMap((kind): readonly (keyof Decision)[] => DECISIONS[kind]),
      ),
    },
    sinceMs: { ...sinceMs, ...Object.fromEntries(anew.map((kind) => [kind, atMs])) },
    decided,
  }
}

export type MergedDecision = { readonly decision: Decision; readonly atMs: number }

/** With these others alone: what somebody decided since the last merge stays. */
export function decisionWith(
  { own, sinceMs, decided }: DecisionBase,
  now: Decision,
  others: readonly MergedDecision[],
): Partial<Decision> {
  const parts = KINDS.filter((kind) => isSame(kind, now, decided)).map((kind) => {
    const since = sinceMs[kind] ?? 0
    const counted = others.filter(({ atMs }) => atMs >= since)
    const merged = counted.reduce((all, { decision }) => mergedDecision(all, decision), own)
    return pick(merged, DECISIONS[kind] as readonly (keyof Decision)[])
  })
  return Object.assign({}, ...parts) as Partial<Decision>
}

/** Times widen, releases by their order, the name is that of the later. */
export function mergedFigures(a: Figures, b: Figures, compare: CompareVersions): Figures {
  const later = b.last_seen_ms > a.last_seen_ms ? b : a
  return {
    ...figuresIn(later),
    first_seen_ms: Math.min(a.first_seen_ms, b.first_seen_ms),
    last_seen_ms: Math.max(a.last_seen_ms, b.last_seen_ms),
    is_unhandled: Math.max(a.is_unhandled, b.is_unhandled),
    ...releasesOfIssue(a, [b.first_release, b.last_release], compare),
  }
}

/** As if these events had been counted for an issue of their own. */
export function figuresOfEvents({ figures, releases }: Counted, compare: CompareVersions): Figures {
  return { ...figures, ...releasesOfIssue({ ...figures, first_release: '' }, releases, compare) }
}

/**
 * What is left of an issue that `gone` leaves, without knowing what it was before: times stay unless the first or the last event
 * went, because retention may have removed the events that they are of.
 */
export function leftFigures(issue: Figures, gone: Figures, left: Figures | undefined): Partial<Figures> {
  if (!left) return {}
  const lostFirst = gone.first_seen_ms <= issue.first_seen_ms
  const lostLast = gone.last_seen_ms >= issue.last_seen_ms
  const { first_seen_ms, first_release, last_release, is_unhandled, ...named } = left
  return {
    is_unhandled,
    ...(lostFirst && { first_seen_ms, first_release }),
    ...(lostLast && { ...named, last_release }),
  }
}

export const readIssue = (tx: Records, id: number): Promise<Issue | undefined> =>
  tx.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst()
