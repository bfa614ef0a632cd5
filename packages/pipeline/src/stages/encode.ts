/** The last stage: rows for the stores, and what the event says about its issue. */
import type { EventType, Frame, NormalizedEvent, Stacktrace } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import { encodeEventRow, type EventFields, fullPerDayOf } from '@sonde/stores'
import { deriveTags, mainException, userKeyOf } from '../normalize/index.ts'
import type { ProcessedEvent, IssueFields } from '../process/processed.ts'
import { debugIdsOf, placeOf } from '../symbolicate/find-files.ts'
import { usedDebugIds } from '../symbolicate/images.ts'
import { eventJson } from '../symbolicate/shared-frames.ts'
import type { GroupedInput } from './event-input.ts'

export function encodeEvent(input: GroupedInput): ProcessedEvent {
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
    userKey: fields.userKey,
    noise: input.event.derived.noise?.class ?? '',
    fullPerDay: fullPerDayOf(input.settings.noise, input.event.derived.noise?.class),
  }
}

export type EncodedFrom = Pick<
  GroupedInput,
  'event' | 'hashes' | 'partition' | 'position' | 'itemIndex' | 'projectId' | 'receivedMs'
>

export function eventFields({
  event,
  hashes,
  partition,
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
    logPartition: partition,
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
    payload: eventJson(event),
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
    environment: fields.environment,
    release: fields.release,
  }
}

/** Counted as Sentry counts: an item is an `error` only until its payload says that it is not one. */
function categoryOfType(type: EventType): 'error' | 'default' | 'security' | 'feedback' | 'performance' {
  if (type === 'error') return 'error'
  if (type === 'default') return 'default'
  if (type.startsWith('performance_')) return 'performance'
  return type === 'feedback' ? 'feedback' : 'security'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** What is asked of stored events when a file comes late: which files they need, and whether they can be read. */
// A page loads some dozen scripts.
const MAX_DEBUG_IDS = 200

/** Debug ids of the files of all frames, as they came. */
export function debugIdColumn(event: NormalizedEvent): readonly string[] {
  const stacks = rawStacks(event)
  const used = new Set(usedDebugIds(event, stacks))
  const ids = debugIdsOf(event)
  for (const stack of ids.size === 0 ? [] : stacks)
    for (const frame of stack.frames) {
      const id = placeOf(frame, event.platform, ids)?.debugId
      if (id !== undefined) used.add(id)
    }
  return [...used].sort().slice(0, MAX_DEBUG_IDS)
}

/** The problem that most frames of the application have; empty: all of them can be read. */
export function unreadableColumn(event: NormalizedEvent): FrameProblem | '' {
  const counts = new Map<FrameProblem, number>()
  for (const { stacktrace } of [...(event.exception ?? []), ...(event.threads ?? [])])
    for (const { problem, in_app: isOwn } of stacktrace?.frames ?? [])
      if (problem && isOwn) counts.set(problem.reason, (counts.get(problem.reason) ?? 0) + 1)
  let most: FrameProblem | '' = ''
  for (const [reason, count] of counts) if (most === '' || count > (counts.get(most) ?? 0)) most = reason
  return most
}

function rawStacks(event: NormalizedEvent): Stacktrace[] {
  return [...(event.exception ?? []), ...(event.threads ?? [])]
    .map(({ stacktrace, raw_stacktrace: before }) =>
      before && stacktrace?.frames.some(isMapped) ? before : stacktrace,
    )
    .filter((stack) => stack !== undefined)
}

const isMapped = ({ data }: Frame): boolean => data?.['symbolicated'] === true
