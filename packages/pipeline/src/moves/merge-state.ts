/** What issues are once they are one, and what is left of one when a part of it goes. */
import {
  type Counted,
  FIGURE_COLUMNS,
  type Figures,
  type IssueTable,
  type Records,
  type Selectable,
} from '@sonde/stores'
import { type CompareVersions, releasesOfIssue } from '../commit/record-releases.ts'
import { decisionOf } from '../reprocess/merge-issues.ts'

export type Issue = Selectable<IssueTable>

/** What people decide about an issue: columns of its row. */
const DECISION_COLUMNS = [
  'status',
  'substatus',
  'resolved_in',
  'resolved_release',
  'regressed_release',
  'assignee_user_id',
  'assignee_team_id',
] as const
export type Decision = Pick<Issue, (typeof DECISION_COLUMNS)[number]>

function pick<Row, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> {
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>
}
export const figuresIn = (issue: Figures): Figures => pick(issue, FIGURE_COLUMNS)
export const decisionIn = (issue: Decision): Decision => pick(issue, DECISION_COLUMNS)

export const isSameDecision = (a: Decision, b: Decision): boolean =>
  DECISION_COLUMNS.every((column) => a[column] === b[column])

/** The state as reprocessing merges it; who has it is whoever had the one that stays, else whoever had the other. */
export function mergedDecision(into: Decision, gone: Decision): Decision {
  const isFree = into.assignee_user_id === null && into.assignee_team_id === null
  const { assignee_user_id, assignee_team_id } = isFree ? gone : into
  return { ...decisionOf(into, gone), assignee_user_id, assignee_team_id }
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
