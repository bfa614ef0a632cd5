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
}

const ownPurgePlace = (table: TelemetryTable): PurgePlace => ({
  parts: 'system.parts',
  tables: 'system.tables',
  mutations: { from: 'system.mutations', database: 'currentDatabase()', table },
})

/**
 * Parts are flushed before they replace others (`DURABLE`), so those of before are of no use after a crash either. A table that
 * something was erased from keeps it so: parts that were merged meanwhile go too, and it is not set again and again.
 */
const QUICKLY = 'old_parts_lifetime = 1, finished_mutations_to_keep = 1'
const APPLIES = 'APPLY DELETED MASK'

export async function purgeDeleted(
  engine: Pick<Telemetry, 'query' | 'command'>,
  table: TelemetryTable,
  { parts, tables, mutations }: PurgePlace = ownPurgePlace(table),
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
  // The mask's own mutation names nothing; as the last one it pushes the others out.
  const told = await count(mutations.from, `table = {table:String} AND command NOT LIKE '%${APPLIES}%'`)
  const isQuick =
    (await count(tables, "name = {table:String} AND engine_full LIKE '%old_parts_lifetime = 1,%'")) > 0
  if (masked + replaced + told === 0) return 0
  if (!isQuick) await engine.command(`ALTER TABLE ${table} MODIFY SETTING ${QUICKLY}`)
  const last = await engine.query<{ command: string }>(
    `SELECT command FROM ${mutations.from} WHERE database = ${mutations.database} AND table = {table:String}
     ORDER BY create_time DESC, toUInt64OrZero(extract(mutation_id, '[0-9]+')) DESC LIMIT 1 SETTINGS skip_unavailable_shards = 1`,
    { table: mutations.table },
  )
  if (masked > 0 || (told > 0 && !last[0]?.command.includes(APPLIES)))
    await engine.command(`ALTER TABLE ${table} ${APPLIES} SETTINGS mutations_sync = 0`)
  return masked + replaced + told
}
