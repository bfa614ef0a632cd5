/**
 * The store's tables as another process may read them: the same definition over the same parts, on a disk that cannot be
 * written, looked through for new parts every second. A part that was merged away stays on disk for eight minutes, so
 * none goes from under a statement (`old_parts_lifetime`).
 * https://clickhouse.com/docs/operations/settings/merge-tree-settings#refresh_parts_interval
 */
import { TELEMETRY_TABLES } from '../tables/tables.ts'
import type { Telemetry } from '../telemetry.ts'

const REFRESH_SEC = 1

export async function consoleTables({ query }: Pick<Telemetry, 'query'>): Promise<readonly string[]> {
  const rows = await query<{ definition: string; path: string }>(
    `SELECT create_table_query AS definition, data_paths[1] AS path FROM system.tables
     WHERE database = currentDatabase() AND name IN {names:Array(String)}`,
    { names: [...TELEMETRY_TABLES] },
  )
  return rows.map(
    ({ definition, path }) =>
      `${definition}, disk = disk(type = object_storage, object_storage_type = local, metadata_type = plain,
        path = ${quoted(path)}, readonly = 1), table_disk = 1, refresh_parts_interval = ${REFRESH_SEC}`,
  )
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
