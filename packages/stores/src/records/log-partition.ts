/**
 * A position names a record within one partition of the log; the embedded log has one partition, 0. So wherever a position
 * is part of what tells rows apart, the partition is too.
 */
import type { ColumnType } from 'kysely'

/** Left out of an insert: 0. */
export type LogPartitionColumn = { log_partition: ColumnType<number, number | undefined, never> }

/** Of a position without a partition, and of the embedded log. */
export const FIRST_PARTITION = 0

/** A position in each partition of the log, as far as somebody reads it. */
export type LogPositions = Readonly<Record<string, number>>

const PARTITION = 'log_partition integer NOT NULL DEFAULT 0'
const PARTITION_POSTGRES = PARTITION.replace('integer', 'bigint')

/** Of the records' migrations. SQLite changes no constraint of a table that is there: three are made anew. */
export const LOG_PARTITION: readonly string[] = [
  `CREATE TABLE pipeline_state_anew (name text NOT NULL, ${PARTITION}, position integer NOT NULL, inflight_from integer,
    inflight_to integer, held text, PRIMARY KEY (name, log_partition))`,
  `INSERT INTO pipeline_state_anew (name, position, inflight_from, inflight_to, held)
    SELECT name, position, inflight_from, inflight_to, held FROM pipeline_state`,
  'DROP TABLE pipeline_state',
  'ALTER TABLE pipeline_state_anew RENAME TO pipeline_state',

  `CREATE TABLE digest_settings_anew (${PARTITION}, from_position integer NOT NULL, value text NOT NULL,
    PRIMARY KEY (log_partition, from_position))`,
  'INSERT INTO digest_settings_anew (from_position, value) SELECT from_position, value FROM digest_settings',
  'DROP TABLE digest_settings',
  'ALTER TABLE digest_settings_anew RENAME TO digest_settings',

  `CREATE TABLE dead_letter_anew (id integer PRIMARY KEY AUTOINCREMENT, project_id integer, ${PARTITION},
    log_position integer NOT NULL, item_index integer NOT NULL, item_type text NOT NULL, reason text NOT NULL,
    detail text NOT NULL, blob text NOT NULL, created_ms integer NOT NULL, replayed_ms integer,
    sdk text NOT NULL DEFAULT '', bytes integer NOT NULL DEFAULT 0, discarded_ms integer,
    UNIQUE (log_partition, log_position, item_index))`,
  // So that no id is given a second time, whatever was deleted.
  `INSERT INTO sqlite_sequence (name, seq) SELECT 'dead_letter_anew', seq FROM sqlite_sequence WHERE name = 'dead_letter'`,
  `INSERT INTO dead_letter_anew (id, project_id, log_position, item_index, item_type, reason, detail, blob, created_ms,
      replayed_ms, sdk, bytes, discarded_ms)
    SELECT id, project_id, log_position, item_index, item_type, reason, detail, blob, created_ms, replayed_ms, sdk,
      bytes, discarded_ms FROM dead_letter`,
  'DROP TABLE dead_letter',
  'ALTER TABLE dead_letter_anew RENAME TO dead_letter',

  `CREATE TABLE attachment_anew (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, event_id text NOT NULL, name text NOT NULL,
    content_type text NOT NULL, attachment_type text NOT NULL, shown_as text NOT NULL, bytes integer NOT NULL,
    sha1 text NOT NULL, sha256 text NOT NULL, blob text NOT NULL, ${PARTITION}, log_position integer NOT NULL,
    item_index integer NOT NULL, created_ms integer NOT NULL, UNIQUE (log_partition, log_position, item_index))`,
  `INSERT INTO sqlite_sequence (name, seq) SELECT 'attachment_anew', seq FROM sqlite_sequence WHERE name = 'attachment'`,
  `INSERT INTO attachment_anew (id, project_id, event_id, name, content_type, attachment_type, shown_as, bytes, sha1,
      sha256, blob, log_position, item_index, created_ms)
    SELECT id, project_id, event_id, name, content_type, attachment_type, shown_as, bytes, sha1, sha256, blob,
      log_position, item_index, created_ms FROM attachment`,
  // Its triggers go with it, and are not asked: what attachments take stays counted.
  'DROP TABLE attachment',
  'ALTER TABLE attachment_anew RENAME TO attachment',
  'CREATE INDEX attachment_by_event ON attachment (project_id, event_id)',
  'CREATE INDEX attachment_by_content ON attachment (project_id, sha256)',
  'CREATE INDEX attachment_by_blob ON attachment (blob)',
  'CREATE INDEX attachment_by_age ON attachment (created_ms)',
  `CREATE TRIGGER attachment_usage_insert AFTER INSERT ON attachment
    WHEN NOT EXISTS (SELECT 1 FROM attachment WHERE blob = NEW.blob AND id <> NEW.id) BEGIN
    INSERT INTO attachment_usage (project_id, bytes) VALUES (NEW.project_id, NEW.bytes)
      ON CONFLICT (project_id) DO UPDATE SET bytes = attachment_usage.bytes + NEW.bytes; END`,
  `CREATE TRIGGER attachment_usage_delete AFTER DELETE ON attachment
    WHEN NOT EXISTS (SELECT 1 FROM attachment WHERE blob = OLD.blob) BEGIN
    UPDATE attachment_usage SET bytes = bytes - OLD.bytes WHERE project_id = OLD.project_id; END`,

  `ALTER TABLE deletion ADD COLUMN ${PARTITION}`,
]

/** Here constraints change in place, and what refers to a table stays with it. */
export const LOG_PARTITION_POSTGRES: readonly string[] = [
  ...keyWithPartition('pipeline_state', 'pkey', 'PRIMARY KEY (name, log_partition)'),
  ...keyWithPartition('digest_settings', 'pkey', 'PRIMARY KEY (log_partition, from_position)'),
  ...['dead_letter', 'attachment'].flatMap((table) =>
    keyWithPartition(
      table,
      'log_position_item_index_key',
      'UNIQUE (log_partition, log_position, item_index)',
    ),
  ),
  `ALTER TABLE deletion ADD COLUMN ${PARTITION_POSTGRES}`,
]

function keyWithPartition(table: string, constraint: string, key: string): readonly string[] {
  return [
    `ALTER TABLE ${table} ADD COLUMN ${PARTITION_POSTGRES}`,
    `ALTER TABLE ${table} DROP CONSTRAINT ${table}_${constraint}`,
    `ALTER TABLE ${table} ADD ${key}`,
  ]
}
