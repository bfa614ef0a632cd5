/** A repair as its row says, and how its row changes. */
import { type Records, type RepairCause, type RepairTarget, writeTransaction } from '@sonde/stores'
import { readCursor, type RepairCursor } from './repair-cursor.ts'

export type OpenRepair = {
  readonly id: number
  readonly org_id: number
  readonly actor: string
  readonly cause: RepairCause
  readonly target: RepairTarget
  /** Undefined: not begun. */
  readonly cursor: RepairCursor | undefined
}

/** The oldest first. */
export async function openRepairs(records: Records, limit: number): Promise<readonly number[]> {
  const rows = await records
    .selectFrom('repair')
    .select('id')
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function readRepair(records: Records, id: number): Promise<OpenRepair | undefined> {
  const row = await records
    .selectFrom('repair')
    .selectAll()
    .where('id', '=', id)
    .where('finished_ms', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { org_id, actor, cause } = row
  return {
    id,
    org_id,
    actor,
    cause,
    target: JSON.parse(row.target) as RepairTarget,
    cursor: readCursor(row.cursor),
  }
}

export type Progress = {
  readonly seen?: number
  readonly changed?: number
  readonly moved?: number
  readonly merged?: number
}

export async function saveCursor(
  tx: Records,
  id: number,
  cursor: RepairCursor,
  { seen = 0, changed = 0, moved = 0, merged = 0 }: Progress = {},
): Promise<void> {
  await tx
    .updateTable('repair')
    .set((eb) => ({
      cursor: JSON.stringify(cursor),
      seen_count: eb('seen_count', '+', seen),
      changed_count: eb('changed_count', '+', changed),
      moved_count: eb('moved_count', '+', moved),
      merged_count: eb('merged_count', '+', merged),
      trouble: '',
    }))
    .where('id', '=', id)
    .execute()
}

/** So that people see why nothing goes on. */
export async function noteTrouble(records: Records, id: number, trouble: string): Promise<void> {
  await records
    .updateTable('repair')
    .set({ trouble })
    .where('id', '=', id)
    .where('finished_ms', 'is', null)
    .execute()
}

// Finished ones are shown on a screen and named by the audit; nobody asks for older ones.
const KEPT_MS = 30 * 86_400_000

/** Leaves a line in the audit when there is something to say, and when somebody asked. */
export async function finishRepair(records: Records, repair: OpenRepair, nowMs: number): Promise<void> {
  await writeTransaction(records, async (tx) => {
    const row = await tx
      .updateTable('repair')
      .set({ finished_ms: nowMs, cursor: '', trouble: '' })
      .where('id', '=', repair.id)
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    await tx
      .deleteFrom('repair')
      .where('finished_ms', '<', nowMs - KEPT_MS)
      .execute()
    if (row.changed_count === 0 && repair.cause === 'upload') return
    const org = await tx
      .selectFrom('organization')
      .select('slug')
      .where('id', '=', repair.org_id)
      .executeTakeFirst()
    const { seen_count: seen, changed_count: changed, moved_count: moved, merged_count: merged } = row
    const release = repair.target.release
    await tx
      .insertInto('audit_entry')
      .values({
        org_id: repair.org_id,
        actor: repair.actor,
        action: 'artifacts.repair',
        subject: org?.slug ?? '',
        detail: JSON.stringify({ repair: repair.id, release, seen, changed, moved, merged }),
        at_ms: nowMs,
      })
      .execute()
  })
}
