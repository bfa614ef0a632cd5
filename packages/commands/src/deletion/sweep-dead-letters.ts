/** Dead letters hold what people sent, so they are kept no longer than events are, decided about or not. */
import type { SweepOptions } from './sweep-attachments.ts'
import { writeTransaction } from '@sonde/stores'

const ROWS_AT_ONCE = 500
const DAY_MS = 86_400_000

/** Rows go in a transaction that notes their files as garbage; `sweepAttachments` deletes those. */
export async function sweepDeadLetters(
  options: Pick<SweepOptions, 'records' | 'clock' | 'retentionDays' | 'signal'>,
): Promise<void> {
  while (!options.signal.aborted && (await expire(options)) === ROWS_AT_ONCE);
}

async function expire({
  records,
  clock,
  retentionDays,
}: Pick<SweepOptions, 'records' | 'clock' | 'retentionDays'>): Promise<number> {
  const nowMs = clock.nowMs()
  return await writeTransaction(records, async (tx) => {
    const old = await tx
      .selectFrom('dead_letter')
      .select(['id', 'blob'])
      .where('created_ms', '<', nowMs - retentionDays * DAY_MS)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (old.length === 0) return 0
    const ids = old.map((row) => row.id)
    await tx.deleteFrom('dead_letter').where('id', 'in', ids).execute()
    for (const name of new Set(old.map((row) => row.blob))) {
      // Items of one record share its bytes.
      const used = await tx.selectFrom('dead_letter').select('id').where('blob', '=', name).executeTakeFirst()
      if (used) continue
      await tx
        .insertInto('blob_garbage')
        .values({ name, since_ms: nowMs })
        .onConflict((on) => on.doNothing())
        .execute()
    }
    return old.length
  })
}
