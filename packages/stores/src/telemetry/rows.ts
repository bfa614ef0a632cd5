/**
 * Rows as lines of tab-separated text (`TabSeparated`): JSON inside JSON would be escaped, sent and read a fifth longer.
 * Digesting makes the text on worker threads; the committer only writes the issue's id in front, so the expensive part
 * (escaping the payload) is off the ordered path.
 */
import { NAVIGATION_COLUMNS, PREFETCH_COLUMNS } from './spans/navigation-rows.ts'
import { SPAN_COLUMNS, VITAL_COLUMNS } from './spans/span-rows.ts'
import { escapeText, listText, mapText, milliText, secondText } from './row-text.ts'
import type { EventFields, OutcomeFields, TelemetryRow, TelemetryTable } from './telemetry.ts'

/** Which columns a table's rows have, in their order. */
export const ROW_COLUMNS = {
  events: [
    'issue_id',
    'project_id',
    'event_id',
    'timestamp',
    'received',
    'log_position',
    'item_index',
    'type',
    'level',
    'platform',
    'release',
    'dist',
    'environment',
    'transaction',
    'title',
    'culprit',
    'exception_type',
    'exception_value',
    'message',
    'handled',
    'user_key',
    'sdk_name',
    'sdk_version',
    'trace_id',
    'span_id',
    'url',
    'tags',
    'hashes',
    'debug_ids',
    'unreadable',
    'revision',
    'payload',
  ],
  event_index: [
    'issue_id',
    'project_id',
    'event_id',
    'timestamp',
    'received',
    'log_position',
    'item_index',
    'revision',
  ],
  outcomes: ['minute', 'project_id', 'key_id', 'category', 'outcome', 'reason', 'quantity'],
  spans: SPAN_COLUMNS,
  vitals: VITAL_COLUMNS,
  navigations: NAVIGATION_COLUMNS,
  prefetches: PREFETCH_COLUMNS,
} as const satisfies Record<TelemetryTable, readonly string[]>

/** In front of a row, for an id of up to 16 digits (2^53) and its tab: so it is added without copying the row. */
const ROOM = 17
const EMPTY_ROOM = ' '.repeat(ROOM)

/** Without `issue_id`, which is known only when the batch is committed: see `withIssueId`. */
export function encodeEventRow(fields: EventFields): string {
  const { projectId, eventId, timestampMs, receivedMs, logPosition, itemIndex } = fields
  const texts =
    `${escapeText(fields.type)}\t${escapeText(fields.level)}\t${escapeText(fields.platform)}\t` +
    `${escapeText(fields.release)}\t${escapeText(fields.dist)}\t${escapeText(fields.environment)}\t` +
    `${escapeText(fields.transaction)}\t${escapeText(fields.title)}\t${escapeText(fields.culprit)}\t` +
    `${escapeText(fields.exceptionType)}\t${escapeText(fields.exceptionValue)}\t${escapeText(fields.message)}\t` +
    `${fields.handled}\t${escapeText(fields.userKey)}\t${escapeText(fields.sdkName)}\t` +
    `${escapeText(fields.sdkVersion)}\t${escapeText(fields.traceId)}\t${escapeText(fields.spanId)}\t` +
    escapeText(fields.url)
  return (
    `${EMPTY_ROOM}${projectId}\t${eventId}\t${milliText(timestampMs)}\t${milliText(receivedMs)}\t` +
    `${logPosition}\t${itemIndex}\t${texts}\t${mapText(fields.tags)}\t${listText(fields.hashes)}\t` +
    `${listText(fields.debugIds)}\t${fields.unreadable}\t${fields.revision}\t${escapeText(fields.payload)}`
  )
}

/** The same event's row for `event_index`, again without `issue_id`. */
export function encodeIndexRow(
  fields: Pick<
    EventFields,
    'projectId' | 'eventId' | 'timestampMs' | 'receivedMs' | 'logPosition' | 'itemIndex' | 'revision'
  >,
): string {
  const { projectId, eventId, timestampMs, receivedMs, logPosition, itemIndex, revision } = fields
  return (
    `${EMPTY_ROOM}${projectId}\t${eventId}\t${milliText(timestampMs)}\t${milliText(receivedMs)}\t` +
    `${logPosition}\t${itemIndex}\t${revision}`
  )
}

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

export function encodeOutcomeRow(fields: OutcomeFields): string {
  const minuteMs = Math.floor(fields.atMs / MINUTE_MS) * MINUTE_MS
  return (
    `${secondText(minuteMs)}\t${fields.projectId}\t${fields.keyId}\t${escapeText(fields.category)}\t` +
    `${escapeText(fields.outcome)}\t${escapeText(fields.reason)}\t${fields.quantity}`
  )
}

const MINUTE_MS = 60_000
