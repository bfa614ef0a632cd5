/**
 * Rows as the text of one JSON object each (JSONEachRow). Digesting makes the text on worker threads; the committer
 * only prepends the issue's id, so the expensive part (escaping the payload) is off the ordered path.
 * Times are integers in the column's unit: a JSON float is refused by DateTime64.
 */
import type { EventFields, OutcomeFields } from './telemetry.ts'

/** Without `issue_id`, which is known only when the batch is committed: see `withIssueId`. */
export function encodeEventRow(fields: EventFields): string {
  return JSON.stringify({
    project_id: fields.projectId,
    event_id: fields.eventId,
    timestamp: storableMs(fields.timestampMs),
    received: storableMs(fields.receivedMs),
    log_position: fields.logPosition,
    item_index: fields.itemIndex,
    type: storable(fields.type),
    level: storable(fields.level),
    platform: storable(fields.platform),
    release: storable(fields.release),
    dist: storable(fields.dist),
    environment: storable(fields.environment),
    transaction: storable(fields.transaction),
    title: storable(fields.title),
    culprit: storable(fields.culprit),
    exception_type: storable(fields.exceptionType),
    exception_value: storable(fields.exceptionValue),
    message: storable(fields.message),
    handled: fields.handled,
    user_key: storable(fields.userKey),
    sdk_name: storable(fields.sdkName),
    sdk_version: storable(fields.sdkVersion),
    trace_id: storable(fields.traceId),
    span_id: storable(fields.spanId),
    url: storable(fields.url),
    tags: storableTags(fields.tags),
    hashes: fields.hashes,
    payload: storable(fields.payload),
  })
}

/** The same event's row for `event_index`, again without `issue_id`. */
export function encodeIndexRow(
  fields: Pick<
    EventFields,
    'projectId' | 'eventId' | 'timestampMs' | 'receivedMs' | 'logPosition' | 'itemIndex'
  >,
): string {
  return JSON.stringify({
    project_id: fields.projectId,
    event_id: fields.eventId,
    timestamp: storableMs(fields.timestampMs),
    received: storableMs(fields.receivedMs),
    log_position: fields.logPosition,
    item_index: fields.itemIndex,
  })
}

/** `row` is what `encodeEventRow` or `encodeIndexRow` made. */
export function withIssueId(row: string, issueId: number): string {
  return `{"issue_id":${issueId},${row.slice(1)}`
}

export function encodeOutcomeRow(fields: OutcomeFields): string {
  return JSON.stringify({
    minute: Math.floor(storableMs(fields.atMs) / MINUTE_MS) * (MINUTE_MS / 1000),
    project_id: fields.projectId,
    key_id: fields.keyId,
    category: storable(fields.category),
    outcome: storable(fields.outcome),
    reason: storable(fields.reason),
    quantity: fields.quantity,
  })
}

const MINUTE_MS = 60_000
// DateTime64 ends with 2299, DateTime (outcomes.minute) in February 2106; both begin at 1970 for us.
const LAST_MS = Date.UTC(2106, 0, 1)
function storableMs(ms: number): number {
  return Number.isFinite(ms) ? Math.min(LAST_MS, Math.max(0, Math.floor(ms))) : 0
}

/** Half a surrogate pair has no UTF-8 form; JSON.stringify would pass it on as an escape that the engine refuses. */
const storable = (text: string): string => text.toWellFormed()

function storableTags(tags: EventFields['tags']): Record<string, string> {
  const entries = Object.entries(tags).map(([key, value]) => [storable(key), storable(value)] as const)
  return Object.fromEntries(entries)
}
