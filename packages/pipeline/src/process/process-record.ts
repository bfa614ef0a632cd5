/** One log record → everything that can be known about it without a store. Pure; safe on any thread. */
import { decodeIntakeRecord, type EnvelopeMeta, type IntakeRecord, type LogRecord } from '@sonde/log'
import { type Envelope, type EnvelopeItem, parseEnvelope, readHeaderFields } from '@sonde/protocol/envelope'
import { categoryOf, itemKind, itemQuantity, needsEventId } from '@sonde/protocol/item-kinds'
import type { OutcomeFields } from '@sonde/stores'
import { feedbackOfReport } from '../feedback/user-report.ts'
import { isMissingFiles, type MissingFile, type MissingFiles } from '../maps/file-requests.ts'
import { isMinidump, withMinidump } from '../minidump/minidump-event.ts'
import { fieldsOfParts, partOf } from '../minidump/sent-parts.ts'
import { unrealOf, withUnreal } from '../minidump/unreal-event.ts'
import { isDropped, type StageTimes } from '../stage-runner.ts'
import { EVENT_STAGES } from '../stages.ts'
import type { EventInput, ItemFiles } from '../stages/event-input.ts'
import { processAttachments, type Disposition } from './attachments.ts'
import { type CountedFor, countItem, outcome } from './item-outcomes.ts'
import {
  type DeadItem,
  type DeadReason,
  type ProcessedEvent,
  type ProcessedRecord,
  type ProcessedRows,
  WHOLE_RECORD,
} from './processed.ts'
import { rowStagesOf } from './row-items.ts'
import { securityReports } from './security-reports.ts'
import { type ProcessingSettings, settingsOf } from './settings-history.ts'

// Enough to see what went wrong, too little to fill the records with a payload.
const MAX_DETAIL = 500

/** Without uploaded files: frames stay as they came. */
export function processRecord(
  record: LogRecord,
  settings: ProcessingSettings,
  times: StageTimes = new Map(),
): ProcessedRecord {
  const processed = tryProcess(record, settings, times, undefined)
  if (isMissingFiles(processed)) throw new Error('no file can be missing where none is requested')
  return processed
}

/**
 * Never throws: what cannot be processed is in `dead`, and does not keep the rest of its envelope from being. `Lacking`: to
 * be done again once that is known.
 */
export function tryProcess(
  record: LogRecord,
  settings: ProcessingSettings,
  times: StageTimes,
  files: ItemFiles | undefined,
): ProcessedRecord | MissingFiles {
  const { position, next } = record
  let intake: IntakeRecord
  try {
    intake = decodeIntakeRecord(record.bytes)
  } catch (error) {
    const dead = deadRecord({ projectId: 0, keyId: 0, receivedMs: 0 }, 'record_unreadable', error)
    return { position, next, ...NOTHING, dead: [dead] }
  }
  const { meta, body } = intake
  if (meta.kind === 'outcomes') {
    const outcomes = meta.outcomes.map((each) => ({ ...each, atMs: meta.receivedMs }))
    return { position, next, ...NOTHING, outcomes }
  }
  try {
    const processed = processEnvelope(parseEnvelope(body), meta, record, settings, times, files)
    return isMissingFiles(processed) ? processed : { position, next, ...processed }
  } catch (error) {
    return { position, next, ...NOTHING, dead: [deadRecord(meta, 'envelope_unreadable', error)] }
  }
}

type Processed = Omit<ProcessedRecord, 'position' | 'next'>
const NOTHING: Processed = { events: [], rows: [], attachments: [], outcomes: [], dead: [] }

