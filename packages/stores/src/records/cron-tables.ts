/**
 * Monitors of scheduled jobs: what is expected, what state each environment is in, its last runs, and check-ins that wait for the
 * job that judges them. Times are Unix milliseconds, JSON is text. docs/monitors.md, docs/decisions/0062-monitors.md
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type CronTables = {
  cron_monitor: CronMonitorTable
  cron_environment: CronEnvironmentTable
  cron_run: CronRunTable
  cron_hour: CronHourTable
  cron_arrival: CronArrivalTable
  cron_clock: CronClockTable
}

export type CronMonitorTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** What check-ins name. */
  slug: string
  name: string
  /** JSON: `packages/alerts/src/crons/monitor.ts` reads it. */
  config: string
  /** JSON: whom it tells. */
  actions: string
  /** `user:ID` or `team:ID`; empty: nobody. */
  owner: string
  is_enabled: 0 | 1
  is_muted: 0 | 1
  /** Empty: by a check-in. */
  created_by: Fixed<string>
  created_ms: Fixed<number>
  updated_ms: number
}

/** How the last run ended; `new`: none did yet. */
export type CronStateWord = 'new' | 'ok' | 'error' | 'missed' | 'timeout'
/** `unknown`: it was expected while Sonde itself did not run. */
export type CronRunStatus = 'in_progress' | 'ok' | 'error' | 'missed' | 'timeout' | 'unknown'

/** One of each monitor and environment. */
export type CronEnvironmentTable = {
  id: Generated<number>
  monitor_id: Fixed<number>
  environment: Fixed<string>
  state: CronStateWord
  since_ms: number
  /** When the next run is expected; null: the monitor is disabled, or its schedule ends. */
  next_ms: number | null
  /** `next_ms` and the margin: then it is missed. */
  due_ms: number | null
  /** When it last sent something; null: never. */
  checked_ms: number | null
  /** Ended badly in a row, and well in a row. */
  failures: number
  successes: number
  /** Since when the threshold of failures is passed; null: it is not. */
  failing_ms: number | null
  /** The one that is open or was last. */
  incident_id: number | null
}

/** The last runs of an environment, also those that were missed. */
export type CronRunTable = {
  id: Generated<number>
  environment_id: Fixed<number>
  /** 32 hex digits; empty: nothing came. */
  check_in_id: Fixed<string>
  status: CronRunStatus
  /** When it began or, of one that was missed, when it was expected. */
  started_ms: number
  ended_ms: number | null
  duration_ms: number | null
  /** When it takes too long; null: it ended. */
  timeout_ms: number | null
  /** When it was expected; null: outside of the schedule. */
  expected_ms: number | null
  release: string
  trace_id: string
}

/** Runs of an hour by how they ended: what availability is told by. */
export type CronHourTable = {
  monitor_id: Fixed<number>
  hour_ms: Fixed<number>
  runs: number
  failed: number
}

/** A check-in that is stored and not judged yet: written in the transaction that moves the pipeline's position. */
export type CronArrivalTable = {
  id: Generated<number>
  project_id: Fixed<number>
  received_ms: Fixed<number>
  /** JSON: `CronArrival`. */
  value: Fixed<string>
}

/** When the job that judges last looked, and the last time in which it did not: one row. */
export type CronClockTable = {
  id: Fixed<number>
  looked_ms: number
  blind_from_ms: number
  blind_until_ms: number
}

export type CronArrival = {
  readonly slug: string
  readonly environment: string
  /** 32 hex digits; all zeros: the newest run that goes on. */
  readonly checkInId: string
  readonly status: 'ok' | 'error' | 'in_progress'
  readonly durationMs?: number
  readonly release: string
  readonly traceId: string
  /** JSON, as the SDK sent it; empty: none. */
  readonly config: string
}

export const CRONS: readonly string[] = [
  `CREATE TABLE cron_monitor (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, slug text NOT NULL, name text NOT NULL,
    config text NOT NULL, actions text NOT NULL, owner text NOT NULL, is_enabled integer NOT NULL,
    is_muted integer NOT NULL, created_by text NOT NULL, created_ms integer NOT NULL, updated_ms integer NOT NULL)`,
  'CREATE UNIQUE INDEX cron_monitor_by_slug ON cron_monitor (project_id, slug)',
  `CREATE TABLE cron_environment (id integer PRIMARY KEY AUTOINCREMENT,
    monitor_id integer NOT NULL REFERENCES cron_monitor (id) ON DELETE CASCADE, environment text NOT NULL,
    state text NOT NULL, since_ms integer NOT NULL, next_ms integer, due_ms integer, checked_ms integer,
    failures integer NOT NULL, successes integer NOT NULL, failing_ms integer,
    incident_id integer REFERENCES incident (id) ON DELETE SET NULL)`,
  'CREATE UNIQUE INDEX cron_environment_by_name ON cron_environment (monitor_id, environment)',
  // Asked every second: what was missed.
  'CREATE INDEX cron_environment_due ON cron_environment (due_ms) WHERE due_ms IS NOT NULL',
  'CREATE INDEX cron_environment_by_incident ON cron_environment (incident_id)',
  `CREATE TABLE cron_run (id integer PRIMARY KEY AUTOINCREMENT,
    environment_id integer NOT NULL REFERENCES cron_environment (id) ON DELETE CASCADE, check_in_id text NOT NULL,
    status text NOT NULL, started_ms integer NOT NULL, ended_ms integer, duration_ms integer, timeout_ms integer,
    expected_ms integer, release text NOT NULL, trace_id text NOT NULL)`,
  'CREATE INDEX cron_run_by_environment ON cron_run (environment_id, started_ms)',
  'CREATE INDEX cron_run_by_check_in ON cron_run (environment_id, check_in_id)',
  // Asked every second: what takes too long.
  'CREATE INDEX cron_run_timeout ON cron_run (timeout_ms) WHERE timeout_ms IS NOT NULL',
  `CREATE TABLE cron_hour (
    monitor_id integer NOT NULL REFERENCES cron_monitor (id) ON DELETE CASCADE, hour_ms integer NOT NULL,
    runs integer NOT NULL, failed integer NOT NULL, PRIMARY KEY (monitor_id, hour_ms)) WITHOUT ROWID`,
  `CREATE TABLE cron_arrival (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, received_ms integer NOT NULL,
    value text NOT NULL)`,
  'CREATE INDEX cron_arrival_by_project ON cron_arrival (project_id)',
  'CREATE TABLE cron_clock (id integer PRIMARY KEY, looked_ms integer NOT NULL, blind_from_ms integer NOT NULL, blind_until_ms integer NOT NULL)',
]
