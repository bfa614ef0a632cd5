/** Where the recordings of session replays lie. Times are Unix milliseconds. docs/decisions/0060-session-replay.md */
import type { ColumnType } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>
type FixedOrNull<T> = ColumnType<T | null, T | null | undefined, never>

export type ReplayTables = {
  replay_segment: ReplaySegmentTable
  replay_deletion: ReplayDeletionTable
  replay_view: ReplayViewTable
}

/** A part of a recording; its bytes are a blob of its own. */
export type ReplaySegmentTable = {
  project_id: Fixed<number>
  /** 32 lower hex. */
  replay_id: Fixed<string>
  segment_id: Fixed<number>
  /** As stored, and as JSON. */
  bytes: Fixed<number>
  raw_bytes: Fixed<number>
  /** Of its first and last event, as the page's clock said. */
  started_ms: Fixed<number>
  finished_ms: Fixed<number>
  blob: Fixed<string>
  log_partition: Fixed<number>
  log_position: Fixed<number>
  item_index: Fixed<number>
  created_ms: Fixed<number>
  /** Of mobile SDKs: a blob of its own beside, and when it runs as the device's clock said. Null: none came. */
  video_blob: FixedOrNull<string>
  video_type: FixedOrNull<'video/mp4' | 'video/webm'>
  video_bytes: FixedOrNull<number>
  video_started_ms: FixedOrNull<number>
  video_duration_ms: FixedOrNull<number>
}

/** A replay that somebody deleted: it is hidden at once, and what of it still comes is taken away as long as one may last. */
export type ReplayDeletionTable = {
  project_id: Fixed<number>
  replay_id: Fixed<string>
  requested_ms: Fixed<number>
}

/** Who looked at it, and when last. Goes with its replay, its project and its person. */
export type ReplayViewTable = {
  project_id: Fixed<number>
  replay_id: Fixed<string>
  user_id: Fixed<string>
  at_ms: number
}

export const REPLAYS_TABLES: readonly string[] = [
  `CREATE TABLE replay_segment (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    replay_id text NOT NULL, segment_id integer NOT NULL, bytes integer NOT NULL, raw_bytes integer NOT NULL,
    started_ms integer NOT NULL, finished_ms integer NOT NULL, blob text NOT NULL, log_partition integer NOT NULL,
    log_position integer NOT NULL, item_index integer NOT NULL, created_ms integer NOT NULL,
    PRIMARY KEY (project_id, replay_id, segment_id))`,
  'CREATE UNIQUE INDEX replay_segment_by_place ON replay_segment (log_partition, log_position, item_index)',
  'CREATE INDEX replay_segment_by_age ON replay_segment (created_ms)',
]

export const REPLAY_DELETIONS: readonly string[] = [
  `CREATE TABLE replay_deletion (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    replay_id text NOT NULL, requested_ms integer NOT NULL, PRIMARY KEY (project_id, replay_id))`,
  'CREATE INDEX replay_deletion_by_age ON replay_deletion (requested_ms)',
]

export const REPLAY_VIDEOS: readonly string[] = [
  'ALTER TABLE replay_segment ADD COLUMN video_blob text',
  'ALTER TABLE replay_segment ADD COLUMN video_type text',
  'ALTER TABLE replay_segment ADD COLUMN video_bytes integer',
  'ALTER TABLE replay_segment ADD COLUMN video_started_ms integer',
  'ALTER TABLE replay_segment ADD COLUMN video_duration_ms integer',
]

export const REPLAY_VIEWS: readonly string[] = [
  `CREATE TABLE replay_view (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    replay_id text NOT NULL, user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, at_ms integer NOT NULL,
    PRIMARY KEY (project_id, replay_id, user_id)) WITHOUT ROWID`,
  'CREATE INDEX replay_view_by_user ON replay_view (user_id)',
  'CREATE INDEX replay_view_by_age ON replay_view (at_ms)',
]
