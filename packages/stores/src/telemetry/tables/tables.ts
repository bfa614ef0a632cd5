/** Every telemetry table, and the types of their rows. What each ordering key answers: docs/internals/telemetry-schema.md. */
import type { RowOf } from './column.ts'
import { EVENT_INDEX, EVENTS } from './events.ts'
import { NAVIGATIONS, PREFETCHES } from './navigations.ts'
import { OUTCOMES } from './outcomes.ts'
import type { FILTERS, ORIGIN } from './shared-columns.ts'
import { SPANS } from './spans.ts'
import type { Table } from './table.ts'
import { VITALS } from './vitals.ts'

export const TABLES = {
  events: EVENTS,
  event_index: EVENT_INDEX,
  outcomes: OUTCOMES,
  spans: SPANS,
  vitals: VITALS,
  navigations: NAVIGATIONS,
  prefetches: PREFETCHES,
} as const satisfies Record<string, Table>

export type TelemetryTable = keyof typeof TABLES
export const TELEMETRY_TABLES = Object.keys(TABLES) as readonly TelemetryTable[]
/** Tables that one span item fills. */
export const SPAN_TABLES = ['spans', 'vitals', 'navigations', 'prefetches'] as const
export type SpanTable = (typeof SPAN_TABLES)[number]

/** Everything of an event that has a column; `issue_id` is added when the batch is committed. */
export type EventFields = RowOf<typeof EVENTS.columns>
export type OutcomeFields = RowOf<typeof OUTCOMES.columns>
export type SpanFields = RowOf<typeof SPANS.columns>
export type VitalFields = RowOf<typeof VITALS.columns>
export type NavigationFields = RowOf<typeof NAVIGATIONS.columns>
export type PrefetchFields = RowOf<typeof PREFETCHES.columns>
export type RowOrigin = RowOf<typeof ORIGIN>
export type FilterFields = RowOf<typeof FILTERS>
