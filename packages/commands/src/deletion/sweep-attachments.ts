/** What retention and deletions leave behind of attachments: rows that are too old, files that nothing names. */
import type { Clock } from '@sonde/base'
import { type Blobs, blobsNowUnused, discardBlobs, type Records, writeTransaction } from '@sonde/stores'

export type SweepOptions = {
  readonly records: Records
  readonly blobs: Pick<Blobs, 'delete'>
  readonly clock: Clock
  /** As events are kept. */
  readonly retentionDays: number
  readonly signal: AbortSignal
}

// A transaction of so many rows takes some milliseconds; the pipeline waits for its end.
const ROWS_AT_ONCE = 500
const DAY_MS = 86_400_000

/** May be interrupted anywhere and called again. */
export async function sweepAttachments(options: SweepOptions): Promise<void> {
  while (!options.signal.aborted && (await expireRows(options)) === ROWS_AT_ONCE);
  await deleteGarbage(options, options.signal)
}

/** Files that nothing names any more. May be interrupted anywhere and called again. */
export async function deleteGarbage(
  { records, blobs, clock }: Pick<SweepOptions, 'records' | 'blobs' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const names = await blobsNowUnused(records, ROWS_AT_ONCE, clock.nowMs())
    for (const name of names) await blobs.delete(name)
    // Afterwards: a crash in between deletes a file that is gone, which is fine.
    if (names.length > 0) await records.deleteFrom('blob_garbage').where('name', 'in', names).execute()
    if (names.length < ROWS_AT_ONCE) return
  }
}

async function expireRows({ records, clock, retentionDays }: SweepOptions): Promise<number> {
  const nowMs = clock.nowMs()
  return await writeTransaction(records, async (tx) => {
    const old = await tx
      .selectFrom('attachment')
      .select(['id', 'blob'])
      .where('created_ms', '<', nowMs - retentionDays * DAY_MS)
      .limit(ROWS_AT_ONCE)
      .execute()
    if (old.length === 0) return 0
    await tx
      .deleteFrom('attachment')
      .where(
        'id',
        'in',
        old.map((row) => row.id),
      )
      .execute()
    await discardBlobs(
      tx,
      old.map((row) => row.blob),
      nowMs,
    )
    return old.length
  })
}

/** Dead letters hold what people sent, so they are kept no longer than events are, decided about or not. */
const LETTERS_AT_ONCE = 500

/** Rows go in a transaction that notes their files as garbage; `sweepAttachments` deletes those. */
export async function sweepDeadLetters(
  options: Pick<SweepOptions, 'records' | 'clock' | 'retentionDays' | 'signal'>,
): Promise<void> {
  while (!options.signal.aborted && (await expire(options)) === LETTERS_AT_ONCE);
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
      .limit(LETTERS_AT_ONCE)
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
