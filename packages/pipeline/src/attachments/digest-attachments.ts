/** The attachments of one envelope: which are kept, under what name, and where their bytes lie. Pure. */
import { hash } from 'node:crypto'
import type { EnvelopeMeta, LogRecord } from '@sonde/log'
import type { EnvelopeItem, ItemHeader } from '@sonde/protocol/envelope'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { needsEventId } from '@sonde/protocol/item-kinds'
import type { OutcomeFields } from '@sonde/stores'
import type { DigestedAttachment } from '../digest/digested.ts'
import { eventIdFromPosition } from '../digest/event-id-from-position.ts'
import { type CountedFor, outcome } from '../digest/item-outcomes.ts'
import { attachmentName, attachmentType, contentType } from './attachment-name.ts'
import { sniffContent } from './sniff-content.ts'

/**
 * What became of what the envelope exists for. Nothing was in it: its attachments belong to an event that came
 * earlier or will come later.
 */
export type LeaderFate = 'kept' | 'filtered' | 'invalid' | 'not_shown'

export type AttachmentsInput = {
  readonly items: readonly (readonly [itemIndex: number, item: EnvelopeItem])[]
  readonly record: LogRecord
  readonly meta: EnvelopeMeta
  /** Of the envelope's own header. */
  readonly headerEventId: string | undefined
  readonly fate: LeaderFate
  readonly by: CountedFor
}

export function digestAttachments(input: AttachmentsInput): {
  readonly attachments: readonly DigestedAttachment[]
  readonly outcomes: readonly OutcomeFields[]
} {
  const attachments: DigestedAttachment[] = []
  const outcomes: OutcomeFields[] = []
  for (const [itemIndex, item] of input.items) {
    const end = endOf(item.header, input)
    if (end) outcomes.push(end)
    else attachments.push(digestAttachment(itemIndex, item, input))
  }
  return { attachments, outcomes }
}

/** Parts of an event in msgpack; native SDKs send them beside a minidump, which is not read yet. */
const RESERVED_NAMES: ReadonlySet<unknown> = new Set([
  '__sentry-event',
  '__sentry-breadcrumb1',
  '__sentry-breadcrumb2',
])
/** The same parts by their type, and a file that lies with another upload endpoint. */
const RESERVED_TYPES: ReadonlySet<unknown> = new Set(['event.payload', 'event.breadcrumbs'])
const REFERENCE = 'application/vnd.sentry.attachment-ref+json'

/** Undefined: it is kept. */
function endOf(header: ItemHeader, { fate, by }: AttachmentsInput): OutcomeFields | undefined {
  if (fate === 'filtered') return outcome(by, 'attachment', 'filtered', 'event_dropped', 1)
  if (fate === 'invalid') return outcome(by, 'attachment', 'invalid', 'event_invalid', 1)
  const isShown =
    fate === 'kept' &&
    needsEventId(header) &&
    !RESERVED_NAMES.has(header['filename']) &&
    !RESERVED_TYPES.has(header['attachment_type']) &&
    header['content_type'] !== REFERENCE
  return isShown ? undefined : outcome(by, 'attachment', 'unsupported', 'not_yet_shown', 1)
}

function digestAttachment(
  itemIndex: number,
  { header, payload }: EnvelopeItem,
  { record, meta, headerEventId }: AttachmentsInput,
): DigestedAttachment {
  const { position } = record
  const { projectId, keyId, receivedMs } = meta
  const eventId = normalizeEventId(meta.eventId) ?? headerEventId ?? eventIdFromPosition(position, itemIndex)
  return {
    position,
    itemIndex,
    projectId,
    keyId,
    eventId,
    receivedMs,
    name: attachmentName(header['filename']),
    contentType: contentType(header['content_type']),
    attachmentType: attachmentType(header['attachment_type']),
    shownAs: sniffContent(payload),
    // Views of one buffer: the bytes themselves stay with the committer.
    offset: payload.byteOffset - record.bytes.byteOffset,
    bytes: payload.byteLength,
    sha1: hash('sha1', payload, 'hex'),
    sha256: hash('sha256', payload, 'hex'),
  }
}
