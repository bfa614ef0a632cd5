/**
 * Whoever changes which issue a project's events belong to holds the project: no process begins a batch with events of it, and
 * those that were begun are waited for. The batches of other projects go on. A hold ends by the clock of the records when
 * its owner died.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { nowMs, type Records, writeTransaction } from '@sonde/stores'
import { inflightWith } from './pipeline-state.ts'

export type ProjectHold = {
  /** In a transaction: false once it may be over. */
  isOurs(tx: Records): Promise<boolean>
  /** Idempotent. */
  release(): Promise<void>
}

// Longer than what is done under it ever takes, the wait for the batches included.
const HOLD_MS = 20_000
// A batch takes well under a second; one that is tried again and again is better waited for without holding anybody back.
const WAIT_MS = 5_000
const LOOK_MS = 10

/** Undefined: another has it, a batch with events of the project does not end, or `signal` ended the wait. To be tried again. */
export async function holdProject(
  records: Records,
  projectId: number,
  signal: AbortSignal,
): Promise<ProjectHold | undefined> {
  const owner = randomUUID()
  /**
   * Both in one transaction: a batch that is marked at the same time either is among those in flight or its own transaction,
   * which reads the holds, sees this one.
   */
  const inflight = await writeTransaction(records, async (tx) => {
    const values = { owner, until_ms: nowMs(HOLD_MS) }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('project_hold')
      .values({ project_id: projectId, ...values })
      .onConflict((on) =>
        on.column('project_id').doUpdateSet(values).where('project_hold.until_ms', '<=', nowMs()),
      )
      .executeTakeFirstOrThrow()
    return Number(numInsertedOrUpdatedRows ?? 0) > 0 ? inflightWith(tx, projectId) : undefined
  })
  if (!inflight) return undefined
  const hold: ProjectHold = {
    async isOurs(tx) {
      const row = await tx
        .selectFrom('project_hold')
        .select('owner')
        .where('project_id', '=', projectId)
        .where('owner', '=', owner)
        .where('until_ms', '>', nowMs())
        .executeTakeFirst()
      return row !== undefined
    },
    async release() {
      await records
        .deleteFrom('project_hold')
        .where('project_id', '=', projectId)
        .where('owner', '=', owner)
        .execute()
    },
  }
  const waited = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)])
  try {
    if (await areOver(records, projectId, inflight, waited)) return hold
  } catch (error) {
    await hold.release().catch(() => undefined)
    throw error
  }
  await hold.release()
  return undefined
}

async function areOver(
  records: Records,
  projectId: number,
  begun: ReadonlyMap<number, number>,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const now = begun.size === 0 ? begun : await inflightWith(records, projectId)
    if ([...begun].every(([partition, to]) => now.get(partition) !== to)) return true
    if (signal.aborted) return false
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** In the transaction that marks a batch. What is over goes, so that its owner notices. */
export async function isAnyHeld(tx: Records, projectIds: ReadonlySet<number>): Promise<boolean> {
  const rows = await tx
    .selectFrom('project_hold')
    .select(['project_id', 'until_ms', nowMs().as('now_ms')])
    .execute()
  const held = rows.filter((row) => projectIds.has(row.project_id))
  if (held.some((row) => row.until_ms > row.now_ms)) return true
  for (const { project_id } of held)
    await tx.deleteFrom('project_hold').where('project_id', '=', project_id).execute()
  return false
}
