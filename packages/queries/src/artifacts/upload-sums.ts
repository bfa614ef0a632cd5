import { countIf, type Records } from '@sonde/stores'
import { sql } from 'kysely'

export type UploadSums = {
  readonly files: number
  /** Different ones. */
  readonly debugIds: number
  /** Uncompressed. */
  readonly bytes: number
  /** On disk; what other uploads have too is counted in each. */
  readonly storedBytes: number
  /** Files that cannot be used as they are. */
  readonly problems: number
}

/** By bundle; one without files is not in it. */
export async function uploadSums(
  records: Records,
  bundleIds: readonly number[],
): Promise<ReadonlyMap<number, UploadSums>> {
  if (bundleIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('artifact_file')
    .select([
      'bundle_id as id',
      sql<number>`count(*)`.as('files'),
      sql<number>`count(DISTINCT nullif(debug_id, ''))`.as('debugIds'),
      sql<number>`sum(bytes)`.as('bytes'),
      sql<number>`sum(stored_bytes)`.as('storedBytes'),
      countIf(sql`problem <> ''`).as('problems'),
    ])
    .where('bundle_id', 'in', bundleIds)
    .groupBy('bundle_id')
    .execute()
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}
