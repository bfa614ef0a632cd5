/** Every telemetry table, and the types of their rows. What each ordering key answers: docs/internals/telemetry-schema.md. */
import { CHECK_INS } from './check-ins.ts'
import type { RowOf } from './column.ts'
import { COUNTED_IDS, DELETED_EVENTS, EVENT_INDEX, EVENTS } from './events.ts'
import { LOGS } from './logs.ts'
import { METRICS } from './metrics.ts'
import { NAVIGATIONS, PREFETCHES } from './navigations.ts'
import { OUTCOMES } from './outcomes.ts'
import { PROFILE_FUNCTIONS, PROFILES } from './profiles.ts'
import { REPLAYS } from './replays.ts'
import { SESSIONS } from './sessions.ts'
import type { FILTERS, ORIGIN } from './shared-columns.ts'
import { SPANS } from './spans.ts'
import type { Table } from './table.ts'
import { TABS } from './tabs.ts'
import { UPTIME_CHECKS } from './uptime-checks.ts'
import { VITALS } from './vitals.ts'

export const TABLES = {
  events: EVENTS,
  event_index: EVENT_INDEX,
  deleted_events: DELETED_EVENTS,
  counted_ids: COUNTED_IDS,
  outcomes: OUTCOMES,
  spans: SPANS,
  vitals: VITALS,
  navigations: NAVIGATIONS,
  prefetches: PREFETCHES,
  tabs: TABS,
  logs: LOGS,
  metrics: METRICS,
  sessions: SESSIONS,
  profiles: PROFILES,
  profile_functions: PROFILE_FUNCTIONS,
  replays: REPLAYS,
  check_ins: CHECK_INS,
  uptime_checks: UPTIME_CHECKS,
} as const satisfies Record<string, Table>

export type TelemetryTable = keyof typeof TABLES
export const TELEMETRY_TABLES = Object.keys(TABLES) as readonly TelemetryTable[]
/** Its partitions are the weeks in which rows were received. */
export const weeklyByAge = (table: TelemetryTable): boolean =>
  TABLES[table].partitionBy === `toMonday(${TABLES[table].ageColumn})`
/** The column by which the age of a row is counted. */
export const ageColumnOf = (table: TelemetryTable): string => TABLES[table].ageColumn
/** Tables whose rows are whole when an item was processed: they name no issue. */
export const ROW_TABLES = [
  'spans',
  'vitals',
  'navigations',
  'prefetches',
  'tabs',
  'logs',
  'sessions',
  'profiles',
  'profile_functions',
  'metrics',
  'replays',
  'check_ins',
] as const
export type RowTable = (typeof ROW_TABLES)[number]

/** Everything of an event that has a column; `issue_id` is added when the batch is committed. */
export type EventFields = RowOf<typeof EVENTS.columns>
export type OutcomeFields = RowOf<typeof OUTCOMES.columns>
export type SpanFields = RowOf<typeof SPANS.columns>
export type VitalFields = RowOf<typeof VITALS.columns>
export type NavigationFields = RowOf<typeof NAVIGATIONS.columns>
export type PrefetchFields = RowOf<typeof PREFETCHES.columns>
export type TabFields = RowOf<typeof TABS.columns>
export type SessionFields = RowOf<typeof SESSIONS.columns>
export type ReplayFields = RowOf<typeof REPLAYS.columns>
export type UptimeCheckFields = RowOf<typeof UPTIME_CHECKS.columns>
export type RowOrigin = RowOf<typeof ORIGIN>
export type FilterFields = RowOf<typeof FILTERS>
