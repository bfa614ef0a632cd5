/**
 * Who runs a job: one row per job in the records. A lease ends when its owner releases it, or by the clock of the records when
 * the owner is gone; those of the nodes may differ. Where that clock was set back, a lease of before says that it lasts longer than
 * any does: it is over too, and an owner that lives notices with its next renewal. A lease cannot stop a process that was frozen for
 * longer than the lease: such a process notices with its next renewal, so the work under a lease must be repeatable.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@sonde/base'
import { nowMs, type Records } from '@sonde/stores'

export type Lease = {
  readonly records: Records
  readonly clock: Clock
  /** The job. */
  readonly name: string
  /** This process; no other process ever has the same. */
  readonly owner: string
  readonly leaseMs: number
}

/** Times its length, so that another version may have had it longer. */
const LONGEST = 2

/** As the statement of `acquireLease`, of a row that was read. */
export const isLive = (expiresMs: number, recordsNowMs: number, leaseMs: number): boolean =>
  expiresMs > recordsNowMs && expiresMs <= recordsNowMs + leaseMs * LONGEST

/** True: it is ours from now on, for `leaseMs`. One statement, so two nodes cannot both succeed. */
export async function acquireLease({ records, name, owner, leaseMs }: Lease): Promise<boolean> {
  const row = { owner, expires_ms: nowMs(leaseMs) }
  const { numInsertedOrUpdatedRows } = await records
    .insertInto('job_lease')
    .values({ name, ...row })
    .onConflict((on) =>
      on
        .column('name')
        .doUpdateSet(row)
        .where((eb) =>
          eb.or([
            eb('job_lease.owner', '=', owner),
            eb('job_lease.expires_ms', '<=', nowMs()),
            eb('job_lease.expires_ms', '>', nowMs(leaseMs * LONGEST)),
          ]),
        ),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

/** False: another process has it now. */
export async function renewLease({ records, name, owner, leaseMs }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('job_lease')
    .set({ expires_ms: nowMs(leaseMs) })
    .where('name', '=', name)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
}

/** Idempotent; a lease of another process stays. */
export async function releaseLease({ records, name, owner }: Lease): Promise<void> {
  await records.deleteFrom('job_lease').where('name', '=', name).where('owner', '=', owner).execute()
}

/**
 * One try to get a lease for work that surely ends within it: how to give it back, which does not throw; undefined while another
 * has it.
 */
export async function tryLease(lease: Omit<Lease, 'owner'>): Promise<(() => Promise<void>) | undefined> {
  const own = { ...lease, owner: randomUUID() }
  if (!(await acquireLease(own))) return undefined
  // When that fails it ends by itself.
  return () => releaseLease(own).catch(() => undefined)
}

const ASK_AGAIN_MS = 50

/**
 * `work` of one process after the other: waits for the lease, and gives it back. What begins must find out what was done
 * already. Work that takes longer than `leaseMs` may meet another one's.
 */
export async function withLease<Result>(
  lease: Omit<Lease, 'owner'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const own = { ...lease, owner: randomUUID() }
  while (!(await acquireLease(own))) await sleep(ASK_AGAIN_MS)
  try {
    return await work()
  } finally {
    await releaseLease(own)
  }
}

/**
 * Ends the leases of all processes. Only for a start that knows that no other process works on these records: with
 * embedded engines one process at a time can have the data folder open, so every lease in it is of a process that died.
 */
export async function forgetLeases(records: Records): Promise<void> {
  await records.deleteFrom('job_lease').execute()
}
