/** Who works on an issue and who wants to hear of it. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type TriageTables = {
  issue_subscription: IssueSubscriptionTable
  /** Who wants to find an issue again, and who has looked at it. */
  issue_bookmark: MarkTable
  issue_view: MarkTable
  issue_snooze: IssueSnoozeTable
  saved_search: SavedSearchTable
  default_search: DefaultSearchTable
  pinned_search: PinnedSearchTable
}

/** Columns of `issue`. At most one of them is set: an issue is assigned to a member or to a team. */
export type AssigneeColumns = {
  assignee_user_id: ColumnType<string | null, string | null | undefined, string | null>
  assignee_team_id: ColumnType<number | null, number | null | undefined, number | null>
}

/** Sentry's names. https://docs.sentry.io/product/issues/#subscriptions */
const SUBSCRIPTION_REASONS = [
  'assigned',
  'bookmark',
  'changed_status',
  'comment',
  'mentioned',
  'team_mentioned',
  'unknown',
] as const
/** `unknown`: by the button. */
export type SubscriptionReason = (typeof SUBSCRIPTION_REASONS)[number]

export type IssueSubscriptionTable = {
  issue_id: Fixed<number>
  user_id: Fixed<string>
  /** 0: unsubscribed by hand; nothing subscribes them again but the button, an assignment or a mention. */
  is_active: number
  reason: SubscriptionReason
  created_ms: Fixed<number>
}

/** Columns of `issue`. */
export type ReviewColumns = {
  /** `PRIORITY_VALUES`: by the rule `priorityOf`, or as somebody said. */
  priority: Generated<number>
  /** 1: somebody said it, and events do not change it. */
  is_priority_set: Generated<number>
  /** Why somebody is to look at it; empty: somebody has. */
  review_reason: Generated<'' | ReviewReason>
  review_ms: Generated<number>
}

/** Sentry's inbox reasons. https://docs.sentry.io/product/issues/states-triage/ */
const REVIEW_REASONS = ['new', 'regression', 'escalating', 'unignored'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]
/** Whoever has not looked within a week does not any more. */
export const REVIEW_DAYS = 7

/** `at_ms` of a view: of the last. */
type MarkTable = { issue_id: Fixed<number>; user_id: Fixed<string>; at_ms: number }

/**
 * Until when an archived issue is away. Holds while the issue is ignored with the substatus `archived_until_…` alone, so
 * that a change that is taken back finds it as it was. Any of the conditions ends it.
 */
export type IssueSnoozeTable = {
  issue_id: Fixed<number>
  until_ms: Optional<number>
  /** So many more events, within so many minutes; no minutes: since it was archived. */
  event_count: Optional<number>
  event_minutes: Optional<number>
  user_count: Optional<number>
  user_minutes: Optional<number>
  /** 1: until it comes much more often than usual. */
  is_until_escalating: number
  started_ms: number
  /** Events of the issue when it was archived, and when it was looked at last. */
  base_count: number
  looked_count: number
}

export type SavedSearchTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /** Whose own it is; null: the organization's. */
  user_id: ColumnType<string | null, string | null, never>
  name: string
  query: string
  sort: string
  created_by: Fixed<string>
  created_ms: Fixed<number>
  /** Shown to nobody any more; until it is removed for good, whoever deleted it may have it back with all that names it. */
  deleted_ms: Optional<number>
}

/** Those that a person wants on top, in their order. */
export type PinnedSearchTable = {
  org_id: Fixed<number>
  user_id: Fixed<string>
  saved_search_id: Fixed<number>
  position: number
}

/** What a person's lists of an organization begin with. */
export type DefaultSearchTable = {
  org_id: Fixed<number>
  user_id: Fixed<string>
  saved_search_id: number
}

const MARK = `issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, at_ms integer NOT NULL,
    PRIMARY KEY (issue_id, user_id)) WITHOUT ROWID`

