/**
 * Holds what the reporter sends to the data model of the protocol; every envelope that a test's server gets goes
 * through here. https://develop.sentry.dev/sdk/data-model/
 */
import { normalizeEventId, parseDsn, readClientReport, readHeaderFields } from '@sonde/protocol'
import type { Payload, Recorded, RecordedItem } from './recorded.ts'

/** All zeros mean "none". https://www.w3.org/TR/trace-context/#trace-id */
const isTraceId = (text: string): boolean => /^(?!0+$)[0-9a-f]{32}$/.test(text)
const isSpanId = (text: string): boolean => /^(?!0+$)[0-9a-f]{16}$/.test(text)

const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug']
const STATUSES =
  'ok cancelled unknown unknown_error invalid_argument deadline_exceeded not_found already_exists permission_denied resource_exhausted failed_precondition aborted out_of_range unimplemented unavailable internal_error data_loss unauthenticated'.split(
    ' ',
  )
const ATTRIBUTE_TYPES = ['string', 'integer', 'double', 'boolean', 'array']
// Seconds since 1970, not milliseconds: between 2020 and 2100.
const isTime = (value: unknown): boolean =>
  typeof value === 'number' && value > 1_577_836_800 && value < 4_102_444_800

/** What is wrong, as sentences; nothing when the envelope is right. */
export function shapeProblems({ header, items }: Recorded): string[] {
  const problems: string[] = []
  const expect = (holds: boolean, sentence: string): void => {
    if (!holds) problems.push(sentence)
  }
  expect(!Number.isNaN(Date.parse(String(header['sent_at']))), 'sent_at of the envelope header is no time')
  expect(parseDsn(header['dsn']) !== undefined, 'dsn of the envelope header is no DSN')
  const sdk = header['sdk'] as { name?: string; version?: string } | undefined
  expect(/^[\w.]+$/.test(sdk?.name ?? '') && /^\d/.test(sdk?.version ?? ''), 'sdk of the envelope header')
  if (header['trace'] !== undefined) {
    const dsc = readHeaderFields(header).trace
    expect(dsc !== undefined && isTraceId(dsc['trace_id'] ?? ''), 'trace of the envelope header')
    expect(
      Object.values(header['trace'] as object).every((value) => typeof value === 'string'),
      'trace of the envelope header holds something that is no text',
    )
  }
  expect(items.length > 0, 'the envelope has no items')
  for (const kind of ['event', 'transaction', 'span'])
    expect(items.filter((item) => item.header.type === kind).length <= 1, `more than one ${kind}`)
  for (const item of items) problems.push(...itemProblems(item, header['event_id']))
  return problems
}

