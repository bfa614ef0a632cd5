/** What could not be processed: listed for people, and given back to the log once the cause is gone. */
import { type Clock, SondeError } from '@sonde/base'
import { decodeIntakeRecord, encodeIntakeRecord, type LogWriter } from '@sonde/log'
import { parseEnvelope } from '@sonde/protocol/envelope'
import type { Blobs, DeadLetterTable, Records, Selectable } from '@sonde/stores'
import { WHOLE_RECORD } from '../process/processed.ts'

export type DeadLetters = {
  /** Newest first. */
  list(filter?: { readonly limit?: number; readonly waitingOnly?: boolean }): Promise<DeadLetter[]>
  /** How many were neither replayed nor discarded yet. */
  waiting(): Promise<number>
  /** One of them with what is left of its record. Undefined when there is none. */
  look(id: number): Promise<DeadLetterContent | undefined>
  /**
   * Gives one up: its bytes are deleted, unless another item of the same record waits; its row stays. Idempotent.
   * Throws `SondeError`, kind `not-found`.
   */
  discard(id: number): Promise<void>
  /**
   * Appends the item's record to the log again, without the other items of its envelope. Twice does no harm: the
   * events carry the same ids, so the second is counted as a duplicate. Throws `SondeError`, kind `not-found`.
   */
  replay(id: number, append: LogWriter['append']): Promise<void>
}

export type DeadLetter = {
  readonly id: number
  readonly projectId: number | undefined
  /** Of the log; the first is 0. */
  readonly logPartition: number
  readonly logPosition: number
  /** -1: the whole record. */
  readonly itemIndex: number
  readonly itemType: string
  readonly reason: string
  readonly detail: string
  readonly createdMs: number
  readonly replayedMs: number | undefined
  readonly discardedMs: number | undefined
  /** As the sender called itself; may be empty. */
  readonly sdk: string
  /** Of the whole record; 0: not known. */
  readonly bytes: number
}

export type DeadLetterContent = DeadLetter & DeadContent

type Needs = { readonly records: Records; readonly blobs: Blobs; readonly clock: Clock }

const DEFAULT_LIMIT = 100

export function deadLetters({ records, blobs, clock }: Needs): DeadLetters {
  const rowOf = (id: number) =>
    records.selectFrom('dead_letter').selectAll().where('id', '=', id).executeTakeFirst()
  return {
    async list({ limit = DEFAULT_LIMIT, waitingOnly = false } = {}) {
      let query = records.selectFrom('dead_letter').selectAll().orderBy('id', 'desc').limit(limit)
      if (waitingOnly) query = query.where('replayed_ms', 'is', null).where('discarded_ms', 'is', null)
      return (await query.execute()).map((row) => letterOf(row))
    },
    async waiting() {
      const row = await records
        .selectFrom('dead_letter')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('replayed_ms', 'is', null)
        .where('discarded_ms', 'is', null)
        .executeTakeFirstOrThrow()
      return row.count
    },
    async look(id) {
      const row = await rowOf(id)
      return row && { ...letterOf(row), ...deadContent(await blobs.get(row.blob), row.item_index) }
    },
    async discard(id) {
      const row = await rowOf(id)
      if (!row) throw notFound('discard a dead letter', id, 'there is none')
      await records
        .updateTable('dead_letter')
        .set({ discarded_ms: clock.nowMs() })
        .where('id', '=', id)
        .where('discarded_ms', 'is', null)
        .execute()
      const other = await records
        .selectFrom('dead_letter')
        .select('id')
        .where('blob', '=', row.blob)
        .where('discarded_ms', 'is', null)
        .executeTakeFirst()
      if (!other) await blobs.delete(row.blob)
    },
    async replay(id, append) {
      const row = await rowOf(id)
      const bytes = row && (await blobs.get(row.blob))
      if (!row || !bytes)
        throw notFound('replay a dead letter', id, row ? 'its bytes are gone' : 'there is none')
      await append(onlyItem(bytes, row.item_index), undefined, row.project_id ?? undefined)
      await records
        .updateTable('dead_letter')
        .set({ replayed_ms: clock.nowMs() })
        .where('id', '=', id)
        .execute()
    },
  }
}

const letterOf = (row: Selectable<DeadLetterTable>): DeadLetter => ({
  id: row.id,
  projectId: row.project_id ?? undefined,
  logPartition: row.log_partition,
  logPosition: row.log_position,
  itemIndex: row.item_index,
  itemType: row.item_type,
  reason: row.reason,
  detail: row.detail,
  createdMs: row.created_ms,
  replayedMs: row.replayed_ms ?? undefined,
  discardedMs: row.discarded_ms ?? undefined,
  sdk: row.sdk,
  bytes: row.bytes,
})

const notFound = (operation: string, id: number, why: string): SondeError =>
  new SondeError('not-found', `dead letter ${id}: ${why}`, {
    operation,
    subject: String(id),
    hint: '`sonde dead list` names those that wait',
  })

/** The same record, with every other item marked as done. */
function onlyItem(bytes: Uint8Array, itemIndex: number): Uint8Array {
  if (itemIndex === WHOLE_RECORD) return bytes
  const { meta, body } = decodeIntakeRecord(bytes)
  if (meta.kind !== 'envelope') return bytes
  const others = parseEnvelope(body).items.keys()
  const skip = [...others].filter((index) => index !== itemIndex)
  return encodeIntakeRecord({ ...meta, skip }, body)
}

/** What a dead letter holds, for a person to read: as much as can be read of what could not be. */
type DeadContent = {
  /** False: discarded, or removed by hand. */
  readonly isKept: boolean
  readonly receivedMs: number | undefined
  readonly eventId: string | undefined
  readonly items: readonly DeadContentItem[]
  /** The beginning of the item, or of the whole record. Bytes that are no text are shown as U+FFFD. */
  readonly text: string
  readonly isCut: boolean
}
type DeadContentItem = { readonly index: number; readonly type: string; readonly bytes: number }

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
