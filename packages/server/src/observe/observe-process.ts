/** Metrics of a process itself; names have the process in them, because `/metrics` shows both. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics, ProcessLog } from '@sonde/base'
import type { Records, Telemetry } from '@sonde/stores'
import { diskSpaceOf } from '../doctor/disk-usage.ts'

type Named = 'front' | 'back'

export function observeProcess(metrics: Metrics, name: Named, log: Pick<ProcessLog, 'counts'>): void {
  metrics.observed(`sonde_${name}_resident_memory_bytes`, `Resident memory of the ${name}`, () =>
    process.memoryUsage.rss(),
  )
  metrics.observed(
    `sonde_${name}_heap_bytes`,
    `Of it what JavaScript of the ${name} holds, with its buffers`,
    () => {
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    },
  )
  metrics.observed(
    `sonde_${name}_log_warnings_total`,
    'Warnings logged since the start',
    () => log.counts().warnings,
  )
  metrics.observed(
    `sonde_${name}_log_errors_total`,
    'Errors logged since the start',
    () => log.counts().errors,
  )
  // Its timer wakes a process that has nothing to do: ten times a second is not felt.
  const delay = monitorEventLoopDelay({ resolution: 100 })
  delay.enable()
  metrics.observed(
    `sonde_${name}_event_loop_delay_seconds`,
    'How long what is due waited for the event loop, 99th percentile since it was last asked',
    () => {
      const seconds = delay.percentile(99) / 1e9
      delay.reset()
      return Number.isFinite(seconds) ? seconds : 0
    },
  )
}

/** The caches have bounds of their own (`connectionArgs`). */
const ENGINE_FIGURES = [
  [
    'sonde_engine_memory_bytes',
    'Of the back what the embedded ClickHouse counts',
    "metric = 'MemoryTracking'",
  ],
  ['sonde_engine_cache_bytes', 'Of that its caches of marks and indexes', "metric LIKE '%CacheBytes'"],
] as const

/** Of an engine in this process. */
export function observeEngine(metrics: Metrics, { query }: Pick<Telemetry, 'query'>): void {
  for (const [name, help, which] of ENGINE_FIGURES)
    metrics.observed(name, help, async () => {
      const [row] = await query<{ bytes: number }>(
        `SELECT sum(value) AS bytes FROM system.metrics WHERE ${which}`,
      )
      return row?.bytes ?? Number.NaN
    })
}

export function observeDisk(metrics: Metrics, dataDir: string): void {
  const read = (figure: 'freeBytes' | 'sizeBytes') => async (): Promise<number> =>
    (await diskSpaceOf(dataDir))[figure]
  metrics.observed('sonde_disk_free_bytes', 'Free on the disk of SONDE_DATA_DIR', read('freeBytes'))
  metrics.observed('sonde_disk_size_bytes', 'Size of the disk of SONDE_DATA_DIR', read('sizeBytes'))
}

export function observeDeadLetters(metrics: Metrics, records: Records): void {
  metrics.observed(
    'sonde_dead_letters',
    'Items that could not be processed and wait for a decision',
    async () => {
      const { waiting } = await records
        .selectFrom('dead_letter')
        .where('replayed_ms', 'is', null)
        .where('discarded_ms', 'is', null)
        .select((count) => count.fn.countAll<number>().as('waiting'))
        .executeTakeFirstOrThrow()
      return waiting
    },
  )
}
