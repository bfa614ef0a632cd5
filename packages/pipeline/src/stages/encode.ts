/** The last stage: rows for the stores, and what the event says about its issue. */
import type { EventType, NormalizedEvent } from '@sonde/protocol/event'
import { encodeEventRow, type EventFields } from '@sonde/stores'
import type { DigestedEvent, IssueFields } from '../digest/digested.ts'
import { deriveTags, mainException, userKeyOf } from '../normalize/index.ts'
import { debugIdColumn, unreadableColumn } from '../symbolicate/event-columns.ts'
import type { GroupedInput } from './event-input.ts'

export function encodeEvent(input: GroupedInput): DigestedEvent {
  const fields = eventFields(input)
  return {
    position: input.position,
    itemIndex: input.itemIndex,
    projectId: input.projectId,
    keyId: input.keyId,
    eventId: fields.eventId,
    category: categoryOfType(input.event.type),
    receivedMs: input.receivedMs,
    row: encodeEventRow(fields),
    hashes: input.hashes,
    issue: issueFields(input.event, fields),
  }
}

export type EncodedFrom = Pick<
  GroupedInput,
  'event' | 'hashes' | 'position' | 'itemIndex' | 'projectId' | 'receivedMs'
>

export function eventFields({
  event,
  hashes,
  position,
  itemIndex,
  projectId,
  receivedMs,
}: EncodedFrom): EventFields {
  const exception = mainException(event)
  const handled = exception?.mechanism?.handled
  const trace = event.contexts?.['trace']
  return {
    projectId,
    eventId: event.event_id,
    timestampMs: Math.round(event.timestamp * 1000),
    receivedMs,
    logPosition: position,
    itemIndex,
    type: event.type,
    level: event.level,
    platform: event.platform,
    release: event.release ?? '',
    dist: event.dist ?? '',
    environment: event.environment ?? '',
    transaction: event.transaction ?? '',
    title: event.derived.title,
    culprit: event.derived.culprit,
    exceptionType: exception?.type ?? '',
    exceptionValue: exception?.value ?? '',
    message: event.logentry?.formatted ?? event.logentry?.message ?? '',
    handled: handled === undefined ? '' : handled ? 'yes' : 'no',
    userKey: userKeyOf(event.user) ?? '',
    sdkName: event.sdk?.name ?? '',
    sdkVersion: event.sdk?.version ?? '',
    traceId: textOf(trace?.['trace_id']),
    spanId: textOf(trace?.['span_id']),
    url: event.request?.url ?? '',
    tags: deriveTags(event),
    hashes,
    debugIds: debugIdColumn(event),
    unreadable: unreadableColumn(event),
    revision: 0,
    payload: JSON.stringify(event),
  }
}

export function issueFields(event: NormalizedEvent, fields: EventFields): IssueFields {
  return {
    timestampMs: fields.timestampMs,
    type: event.type,
    level: event.level,
    title: event.derived.title,
    culprit: event.derived.culprit,
    platform: event.platform,
    metadata: JSON.stringify(event.derived.metadata),
    logger: event.logger ?? '',
    isUnhandled: fields.handled === 'no',
    release: fields.release,
  }
}

/** Counted as Sentry counts: an item is an `error` only until its payload says that it is not one. */
export function categoryOfType(type: EventType): 'error' | 'default' | 'security' | 'feedback' {
  if (type === 'error') return 'error'
  if (type === 'default') return 'default'
  return type === 'feedback' ? 'feedback' : 'security'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
