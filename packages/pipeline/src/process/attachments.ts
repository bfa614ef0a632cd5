/** The attachments of one envelope: which are kept, under what name, and where their bytes lie. Pure. */
import { hash } from 'node:crypto'
import type { EnvelopeMeta, LogRecord } from '@sonde/log'
import type { EnvelopeItem, ItemHeader } from '@sonde/protocol/envelope'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { needsEventId } from '@sonde/protocol/item-kinds'
import type { OutcomeFields } from '@sonde/stores'
import { type CountedFor, outcome } from './item-outcomes.ts'
import { type ProcessedAttachment, eventIdFromPosition } from './processed.ts'

/**
 * What a browser may be shown of a file, from its bytes alone: senders name types as they like. Raster images that
 * every browser draws and that hold no script; text, as text. Never SVG or HTML: those are text here.
 * Signatures: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
 */
export const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'] as const

/** Empty: only to be downloaded. */
type ShownAs = (typeof SHOWN_IMAGES)[number] | 'text/plain' | ''

/** As much as a preview shows, and enough to tell text from the rest. */
const SNIFFED_BYTES = 16 * 1024

export function sniffContent(bytes: Uint8Array): ShownAs {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFFED_BYTES))
  if (head.length === 0) return ''
  return imageType(head) ?? (isText(head, bytes.length > head.length) ? 'text/plain' : '')
}

const starts = (head: Buffer, hex: string): boolean =>
  head.subarray(0, hex.length / 2).toString('hex') === hex

function imageType(head: Buffer): (typeof SHOWN_IMAGES)[number] | undefined {
  if (starts(head, '89504e470d0a1a0a')) return 'image/png'
  if (starts(head, 'ffd8ff')) return 'image/jpeg'
  const text = head.toString('latin1', 0, 16)
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF[^]{4}WEBPVP/.test(text)) return 'image/webp'
  // "BM" alone begins many a text; the four reserved bytes of a bitmap are zero.
  return text.startsWith('BM') && text.slice(6, 10) === '\0\0\0\0' ? 'image/bmp' : undefined
}

/** UTF-8 without the control characters that no text has. A cut may fall into a character. */
function isText(head: Buffer, isCut: boolean): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: isCut })
    return true
  } catch {
    return false
  }
}

/** Names as senders give them: kept for people to read, never used as a path. */

const MAX_NAME_CHARS = 255
const MAX_TYPE_CHARS = 100
const UNNAMED = 'unnamed'
const DEFAULT_TYPE = 'event.attachment'

/** Separators stay: `C:\logs\app.log` says where it was. Control characters go; a long one keeps its ending. */
export function attachmentName(filename: unknown): string {
  const text = typeof filename === 'string' ? filename.replaceAll(/\p{Cc}/gu, '').trim() : ''
  if (text.length <= MAX_NAME_CHARS) return text === '' ? UNNAMED : text.toWellFormed()
  const ending = /\.[^./\\\s]{1,16}$/.exec(text)?.[0] ?? ''
  return (cut(text, MAX_NAME_CHARS - ending.length) + ending).toWellFormed()
}

export function attachmentType(type: unknown): string {
  const text = typeof type === 'string' ? type.toLowerCase() : ''
  return /^[a-z0-9_.]{1,64}$/.test(text) ? text : DEFAULT_TYPE
}

/** The reported content type, if it is a media type at all. */
export function contentType(type: unknown): string {
  const text = typeof type === 'string' ? type.trim().toLowerCase() : ''
  return /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(text) ? text.slice(0, MAX_TYPE_CHARS) : ''
}

/** Not between the two halves of a character outside the basic plane. */
function cut(text: string, maxChars: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1))
  return text.slice(0, isHalf ? maxChars - 1 : maxChars)
}

/**
 * What became of what the envelope exists for. Nothing was in it: its attachments belong to an event that came
 * earlier or will come later.
 */
export type Disposition = 'kept' | 'filtered' | 'invalid' | 'not_shown'

export type AttachmentsInput = {
  readonly items: readonly (readonly [itemIndex: number, item: EnvelopeItem])[]
  readonly record: LogRecord
  /** Of the log; undefined: the first. */
  readonly partition: number | undefined
  readonly meta: EnvelopeMeta
  /** Of the envelope's own header. */
  readonly headerEventId: string | undefined
  readonly disposition: Disposition
  readonly by: CountedFor
}

export function processAttachments(input: AttachmentsInput): {
  readonly attachments: readonly ProcessedAttachment[]
  readonly outcomes: readonly OutcomeFields[]
} {
  const attachments: ProcessedAttachment[] = []
  const outcomes: OutcomeFields[] = []
  for (const [itemIndex, item] of input.items) {
    const end = endOf(item.header, input)
    if (end) outcomes.push(end)
    else attachments.push(processAttachment(itemIndex, item, input))
  }
  return { attachments, outcomes }
}

/** A file that lies with another upload endpoint, which Sonde does not have. */
const REFERENCE = 'application/vnd.sentry.attachment-ref+json'

/** Undefined: it is kept. */
function endOf(header: ItemHeader, { disposition, by }: AttachmentsInput): OutcomeFields | undefined {
  if (disposition === 'filtered') return outcome(by, 'attachment', 'filtered', 'event_dropped', 1)
  if (disposition === 'invalid') return outcome(by, 'attachment', 'invalid', 'event_invalid', 1)
  const isShown = disposition === 'kept' && needsEventId(header) && header['content_type'] !== REFERENCE
  return isShown ? undefined : outcome(by, 'attachment', 'unsupported', 'not_yet_shown', 1)
}

function processAttachment(
  itemIndex: number,
  { header, payload }: EnvelopeItem,
  { record, partition, meta, headerEventId }: AttachmentsInput,
): ProcessedAttachment {
  const { position } = record
  const place = { partition, position, itemIndex }
  const { projectId, keyId, receivedMs } = meta
  const eventId = normalizeEventId(meta.eventId) ?? headerEventId ?? eventIdFromPosition(place)
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
