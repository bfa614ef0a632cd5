/**
 * `Telemetry.purge` for an engine that has `system.parts`. A deletion hides rows; their bytes are in the parts until those are
 * rewritten, then in the parts of before, which the engine keeps for eight minutes, and the deletion's condition, which may name
 * what was deleted, is among the table's last hundred mutations.
 */
import type { MutationsPlace } from './delete-rows.ts'
import type { TelemetryTable } from './tables/tables.ts'
import type { Telemetry } from './telemetry.ts'

type PurgePlace = {
  readonly parts: string
  readonly tables: string
  readonly mutations: MutationsPlace
  /** Every server forgets those of its `system.mutations` that are so. */
  forget(where: string): Promise<void>
}

const ownPurgePlace = (engine: Pick<Telemetry, 'command'>, table: TelemetryTable): PurgePlace => ({
  parts: 'system.parts',
  tables: 'system.tables',
  mutations: { from: 'system.mutations', database: 'currentDatabase()', table },
  forget: (where) => engine.command(`KILL MUTATION WHERE ${where}`),
})

/**
 * Parts are flushed before they replace others (`DURABLE`), so those of before are of no use after a crash either. A table that
 * something was erased from keeps it so: parts that were merged meanwhile go too, and it is not set again and again.
 */
const QUICKLY = 'old_parts_lifetime = 1, finished_mutations_to_keep = 1'
const APPLIES = 'APPLY DELETED MASK'
/**
 * A table that nothing is written to looks for parts to remove the more seldom the longer it is so, up to every ten minutes. Dropping a
 * partition looks at once (`StorageMergeTree::dropPartition`), and there never is one of this name.
 */
const LOOKS = "DROP PARTITION ID 'none'"

export async function purgeDeleted(
  engine: Pick<Telemetry, 'query' | 'command'>,
  table: TelemetryTable,
  { parts, tables, mutations, forget }: PurgePlace = ownPurgePlace(engine, table),
): Promise<number> {
  const count = async (from: string, where: string): Promise<number> => {
    const [row] = await engine.query<{ n: number }>(
      `SELECT count() AS n FROM ${from} WHERE database = ${mutations.database} AND ${where} SETTINGS skip_unavailable_shards = 1`,
      { table: mutations.table },
    )
    return row?.n ?? 0
  }
  const running = await count(mutations.from, 'table = {table:String} AND NOT is_done')
  if (running > 0) return running
  const masked = await count(parts, 'table = {table:String} AND active AND has_lightweight_delete')
  // One whose rows were all deleted stays a while as a part without rows.
  const replaced = await count(parts, 'table = {table:String} AND NOT active AND rows > 0')
  // The mask's own mutation names nothing.
  const told = await count(mutations.from, `table = {table:String} AND command NOT LIKE '%${APPLIES}%'`)
  const isQuick =
    (await count(tables, "name = {table:String} AND engine_full LIKE '%old_parts_lifetime = 1,%'")) > 0
  if (masked + replaced + told === 0) return 0
  if (!isQuick) await engine.command(`ALTER TABLE ${table} MODIFY SETTING ${QUICKLY}`)
  if (masked > 0) await engine.command(`ALTER TABLE ${table} ${APPLIES} SETTINGS mutations_sync = 0`)
  else {
    if (replaced > 0) await engine.command(`ALTER TABLE ${table} ${LOOKS}`)
    if (told > 0)
      await forget(
        `database = ${mutations.database} AND table = '${mutations.table}' AND is_done AND command NOT LIKE '%${APPLIES}%'`,
      )
  }
  return masked + replaced + told
}
