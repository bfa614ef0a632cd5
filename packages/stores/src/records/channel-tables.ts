/** What channels that have threads remember: with which message the one about an issue or an incident began. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ChannelTables = { channel_message: ChannelMessageTable }

/** One of a channel for each issue; incidents of metrics, which have no issue, have their own. */
export type ChannelMessageTable = {
  id: Generated<number>
  channel_id: Fixed<number>
  issue_id: Fixed<number | null>
  incident_id: Fixed<number | null>
  /** Where it stands, as the channel's settings named it then: a thread is of no use anywhere else. */
  conversation: Fixed<string>
  /** What answers to it name. */
  thread: Fixed<string>
  created_ms: Fixed<number>
}

export const CHANNEL_MESSAGES: readonly string[] = [
  `CREATE TABLE channel_message (id integer PRIMARY KEY AUTOINCREMENT,
    channel_id integer NOT NULL REFERENCES notification_channel (id) ON DELETE CASCADE,
    issue_id integer REFERENCES issue (id) ON DELETE CASCADE,
    incident_id integer REFERENCES incident (id) ON DELETE CASCADE,
    conversation text NOT NULL, thread text NOT NULL, created_ms integer NOT NULL)`,
  'CREATE UNIQUE INDEX channel_message_of_issue ON channel_message (channel_id, issue_id)',
  'CREATE UNIQUE INDEX channel_message_of_incident ON channel_message (channel_id, incident_id)',
  'CREATE INDEX channel_message_by_issue ON channel_message (issue_id)',
  'CREATE INDEX channel_message_by_incident ON channel_message (incident_id)',
  'CREATE INDEX channel_message_by_age ON channel_message (created_ms)',
]
