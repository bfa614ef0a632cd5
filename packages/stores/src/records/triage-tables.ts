/** Who works on an issue and who wants to hear of it. Times are Unix milliseconds. */
import type { ColumnType } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type TriageTables = { issue_subscription: IssueSubscriptionTable }

/** Columns of `issue`. At most one of them is set: an issue is assigned to a member or to a team. */
export type AssigneeColumns = {
  assignee_user_id: ColumnType<string | null, string | null | undefined, string | null>
  assignee_team_id: ColumnType<number | null, number | null | undefined, number | null>
}

/** Sentry's names. https://docs.sentry.io/product/issues/#subscriptions */
export const SUBSCRIPTION_REASONS = [
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
