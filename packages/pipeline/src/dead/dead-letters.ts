/** What could not be digested: listed for people, and given back to the log once the cause is gone. */
import { type Clock, SondeError } from '@sonde/base'
import { decodeIntakeRecord, encodeIntakeRecord, type LogWriter } from '@sonde/log'
import { parseEnvelope } from '@sonde/protocol/envelope'
import type { Blobs, Records } from '@sonde/stores'
import { WHOLE_RECORD } from '../digest/digested.ts'

export type DeadLetters = {
  /** Newest first. */
  list(filter?: { readonly limit?: number; readonly waitingOnly?: boolean }): Promise<DeadLetter[]>
  /** How many were not replayed yet. */
  waiting(): Promise<number>
  /**
   * Appends the item's record to the log again, without the other items of its envelope. Twice does no harm: the
   * events carry the same ids, so the second is counted as a duplicate. Throws `SondeError`, kind `not-found`.
   */
  replay(id: number, append: LogWriter['append']): Promise<void>
}

export type DeadLetter = {
  readonly id: number
  readonly projectId: number | undefined
  readonly logPosition: number
  /** -1: the whole record. */
  readonly itemIndex: number
  readonly itemType: string
  readonly reason: string
  readonly detail: string
  readonly createdMs: number
  readonly replayedMs: number | undefined
}

type Needs = { readonly records: Records; readonly blobs: Blobs; readonly clock: Clock }

const DEFAULT_LIMIT = 100

export function deadLetters({ records, blobs, clock }: Needs): DeadLetters {
  return {
    async list({ limit = DEFAULT_LIMIT, waitingOnly = false } = {}) {
      let query = records.selectFrom('dead_letter').selectAll().orderBy('id', 'desc').limit(limit)
      if (waitingOnly) query = query.where('replayed_ms', 'is', null)
      const rows = await query.execute()
      return rows.map((row) => ({
        id: row.id,
        projectId: row.project_id ?? undefined,
        logPosition: row.log_position,
        itemIndex: row.item_index,
        itemType: row.item_type,
        reason: row.reason,
        detail: row.detail,
        createdMs: row.created_ms,
        replayedMs: row.replayed_ms ?? undefined,
      }))
    },
    async waiting() {
      const row = await records
        .selectFrom('dead_letter')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('replayed_ms', 'is', null)
        .executeTakeFirstOrThrow()
      return row.count
    },
    async replay(id, append) {
      const row = await records.selectFrom('dead_letter').selectAll().where('id', '=', id).executeTakeFirst()
      const bytes = row && (await blobs.get(row.blob))
      if (!row || !bytes) {
        throw new SondeError(
          'not-found',
          `dead letter ${id}: ${row ? 'its bytes are gone' : 'there is none'}`,
          {
            operation: 'replay a dead letter',
            subject: String(id),
            hint: '`sonde dead list` names those that wait',
          },
        )
      }
      await append(onlyItem(bytes, row.item_index))
      await records
        .updateTable('dead_letter')
        .set({ replayed_ms: clock.nowMs() })
        .where('id', '=', id)
        .execute()
    },
  }
}

/** The same record, with every other item marked as done. */
function onlyItem(bytes: Uint8Array, itemIndex: number): Uint8Array {
  if (itemIndex === WHOLE_RECORD) return bytes
  const { meta, body } = decodeIntakeRecord(bytes)
  if (meta.kind !== 'envelope') return bytes
  const others = parseEnvelope(body).items.keys()
  const skip = [...others].filter((index) => index !== itemIndex)
  return encodeIntakeRecord({ ...meta, skip }, body)
}
