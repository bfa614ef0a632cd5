/**
 * How chDB is started: `clickhouse local` command-line arguments. They govern the one engine of the process and
 * cannot be changed later. Defaults of the engine are meant for servers of hundreds of gigabytes; ours for a box with
 * two cores that also runs everything else.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { READ_SETTINGS } from '../read-settings.ts'

const MIB = 1024 * 1024

export function connectionArgs(maxMemoryBytes: number): string[] {
  // Caches share the memory limit with queries, so they are bounded well below it.
  const cacheBytes = Math.floor(Math.min(64 * MIB, maxMemoryBytes / 8))
  return Object.entries({
    max_server_memory_usage: maxMemoryBytes,
    mark_cache_size: cacheBytes,
    index_mark_cache_size: Math.floor(cacheBytes / 4),
    primary_index_cache_size: cacheBytes,
    query_condition_cache_size: 8 * MIB,
    compiled_expression_cache_size: 16 * MIB,
    mmap_cache_size: 64,
    // Threads cost stack and arena memory even while idle.
    background_pool_size: 2,
    background_merges_mutations_concurrency_ratio: 2,
    background_schedule_pool_size: 2,
    background_common_pool_size: 1,
    max_io_thread_pool_size: 8,
    max_thread_pool_free_size: 8,
    max_concurrent_queries: 16,
    // How often it compares what it counted with what the system says; ten times a second by default, which was the
    // engine's whole cost while nothing happens. Allocations are counted against the limit at once either way.
    memory_worker_period_ms: 1_000,
  }).map(([name, value]) => `--${name}=${value}`)
}

/**
 * The engine sets aside parts that it cannot load, up to 100 of them and 1 GiB together, and beyond that refuses to open the
 * table: but a week of a busy site is one part of more than that, and a Sonde that does not start shows nothing at all.
 */
export const TABLE_SETTINGS = {
  max_suspicious_broken_parts: 1_000_000,
  max_suspicious_broken_parts_bytes: 2 ** 50,
} as const

/**
 * While rows are copied away part by part, a part must stay what it is, also over restarts: no merges, none that drop what is
 * too old.
 */
export const NO_MERGES = {
  max_bytes_to_merge_at_max_space_in_pool: 1,
  max_bytes_to_merge_at_min_space_in_pool: 1,
  enable_max_bytes_limit_for_min_age_to_force_merge: 1,
  max_number_of_merges_with_ttl_in_pool: 0,
} as const

/** Settings of tables come by a file alone, which is read as the engine opens. */
export function withTableSettings<Result>(
  values: Readonly<Record<string, number>>,
  open: (args: readonly string[]) => Result,
): Result {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-engine-'))
  const file = join(dir, 'config.xml')
  const settings = Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`)
  try {
    writeFileSync(file, `<clickhouse><merge_tree>${settings.join('')}</merge_tree></clickhouse>`)
    return open([`--config-file=${file}`])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Per connection: sent as `SET` once, since the arguments above do not reach settings of further connections. */
export function querySettings(maxMemoryBytes: number): string {
  return `SET ${Object.entries({
    // A query that needs more than this is stopped alone, before the engine's limit would hit the writer.
    max_memory_usage: Math.floor(maxMemoryBytes * 0.6),
    max_bytes_before_external_group_by: Math.floor(maxMemoryBytes / 4),
    max_bytes_before_external_sort: Math.floor(maxMemoryBytes / 4),
    max_execution_time: 30,
    ...READ_SETTINGS,
    output_format_json_quote_64bit_integers: 0,
    output_format_json_quote_denormals: 0,
  })
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')}`
}
