/** What a dead letter holds, for a person to read: as much as can be read of what could not be. */
import { decodeIntakeRecord } from '@sonde/log'
import { parseEnvelope } from '@sonde/protocol/envelope'
import { WHOLE_RECORD } from '../digest/digested.ts'

export type DeadContent = {
  /** False: discarded, or removed by hand. */
  readonly isKept: boolean
  readonly receivedMs: number | undefined
  readonly eventId: string | undefined
  readonly items: readonly DeadContentItem[]
  /** The beginning of the item, or of the whole record. Bytes that are no text are shown as U+FFFD. */
  readonly text: string
  readonly isCut: boolean
}
export type DeadContentItem = { readonly index: number; readonly type: string; readonly bytes: number }

const MAX_TEXT_BYTES = 64 * 1024
const MAX_ITEMS = 100
const NOTHING: DeadContent = {
  isKept: false,
  receivedMs: undefined,
  eventId: undefined,
  items: [],
  text: '',
  isCut: false,
}

/** Never throws. */
export function deadContent(bytes: Uint8Array | undefined, itemIndex: number): DeadContent {
  if (!bytes) return NOTHING
  const whole = { ...NOTHING, isKept: true, ...textOf(bytes) }
  try {
    const { meta, body } = decodeIntakeRecord(bytes)
    if (meta.kind !== 'envelope') return whole
    const about = { ...whole, receivedMs: meta.receivedMs, eventId: meta.eventId, ...textOf(body) }
    return { ...about, ...itemsOf(body, itemIndex) }
  } catch {
    return whole
  }
}

/** Nothing when the envelope itself is what cannot be read. */
function itemsOf(body: Uint8Array, itemIndex: number): Partial<DeadContent> {
  try {
    const { items } = parseEnvelope(body)
    const listed = items.slice(0, MAX_ITEMS).map(({ header, payload }, index) => ({
      index,
      type: header.type,
      bytes: payload.byteLength,
    }))
    const own = itemIndex === WHOLE_RECORD ? undefined : items[itemIndex]?.payload
    return { items: listed, ...(own && textOf(own)) }
  } catch {
    return {}
  }
}

function textOf(bytes: Uint8Array): Pick<DeadContent, 'text' | 'isCut'> {
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES))
  return { text, isCut: bytes.length > MAX_TEXT_BYTES }
}
