/** What people write about an issue, and what of its activity they want to be told. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'
import type { NotificationSettingTable } from './alert-tables.ts'

type Fixed<T> = ColumnType<T, T, never>

export type CommentTables = {
  issue_comment: IssueCommentTable
  comment_mention: CommentMentionTable
  comment_reaction: CommentReactionTable
  activity_setting: ActivitySettingTable
}

/** A comment is the change `comment` of its issue with a text: that says who wrote it and when, and they go together. */
export type IssueCommentTable = {
  change_id: Fixed<number>
  /** Markdown as it was typed. */
  body: string
  edited_ms: ColumnType<number | null, number | null | undefined, number | null>
}

/** A name in the text that means somebody: `@ada`, `#checkout`. Both ids null: that person or team was removed. */
export type CommentMentionTable = {
  id: Generated<number>
  change_id: Fixed<number>
  /** In lower case, with its sign; empty: a program named them beside the text. */
  handle: Fixed<string>
  user_id: Fixed<string | null>
  team_id: Fixed<number | null>
}

export const REACTIONS = ['👍', '👎', '😄', '🎉', '😕', '❤️', '🚀', '👀'] as const
export type Reaction = (typeof REACTIONS)[number]

export type CommentReactionTable = {
  change_id: Fixed<number>
  user_id: Fixed<string>
  reaction: Fixed<Reaction>
  created_ms: Fixed<number>
}

/**
 * `subscribed`: of every issue that the person is subscribed to. `involved`: only where they are assigned, by themselves or by
 * their team, or mentioned.
 */
export const ACTIVITY_CHOICES = ['subscribed', 'involved', 'none'] as const
export type ActivityChoice = (typeof ACTIVITY_CHOICES)[number]

/** What a person wants to be told of what others do about issues. Who has no row is told of all they are subscribed to. */
export type ActivitySettingTable = {
  id: Generated<number>
  user_id: Fixed<string>
  medium: NotificationSettingTable['medium']
  /** Null: of every project that has no row of its own. */
  project_id: Fixed<number | null>
  choice: ActivityChoice
}

export const COMMENTS: readonly string[] = [
  `CREATE TABLE issue_comment (
    change_id integer NOT NULL PRIMARY KEY REFERENCES issue_change (id) ON DELETE CASCADE, body text NOT NULL,
    edited_ms integer)`,
  `CREATE TABLE comment_mention (id integer PRIMARY KEY AUTOINCREMENT,
    change_id integer NOT NULL REFERENCES issue_comment (change_id) ON DELETE CASCADE, handle text NOT NULL,
    user_id text REFERENCES "user" (id) ON DELETE SET NULL, team_id integer REFERENCES team (id) ON DELETE SET NULL)`,
  'CREATE INDEX comment_mention_by_comment ON comment_mention (change_id)',
  'CREATE INDEX comment_mention_by_user ON comment_mention (user_id) WHERE user_id IS NOT NULL',
  'CREATE INDEX comment_mention_by_team ON comment_mention (team_id) WHERE team_id IS NOT NULL',
  `CREATE TABLE comment_reaction (change_id integer NOT NULL REFERENCES issue_comment (change_id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, reaction text NOT NULL, created_ms integer NOT NULL,
    PRIMARY KEY (change_id, user_id, reaction)) WITHOUT ROWID`,
  'CREATE INDEX comment_reaction_by_user ON comment_reaction (user_id)',
  `CREATE TABLE activity_setting (id integer PRIMARY KEY AUTOINCREMENT,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, medium text NOT NULL,
    project_id integer REFERENCES project (id) ON DELETE CASCADE, choice text NOT NULL)`,
  'CREATE UNIQUE INDEX activity_setting_of_project ON activity_setting (user_id, medium, project_id)',
  // Nulls are different from each other there.
  'CREATE UNIQUE INDEX activity_setting_of_person ON activity_setting (user_id, medium) WHERE project_id IS NULL',
  'CREATE INDEX activity_setting_by_project ON activity_setting (project_id)',
  // What was done before is told to nobody.
  'ALTER TABLE issue_change ADD COLUMN is_untold integer NOT NULL DEFAULT 0',
  'CREATE INDEX issue_change_untold ON issue_change (id) WHERE is_untold = 1',
  // The rows that go with their age.
  `CREATE INDEX issue_change_first_seen ON issue_change (id)
    WHERE kind IN ('first_seen_in_release', 'first_seen_in_environment')`,
  "CREATE INDEX issue_change_comments ON issue_change (issue_id, id) WHERE kind = 'comment'",
]
