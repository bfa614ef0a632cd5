/**
 * Every kind of data that a project stores, with where it lies: what retention rules, quotas, the storage page and the
 * emergency deletion go by. docs/operate/retention.md
 */
import type { TelemetryTable } from '../telemetry/tables/tables.ts'

export type StorageKindInfo = {
  readonly name: string
  readonly holds: string
  readonly tables: readonly TelemetryTable[]
  /** Files beside the tables, which the records name. */
  readonly blobs?: 'attachment' | 'replay_segment' | 'artifact_file'
  /** `no`: rules do not touch it. */
  readonly rule: 'yes' | 'no'
  /** Whether it goes when the disk is nearly full. */
  readonly goesWhenFull: boolean
}

/** In the order in which data of the same age goes when the disk is nearly full. */
const STORAGE_KINDS = {
  profiles: kind('Profiles', 'profiles and their functions', ['profiles', 'profile_functions']),
  replays: {
    ...kind('Replays', 'recordings and what they are found by', ['replays']),
    blobs: 'replay_segment',
  },
  spans: kind('Spans', 'transactions and spans', ['spans']),
  logs: kind('Logs', 'log lines', ['logs']),
  metrics: kind('Metrics', 'metric points', ['metrics']),
  attachments: { ...kind('Attachments', 'files sent with events, minidumps too', []), blobs: 'attachment' },
  monitors: kind('Monitors', 'cron check-ins and uptime checks', ['check_ins', 'uptime_checks']),
  sessions: kind('Sessions', 'release health', ['sessions']),
  navigations: kind('Navigations', 'navigations, prefetches and open tabs', [
    'navigations',
    'prefetches',
    'tabs',
  ]),
  vitals: kind('Vitals', 'web vitals', ['vitals']),
  errors: kind('Errors', 'events of issues, user feedback too', ['events', 'event_index', 'deleted_events']),
  maps: {
    ...kind('Source maps', 'source maps and debug files, by the day of their last use', []),
    blobs: 'artifact_file',
    goesWhenFull: false,
  },
  counts: {
    ...kind('Counts', 'how many items were received and refused', ['outcomes', 'counted_ids']),
    rule: 'no',
    goesWhenFull: false,
  },
} as const satisfies Record<string, StorageKindInfo>

export type StorageKind = keyof typeof STORAGE_KINDS
export const STORAGE_KIND_NAMES = Object.keys(STORAGE_KINDS) as readonly StorageKind[]
export const storageKindInfo = (name: StorageKind): StorageKindInfo => STORAGE_KINDS[name]
export const isStorageKind = (name: string): name is StorageKind => Object.hasOwn(STORAGE_KINDS, name)

function kind(
  name: string,
  holds: string,
  tables: readonly TelemetryTable[],
): {
  name: string
  holds: string
  tables: readonly TelemetryTable[]
  rule: 'yes' | 'no'
  goesWhenFull: boolean
} {
  return { name, holds, tables, rule: 'yes', goesWhenFull: true }
}

export const STORAGE_DAY_MS = 86_400_000
/** The day (UTC) that a time is of. */
export const storageDay = (ms: number): number => ms - (ms % STORAGE_DAY_MS)