function processEnvelope(
  envelope: Envelope,
  meta: EnvelopeMeta,
  record: LogRecord,
  settings: ProcessingSettings,
  times: StageTimes,
  files: ItemFiles | undefined,
): Processed | MissingFiles {
  const { position } = record
  const header = readHeaderFields(envelope.header)
  const { projectId, keyId, receivedMs, clientIp, userAgent, client } = meta
  const by: CountedFor = {
    projectId,
    keyId,
    receivedMs,
    sdk: header.sdk?.name ?? client?.split('/')[0] ?? '',
  }
  const context = {
    receivedMs,
    sentAtMs: header.sentAtMs,
    clientIp,
    userAgent,
    sdkClient: client,
    trace: header.trace,
  }
  const own = settingsOf(settings, projectId)
  const skipped = new Set(meta.skip)
  const events: ProcessedEvent[] = []
  const rows: ProcessedRows[] = []
  const outcomes: OutcomeFields[] = []
  const dead: DeadItem[] = []
  const attached: [number, EnvelopeItem][] = []
  const dispositions = new Set<Disposition>()
  const missing: MissingFile[] = []
  // Native SDKs send a crash as a file, with an event around it or without.
  const dumped = envelope.items.findIndex((item, at) => !skipped.has(at) && isMinidump(item))
  const hasEvent = envelope.items.some((item, at) => !skipped.has(at) && item.header.type === 'event')
  const present = skipped.size === 0 ? envelope.items : envelope.items.filter((_, at) => !skipped.has(at))
  const unreal = unrealOf(present)
  const payloadOf = (item: EnvelopeItem): Uint8Array => {
    const dump = envelope.items[dumped]
    if (item !== dump && item.header.type !== 'event') return item.payload
    const sent = item === dump ? undefined : item.payload
    const payload = dump ? withMinidump(sent, fieldsOfParts(present), dump.payload) : item.payload
    return unreal ? withUnreal(payload, unreal.context.payload, unreal.log?.payload) : payload
  }
  for (const [itemIndex, item] of envelope.items.entries()) {
    if (skipped.has(itemIndex)) continue
    const isCrash = itemIndex === dumped
    if (dumped >= 0 && partOf(item.header) !== undefined) {
      // In the event of the dump.
      outcomes.push(outcome(by, 'attachment', 'accepted', '', 1))
      continue
    }
    if (item.header.type === 'attachment') {
      attached.push([itemIndex, item])
      if (!isCrash || hasEvent) continue
    }
    const type = isCrash ? 'event' : item.header.type
    if (itemKind(type).handling !== 'stored') {
      if (isEventItem(item)) dispositions.add('not_shown')
      outcomes.push(...countItem(item, by))
      continue
    }
    try {
      const input: EventInput = {
        payload: payloadOf(item),
        partition: settings.logPartition,
        position,
        itemIndex,
        projectId,
        keyId,
        eventId: meta.eventId ?? header.eventId,
        receivedMs,
        context: { ...context, itemType: type },
        settings: own,
        files,
      }
      const rowStages = rowStagesOf(type)
      if (rowStages) {
        const facts = { trace: header.trace, userAgent, sdkClient: client, sdk: header.sdk }
        const result = rowStages({ ...input, header: item.header, envelope: facts }, times)
        if (isMissingFiles(result)) missing.push(...result.missing)
        else if (isDropped(result)) {
          const { outcome: ends, reason } = result.dropped
          outcomes.push(outcome(by, categoryOf(item.header), ends, reason, itemQuantity(item.header)))
          if (isEventItem(item)) dispositions.add(ends === 'filtered' ? 'filtered' : 'invalid')
        } else {
          // What sampling left nothing of has nothing to commit.
          if (Object.keys(result.item.rows).length > 0) rows.push(result.item)
          outcomes.push(...result.outcomes)
          events.push(...(result.found ?? []))
          if (isEventItem(item)) dispositions.add(holdsEvent(result.item) ? 'kept' : 'filtered')
        }
        continue
      }
      const { inputs, endings } = isReport(type)
        ? securityReports(item.header, input)
        : { inputs: [type === 'user_report' ? feedbackOfReport(input) : input], endings: [] }
      // All before any: an item whose second report is dead is kept as a whole.
      const results = inputs.map((each) => EVENT_STAGES.run(each, times))
      const category = isCrash ? 'error' : categoryOf(item.header)
      for (const { end, quantity } of endings)
        outcomes.push(outcome(by, category, end.outcome, end.reason, quantity))
      for (const result of results) {
        if (isMissingFiles(result)) missing.push(...result.missing)
        else if (isDropped(result)) {
          outcomes.push(outcome(by, category, result.dropped.outcome, result.dropped.reason, 1))
          if (isEventItem(item))
            dispositions.add(result.dropped.outcome === 'filtered' ? 'filtered' : 'invalid')
        } else {
          events.push(type === 'user_report' ? { ...result, category } : result)
          if (isEventItem(item)) dispositions.add('kept')
        }
      }
    } catch (error) {
      // Replayed once the cause is gone: then its files are there.
      dispositions.add('kept')
      dead.push(deadItem(meta, item, itemIndex, error))
    }
  }
  if (missing.length > 0) return { missing }
  const disposition = DISPOSITIONS.find((each) => dispositions.has(each)) ?? 'kept'
  const attachments = processAttachments({
    items: attached,
    record,
    partition: settings.logPartition,
    meta,
    headerEventId: header.eventId,
    disposition,
    by,
  })
  outcomes.push(...attachments.outcomes)
  return { events, rows, attachments: attachments.attachments, outcomes, dead }
}

/** The best one counts: an attachment is kept as long as anything of its envelope is that can show it. */
const DISPOSITIONS = ['kept', 'filtered', 'invalid', 'not_shown'] as const satisfies readonly Disposition[]

/** What belongs to an event without being one. */
const DEPENDENT_ITEMS: ReadonlySet<string> = new Set(['profile', 'form_data', 'user_report', 'replay_event'])
const isEventItem = ({ header }: EnvelopeItem): boolean =>
  needsEventId(header) && !DEPENDENT_ITEMS.has(header.type)

/** Its transaction, or what else it is, was not left out by sampling. */
const holdsEvent = ({ category, counts }: ProcessedRows): boolean =>
  counts.some((count) => count.category === category)

/** `security` is what upstream's servers call it among themselves. */
const isReport = (type: string): boolean => type === 'raw_security' || type === 'security' || type === 'nel'

type DeadOwner = Pick<DeadItem, 'projectId' | 'keyId' | 'receivedMs'>

function deadItem(owner: DeadOwner, item: EnvelopeItem, itemIndex: number, error: unknown): DeadItem {
  const { projectId, keyId, receivedMs } = owner
  const { type } = item.header
  const at = { projectId, keyId, receivedMs, itemIndex, itemType: type, category: categoryOf(item.header) }
  return { ...at, reason: 'digest_error', detail: detailOf(error) }
}

/** `bytes` may be what ended a worker thread: only its first line is looked at. */
export function deadFromBytes(bytes: Uint8Array, reason: DeadReason, error: unknown): DeadItem {
  let owner: DeadOwner = { projectId: 0, keyId: 0, receivedMs: 0 }
  try {
    const { meta } = decodeIntakeRecord(bytes)
    if (meta.kind === 'envelope') owner = meta
  } catch {
    // Then nobody is named; the bytes are kept all the same.
  }
  return deadRecord(owner, reason, error)
}

function deadRecord(
  { projectId, keyId, receivedMs }: DeadOwner,
  reason: DeadReason,
  error: unknown,
): DeadItem {
  const whole = { itemIndex: WHOLE_RECORD, itemType: 'envelope', category: 'default' }
  return { projectId, keyId, receivedMs, ...whole, reason, detail: detailOf(error) }
}

function detailOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, MAX_DETAIL)
}