function itemProblems({ header, payload }: RecordedItem, envelopeId: unknown): string[] {
  const problems: string[] = []
  const expect = (holds: boolean, sentence: string): void => {
    if (!holds) problems.push(`${header.type}: ${sentence}`)
  }
  if (header.type === 'event' || header.type === 'transaction') {
    expect(normalizeEventId(payload.event_id) === payload.event_id, 'event_id is not 32 lower hex')
    expect(envelopeId === payload.event_id, 'the envelope header has another event_id')
    expect(isTime(payload.timestamp), 'timestamp')
    expect(payload.platform === 'javascript', 'platform')
    expect(typeof payload.environment === 'string', 'environment')
    expect(isTraceId(payload.contexts?.trace?.trace_id ?? ''), 'contexts.trace.trace_id')
    expect(isSpanId(payload.contexts?.trace?.span_id ?? ''), 'contexts.trace.span_id')
    expect(Array.isArray(payload.breadcrumbs ?? []), 'breadcrumbs')
    for (const crumb of payload.breadcrumbs ?? [])
      expect(isTime(crumb.timestamp), 'timestamp of a breadcrumb')
  }
  if (header.type === 'event') {
    expect(LEVELS.includes(payload.level), `level ${payload.level}`)
    problems.push(...exceptionProblems(payload.exception?.values ?? []))
  } else if (header.type === 'transaction') {
    expect(payload.type === 'transaction', 'type')
    expect(isTime(payload.start_timestamp) && payload.start_timestamp <= payload.timestamp, 'start_timestamp')
    expect(typeof payload.transaction === 'string' && payload.transaction !== '', 'transaction')
    expect((payload.spans ?? []).length <= 1000, 'more than 1000 spans')
    for (const span of payload.spans ?? []) {
      expect(isTraceId(span.trace_id) && isSpanId(span.span_id), 'ids of a span')
      expect(span.parent_span_id === undefined || isSpanId(span.parent_span_id), 'parent of a span')
      expect(isTime(span.start_timestamp) && isTime(span.timestamp), 'times of a span')
      expect(span.timestamp >= span.start_timestamp, 'a span ends before it starts')
      expect(span.status === undefined || STATUSES.includes(span.status), `status ${span.status} of a span`)
    }
    for (const measurement of Object.values<Payload>(payload.measurements ?? {}))
      expect(Number.isFinite(measurement.value) && typeof measurement.unit === 'string', 'measurement')
  } else if (header.type === 'span') {
    expect(header['content_type'] === 'application/vnd.sentry.items.span.v2+json', 'content_type')
    expect(header['item_count'] === payload.items?.length, 'item_count is not the number of items')
    for (const span of payload.items ?? []) problems.push(...spanProblems(span))
  } else if (header.type === 'client_report') {
    const report = readClientReport(payload)
    expect(report !== undefined && report.discarded.length > 0, 'no losses')
    expect(report?.discarded.length === payload.discarded_events?.length, 'an entry that cannot be read')
    expect(
      payload.discarded_events.every((loss: Payload) => loss.reason && loss.quantity > 0),
      'a loss without reason',
    )
  } else if (header.type === 'session') {
    expect(/^[0-9a-f]{32}$/.test(payload.sid), 'sid')
    for (const time of [payload.started, payload.timestamp])
      expect(!Number.isNaN(Date.parse(time)), 'times of a session')
    expect(
      ['ok', 'crashed'].includes(payload.status) && Number.isInteger(payload.errors),
      'status and errors',
    )
    expect(typeof payload.attrs?.release === 'string', 'release of a session')
  } else expect(false, 'an item type that the reporter does not send')
  return problems
}

function exceptionProblems(values: readonly Payload[]): string[] {
  return values.flatMap((value, index) => {
    const frames: Payload[] = value.stacktrace?.frames ?? []
    const name = `exception ${index}`
    return [
      ...(value.type || value.value ? [] : [`${name} has neither type nor value`]),
      ...(typeof value.mechanism?.type === 'string' ? [] : [`${name} has no mechanism`]),
      ...(value.stacktrace && frames.length === 0 ? [`${name} has an empty stack`] : []),
      ...frames.flatMap((frame) =>
        frame.filename && [frame.lineno ?? 1, frame.colno ?? 1].every(Number.isInteger)
          ? []
          : [`${name}: frame ${JSON.stringify(frame)}`],
      ),
    ]
  })
}

/** Of a v2 container: https://develop.sentry.dev/sdk/telemetry/spans/span-protocol/ */
function spanProblems(span: Payload): string[] {
  const problems: string[] = []
  if (!isTraceId(span.trace_id ?? '') || !isSpanId(span.span_id ?? '')) problems.push('span: ids')
  if (!span.name) problems.push('span: no name')
  if (span.status !== 'ok' && span.status !== 'error') problems.push(`span: status ${span.status}`)
  if (typeof span.is_segment !== 'boolean') problems.push('span: is_segment')
  if (!isTime(span.start_timestamp) || !isTime(span.end_timestamp)) problems.push('span: times')
  if (span.end_timestamp < span.start_timestamp) problems.push('span: ends before it starts')
  for (const [key, attribute] of Object.entries<Payload>(span.attributes ?? {})) {
    const { type, value } = attribute
    const fits =
      type === 'integer'
        ? Number.isInteger(value)
        : type === 'double'
          ? Number.isFinite(value)
          : type === 'array'
            ? Array.isArray(value)
            : typeof value === type
    if (!ATTRIBUTE_TYPES.includes(type) || !fits)
      problems.push(`span: attribute ${key} is ${JSON.stringify(attribute)}`)
  }
  return problems
}
