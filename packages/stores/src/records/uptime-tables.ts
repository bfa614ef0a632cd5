/**
 * Uptime monitors: what is checked, what state it is in, and results that are on their way to telemetry. Times are Unix
 * milliseconds, JSON is text. docs/uptime.md, docs/decisions/0054-uptime.md
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type UptimeTables = {
  uptime_monitor: UptimeMonitorTable
  uptime_state: UptimeStateTable
  uptime_hour: UptimeHourTable
  uptime_result: UptimeResultTable
}

export type UptimeMonitorTable = {
  id: Generated<number>
  project_id: Fixed<number>
  name: string
  environment: string
  interval_sec: number
  /** JSON: `packages/alerts/src/uptime/monitor.ts` reads it. Without secret values. */
  value: string
  /** JSON of secret headers by name, sealed with the installation's key; empty: none. */
  secret: string
  created_by: Fixed<string>
  created_ms: Fixed<number>
  updated_ms: number
}

/** `new`: not checked often enough to tell. */
export type UptimeStateWord = 'new' | 'up' | 'down'

/** One of each monitor: changed in the transaction that notes a check. */
export type UptimeStateTable = {
  monitor_id: Fixed<number>
  /** When it is checked next; null: it is paused. */
  due_ms: number | null
  state: UptimeStateWord
  /** Since when it is in this state. */
  since_ms: number
  /** How the last checks ended, the newest last: `1` up, `0` not. */
  recent: string
  /** Of the last check; null: there was none. */
  checked_ms: number | null
  outcome: string
  reason: string
  status: number
  total_ms: number
  certificate_ms: number | null
  /** The one that is open or was last. */
  incident_id: number | null
}

/** Checks of an hour: what availability is told by, longer than telemetry is kept. */
export type UptimeHourTable = {
  monitor_id: Fixed<number>
  hour_ms: Fixed<number>
  checks: number
  failed: number
  /** Sum of the times of those that were up. */
  up_ms: number
}

/** A row of telemetry that is not there yet. */
export type UptimeResultTable = {
  id: Generated<number>
  monitor_id: Fixed<number>
  /** JSON: `UptimeCheckFields` without `checkId`. */
  row: Fixed<string>
  /** Rows with the same are inserted together, so that a repeated insert is the same; null: not sent yet. */
  batch_id: number | null
}

export const UPTIME: readonly string[] = [
  `CREATE TABLE uptime_monitor (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, name text NOT NULL,
    environment text NOT NULL, interval_sec integer NOT NULL, value text NOT NULL, secret text NOT NULL,
    created_by text NOT NULL, created_ms integer NOT NULL, updated_ms integer NOT NULL)`,
  'CREATE INDEX uptime_monitor_by_project ON uptime_monitor (project_id, id)',
  `CREATE TABLE uptime_state (
    monitor_id integer PRIMARY KEY REFERENCES uptime_monitor (id) ON DELETE CASCADE, due_ms integer,
    state text NOT NULL, since_ms integer NOT NULL, recent text NOT NULL, checked_ms integer,
    outcome text NOT NULL, reason text NOT NULL, status integer NOT NULL, total_ms integer NOT NULL,
    certificate_ms integer, incident_id integer REFERENCES incident (id) ON DELETE SET NULL)`,
  // Asked every second: what is due.
  'CREATE INDEX uptime_state_due ON uptime_state (due_ms) WHERE due_ms IS NOT NULL',
  'CREATE INDEX uptime_state_by_incident ON uptime_state (incident_id)',
  `CREATE TABLE uptime_hour (
    monitor_id integer NOT NULL REFERENCES uptime_monitor (id) ON DELETE CASCADE, hour_ms integer NOT NULL,
    checks integer NOT NULL, failed integer NOT NULL, up_ms integer NOT NULL,
    PRIMARY KEY (monitor_id, hour_ms)) WITHOUT ROWID`,
  `CREATE TABLE uptime_result (id integer PRIMARY KEY AUTOINCREMENT,
    monitor_id integer NOT NULL REFERENCES uptime_monitor (id) ON DELETE CASCADE, row text NOT NULL,
    batch_id integer)`,
  'CREATE INDEX uptime_result_by_monitor ON uptime_result (monitor_id)',
]
