/**
 * Blobs that are written before the rows that name them. Their names stand in `blob_garbage` with a time to come: a crash
 * in between leaves a note, and the sweep deletes the file when the time is over. docs/internals/artifacts.md
 */
import { UnavailableError } from '@sonde/base'
import type { Records } from './schema.ts'

// SQLite takes 32,766 parameters; two a row.
const ROWS_AT_ONCE = 1_000

/** Before the bytes are written, so that nobody forgets them. */
export async function reserveBlobs(
  records: Records,
  names: readonly string[],
  untilMs: number,
): Promise<void> {
  for (let at = 0; at < names.length; at += ROWS_AT_ONCE) {
    const rows = names.slice(at, at + ROWS_AT_ONCE).map((name) => ({ name, since_ms: untilMs }))
    await records.insertInto('blob_garbage').values(rows).execute()
  }
}

/**
 * They are named from now on; in the transaction that names them. Throws `UnavailableError` when one of them took so long
 * that it may be deleted by now: the caller's transaction must fail, and its work be done anew.
 */
export async function claimBlobs(tx: Records, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += ROWS_AT_ONCE) {
    const some = names.slice(at, at + ROWS_AT_ONCE)
    const { numDeletedRows } = await tx
      .deleteFrom('blob_garbage')
      .where('name', 'in', some)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) === some.length) continue
    throw new UnavailableError('storing the files took too long', {
      operation: 'name a blob',
      hint: 'upload again; when it happens again, the disk is too slow or too busy',
      retryAfterSec: 10,
    })
  }
}

/** They were written in vain; deleted with the next sweep. */
export async function releaseBlobs(records: Records, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += ROWS_AT_ONCE) {
    await records
      .updateTable('blob_garbage')
      .set({ since_ms: 0 })
      .where('name', 'in', names.slice(at, at + ROWS_AT_ONCE))
      .execute()
  }
}

// Blobs that lost their last attachment. Rows go first, in a transaction; the files afterwards, from `blob_garbage`.
// Because no name is ever given to a second blob, a file may be deleted whenever it suits, and a crash in between
// leaves a row here instead of a file that nobody knows.

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

/** Of segments of replays: each has its blob alone. Inside the transaction that took the rows away, or never wrote them. */
export async function discardRecordings(tx: Records, names: readonly string[], nowMs: number): Promise<void> {
  for (let at = 0; at < names.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('blob_garbage')
      .values(names.slice(at, at + ROWS_AT_ONCE).map((name) => ({ name, since_ms: nowMs })))
      .onConflict((on) => on.doNothing())
      .execute()
}