export const REVIEW: readonly string[] = [
  'ALTER TABLE issue ADD COLUMN priority integer NOT NULL DEFAULT 50',
  'ALTER TABLE issue ADD COLUMN is_priority_set integer NOT NULL DEFAULT 0',
  `ALTER TABLE issue ADD COLUMN review_reason text NOT NULL DEFAULT ''`,
  'ALTER TABLE issue ADD COLUMN review_ms integer NOT NULL DEFAULT 0',
  // As `priorityOf` says it.
  `UPDATE issue SET priority = CASE WHEN level = 'fatal' OR (level = 'error' AND is_unhandled = 1) THEN 75
    WHEN level IN ('error', 'warning') THEN 50 ELSE 25 END`,
  'CREATE INDEX issue_by_priority ON issue (project_id, status, priority DESC, id DESC)',
  `CREATE INDEX issue_for_review ON issue (project_id, last_seen_ms DESC, id DESC) WHERE review_reason <> ''`,
  `CREATE TABLE issue_bookmark (${MARK}`,
  'CREATE INDEX issue_bookmark_by_user ON issue_bookmark (user_id, issue_id)',
  `CREATE TABLE issue_view (${MARK}`,
  'CREATE INDEX issue_view_by_user ON issue_view (user_id, issue_id)',
  `CREATE TABLE issue_snooze (issue_id integer PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE, until_ms integer,
    event_count integer, event_minutes integer, user_count integer, user_minutes integer,
    is_until_escalating integer NOT NULL, started_ms integer NOT NULL, base_count integer NOT NULL,
    looked_count integer NOT NULL)`,
  `CREATE TABLE saved_search (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id text REFERENCES "user" (id) ON DELETE CASCADE, name text NOT NULL, query text NOT NULL, sort text NOT NULL,
    created_by text NOT NULL, created_ms integer NOT NULL)`,
  'CREATE INDEX saved_search_by_org ON saved_search (org_id, id)',
  'CREATE INDEX saved_search_by_user ON saved_search (user_id)',
  `CREATE TABLE default_search (org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    saved_search_id integer NOT NULL REFERENCES saved_search (id) ON DELETE CASCADE, PRIMARY KEY (org_id, user_id))
    WITHOUT ROWID`,
  'CREATE INDEX default_search_by_user ON default_search (user_id)',
  'CREATE INDEX default_search_by_search ON default_search (saved_search_id)',
]

/** The inbox of feedback walks it; queries name the type as a literal, so that they may use it. */
export const FEEDBACK: readonly string[] = [
  "CREATE INDEX issue_feedback ON issue (project_id, last_seen_ms, id) WHERE type = 'feedback'",
]

export const PINNED_SEARCHES: readonly string[] = [
  'ALTER TABLE saved_search ADD COLUMN deleted_ms integer',
  `CREATE TABLE pinned_search (org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    saved_search_id integer NOT NULL REFERENCES saved_search (id) ON DELETE CASCADE, position integer NOT NULL,
    PRIMARY KEY (org_id, user_id, saved_search_id)) WITHOUT ROWID`,
  'CREATE INDEX pinned_search_by_user ON pinned_search (user_id)',
  'CREATE INDEX pinned_search_by_search ON pinned_search (saved_search_id)',
]

export const TRIAGE: readonly string[] = [
  'ALTER TABLE issue ADD COLUMN assignee_user_id text REFERENCES "user" (id) ON DELETE SET NULL',
  'ALTER TABLE issue ADD COLUMN assignee_team_id integer REFERENCES team (id) ON DELETE SET NULL',
  'CREATE INDEX issue_by_assignee ON issue (assignee_user_id, project_id) WHERE assignee_user_id IS NOT NULL',
  'CREATE INDEX issue_by_team ON issue (assignee_team_id, project_id) WHERE assignee_team_id IS NOT NULL',
  `CREATE TABLE issue_subscription (issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, is_active integer NOT NULL, reason text NOT NULL,
    created_ms integer NOT NULL, PRIMARY KEY (issue_id, user_id)) WITHOUT ROWID`,
  'CREATE INDEX issue_subscription_by_user ON issue_subscription (user_id, issue_id)',
  `ALTER TABLE issue_change ADD COLUMN detail text NOT NULL DEFAULT '{}'`,
]
