/**
 * Blobs that lost their last attachment. Rows go first, in a transaction; the files afterwards, from `blob_garbage`.
 * Because no name is ever given to a second blob, a file may be deleted whenever it suits, and a crash in between
 * leaves a row here instead of a file that nobody knows.
 */
import type { Records } from './schema.ts'

/** Of `names`, those that no attachment refers to become garbage. Inside the transaction that took the rows away. */
export async function discardBlobs(tx: Records, names: Iterable<string>, nowMs: number): Promise<void> {
  for (const name of new Set(names)) {
    const used = await tx
      .selectFrom('attachment')
      .select('id')
      .where('blob', '=', name)
      .limit(1)
      .executeTakeFirst()
    if (used) continue
    await tx
      .insertInto('blob_garbage')
      .values({ name, since_ms: nowMs })
      .onConflict((on) => on.doNothing())
      .execute()
  }
}

/** The oldest first, without those that somebody reserved and may still be writing. */
export async function blobsNowUnused(
  records: Records,
  limit: number,
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await records
    .selectFrom('blob_garbage')
    .select('name')
    .where('since_ms', '<=', nowMs)
    .orderBy('since_ms')
    .limit(limit)
    .execute()
  return rows.map((row) => row.name)
}
