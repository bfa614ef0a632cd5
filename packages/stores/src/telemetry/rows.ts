/**
 * Rows as lines of tab-separated text (`TabSeparated`): JSON inside JSON would be escaped, sent and read a fifth longer.
 * Worker threads make the text; the committer only writes the issue's id in front, so the expensive part (escaping the
 * payload) is off the ordered path.
 */
import { numberListText, unescapeText } from './row-text.ts'
import { insertColumns, rowEncoder } from './tables/column.ts'
import { TABLES, type TelemetryTable } from './tables/tables.ts'
import type { TelemetryRow } from './telemetry.ts'

/** Which columns a table's rows have, in their order. */
export const ROW_COLUMNS = Object.fromEntries(
  Object.entries(TABLES).map(([name, { columns }]) => [name, insertColumns(columns)]),
) as Readonly<Record<TelemetryTable, readonly string[]>>

/** In front of a row, for an id of up to 16 digits (2^53) and its tab: so it is added without copying the row. */
const ROOM = 17
const EMPTY_ROOM = ' '.repeat(ROOM)

/** Without `issue_id`, which is known only when the batch is committed: see `withIssueId`. */
export const encodeEventRow = rowEncoder(TABLES.events.columns, EMPTY_ROOM)
/** The same event's row for `event_index`, again without `issue_id`. */
export const encodeIndexRow = rowEncoder(TABLES.event_index.columns, EMPTY_ROOM)
export const encodeCountedIdRow = rowEncoder(TABLES.counted_ids.columns)
export const encodeOutcomeRow = rowEncoder(TABLES.outcomes.columns)
export const encodeSpanRow = rowEncoder(TABLES.spans.columns)
export const encodeVitalRow = rowEncoder(TABLES.vitals.columns)
export const encodeNavigationRow = rowEncoder(TABLES.navigations.columns)
export const encodePrefetchRow = rowEncoder(TABLES.prefetches.columns)
export const encodeTabRow = rowEncoder(TABLES.tabs.columns)
export const encodeLogRow = rowEncoder(TABLES.logs.columns)
export const encodeProfileRow = rowEncoder(TABLES.profiles.columns)
export const encodeProfileFunctionRow = rowEncoder(TABLES.profile_functions.columns)
export const encodeMetricRow = rowEncoder(TABLES.metrics.columns)
export const encodeSessionRow = rowEncoder(TABLES.sessions.columns)
export const encodeReplayRow = rowEncoder(TABLES.replays.columns)
export const encodeCheckInRow = rowEncoder(TABLES.check_ins.columns)
export const encodeUptimeCheckRow = rowEncoder(TABLES.uptime_checks.columns)

/** `row` is what `encodeEventRow` or `encodeIndexRow` made, or its bytes: those are changed in place. */
export function withIssueId<Row extends TelemetryRow>(row: Row, issueId: number): Row
export function withIssueId(row: TelemetryRow, issueId: number): TelemetryRow {
  if (typeof row === 'string') return `${issueId}\t${row.slice(ROOM)}`
  let at = ROOM - 1
  row[at] = 0x09
  for (let rest = issueId; rest > 0 || at === ROOM - 1; rest = Math.floor(rest / 10))
    row[--at] = 0x30 + (rest % 10)
  return row.subarray(at)
}

const PAYLOAD = ROW_COLUMNS.events.indexOf('payload')

/** The event's JSON out of what `encodeEventRow` made, or its bytes: for the few that are looked at when they are committed. */
export function payloadOfRow(row: TelemetryRow): string {
  const text = typeof row === 'string' ? row : new TextDecoder().decode(row)
  // Behind the room in front, in which an id may have been written. Tabs within values are escaped.
  return unescapeText(text.slice(ROOM).split('\t')[PAYLOAD - 1] ?? '')
}

const NONE_LEFT_OUT = '0\t[]'
/** Instead of what its last two columns have. `row` is what `encodeEventRow` made, or its bytes. */
export function withLeftOut(row: TelemetryRow, events: number, users: readonly number[]): TelemetryRow {
  const isText = typeof row === 'string'
  const end = row.length - NONE_LEFT_OUT.length
  const last = isText ? row.slice(end) : new TextDecoder().decode(row.subarray(end))
  if (last !== NONE_LEFT_OUT) throw new Error('the row of an event ends with what was left out')
  const text = `${events}\t${numberListText(users)}`
  if (isText) return `${row.slice(0, end)}${text}`
  const written = new TextEncoder().encode(text)
  const bytes = new Uint8Array(end + written.length)
  bytes.set(row.subarray(0, end))
  bytes.set(written, end)
  return bytes
}
