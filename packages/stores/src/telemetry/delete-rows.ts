import type { TelemetryTable } from './tables/tables.ts'
import type { QueryParams, Telemetry } from './telemetry.ts'

export type MutationsPlace = {
  /** `system.mutations`, or all servers' together. */
  readonly from: string
  readonly database: string
  /** The table that has the rows. */
  readonly table: string
}

/**
 * `Telemetry.deleteRows` for an engine that has `system.mutations`: rows are marked by a lightweight DELETE, which goes
 * on in the background and survives a restart; their bytes leave the disk when the engine merges their part. A part of a
 * week that is over may never be merged again: `with-bytes` has the parts written without those rows.
 */
export async function deleteRows(
  engine: Pick<Telemetry, 'query' | 'command'>,
  table: TelemetryTable,
  where: string,
  params: QueryParams,
  how?: 'with-bytes',
  mutations: MutationsPlace = { from: 'system.mutations', database: 'currentDatabase()', table },
): Promise<number> {
  const [found] = await engine.query<{ n: number }>(
    `SELECT count() AS n FROM ${table} WHERE ${where}`,
    params,
  )
  if (!found || found.n === 0) return 0
  const [running] = await engine.query<{ n: number }>(
    `SELECT count() AS n FROM ${mutations.from}
     WHERE database = ${mutations.database} AND table = {table:String} AND NOT is_done
     SETTINGS skip_unavailable_shards = 1`,
    { table: mutations.table },
  )
  // One at a time: each of them walks all parts of the table. Waiting inside the engine would hold a connection that
  // screens need.
  if (!running || running.n === 0)
    await engine.command(
      how === 'with-bytes'
        ? `ALTER TABLE ${table} DELETE WHERE ${where} SETTINGS mutations_sync = 0`
        : `DELETE FROM ${table} WHERE ${where} SETTINGS lightweight_deletes_sync = 0`,
      params,
    )
  return found.n
}
