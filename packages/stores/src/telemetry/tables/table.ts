/** A telemetry table as data, and its `CREATE TABLE`. */
import { type Column, columnDefinition } from './column.ts'

export type Table = {
  readonly name: string
  readonly columns: readonly Column[]
  readonly indexes?: readonly string[]
  readonly projections?: readonly string[]
  readonly engine: string
  /** Weeks of receipt: a row's age is counted from when it arrived, because the sender's clock may say 1970 or 2100. */
  readonly partitionBy: string
  readonly ageColumn: string
  /** At most, where it is less than the retention. */
  readonly keepDays?: number
  readonly orderBy: string
  readonly settings: string
  /** What the SQL console says of it; absent: it is not offered there. */
  readonly console?: {
    readonly about: string
    /** Names of the columns that are shown first; the others follow in the list's order. */
    readonly first: readonly string[]
  }
}

/**
 * An acknowledged insert lets the log delete its segment, so the part must be on disk, not in the page cache: files,
 * folder and, because a merge replaces parts that were flushed, merged parts too. The deduplication window is in blocks
 * per table; only the batch in flight can come again, 1,000 is far more than that.
 */
export const DURABLE = `non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1`

/**
 * A week that is over becomes one part within the hour, nothing is received into it any more: a query then opens one
 * part a week. For tables whose rows replace each other, and for spans.
 */
export const ONE_PART_A_WEEK = `index_granularity = 8192, min_age_to_force_merge_seconds = 3600,
  min_age_to_force_merge_on_partition_only = 1`

export function createTable({ name, columns, indexes = [], projections = [], ...table }: Table): string {
  const parts = [
    ...columns.map(columnDefinition),
    ...indexes.map((index) => `INDEX ${index}`),
    ...projections.map((projection) => `PROJECTION ${projection}`),
  ]
  return `CREATE TABLE IF NOT EXISTS ${name} (
  ${parts.join(',\n  ')}
)
ENGINE = ${table.engine}
PARTITION BY ${table.partitionBy}
ORDER BY (${table.orderBy})
SETTINGS ${table.settings}`
}
