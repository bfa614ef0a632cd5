/**
 * What a project usually sends, and when it sent far more: docs/decisions/0043-spikes-are-sampled.md. Times are Unix
 * milliseconds.
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type SpikeTables = {
  spike_baseline: SpikeBaselineTable
  spike_minute: SpikeMinuteTable
  spike: SpikeTable
}

/** `event`: errors, messages and security reports together, whatever is an event of an issue. */
export type SpikeCategory = 'event'

/** Learnt by the job `spikes`, read by the pipeline. Without a row nothing is sampled. */
export type SpikeBaselineTable = {
  project_id: Fixed<number>
  category: Fixed<SpikeCategory>
  /** What comes within an hour at this time of the week. */
  usual_per_hour: number
  /** Above it, within a minute of receipt, events are sampled. */
  minute_limit: number
  learned_ms: number
}

/** What was received within a minute, of projects that come near their limit; only minutes of the last hours. */
export type SpikeMinuteTable = {
  project_id: Fixed<number>
  category: Fixed<SpikeCategory>
  minute_ms: Fixed<number>
  received: number
}

/** From the first event that was left out until nothing was for a while. */
export type SpikeTable = {
  id: Generated<number>
  project_id: Fixed<number>
  category: Fixed<SpikeCategory>
  started_ms: Fixed<number>
  /** When the last event that was left out was received. */
  last_ms: number
  /** Null: it lasts. */
  ended_ms: ColumnType<number | null, number | null | undefined, number | null>
  /** As they were when it began. */
  usual_per_hour: Fixed<number>
  minute_limit: Fixed<number>
  /** The most that was received within a minute. */
  peak_per_minute: number
  /** Events of the batches that left some out: those that are stored, and those that are only counted. */
  kept: number
  sampled: number
  /** 1: its beginning was told; 2: its end too. */
  told: Generated<number>
}

export const SPIKES: readonly string[] = [
  `CREATE TABLE spike_baseline (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    category text NOT NULL, usual_per_hour integer NOT NULL, minute_limit integer NOT NULL,
    learned_ms integer NOT NULL, PRIMARY KEY (project_id, category)) WITHOUT ROWID`,
  `CREATE TABLE spike_minute (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    category text NOT NULL, minute_ms integer NOT NULL, received integer NOT NULL,
    PRIMARY KEY (project_id, category, minute_ms)) WITHOUT ROWID`,
  `CREATE TABLE spike (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, category text NOT NULL,
    started_ms integer NOT NULL, last_ms integer NOT NULL, ended_ms integer, usual_per_hour integer NOT NULL,
    minute_limit integer NOT NULL, peak_per_minute integer NOT NULL, kept integer NOT NULL, sampled integer NOT NULL,
    told integer NOT NULL DEFAULT 0)`,
  'CREATE INDEX spike_by_project ON spike (project_id, id)',
  'CREATE INDEX spike_untold ON spike (id) WHERE told < 2',
  'CREATE UNIQUE INDEX spike_open ON spike (project_id, category) WHERE ended_ms IS NULL',
  // Null and 1: it holds.
  'ALTER TABLE project_setting ADD COLUMN is_spike_protected integer',
]
