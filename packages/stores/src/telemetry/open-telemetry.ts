/** Opens the telemetry store and brings its schema up to date. */
import { type Clock, type Logger, systemClock } from '@sonde/base'
import { migrateTelemetry } from './migrate.ts'
import type { Telemetry } from './telemetry.ts'

export type TelemetryPlace = { readonly dir: string } | { readonly url: string }

export type TelemetryOptions = {
  readonly logger: Logger
  readonly clock?: Clock
  /** Embedded only: what the engine may allocate for queries, merges and caches together. */
  readonly maxMemoryBytes?: number
  /** Embedded only: the file that runs as the console's process; by default the source. */
  readonly consoleEntry?: URL
  /** Embedded only: what a statement of the console may take; ten seconds. */
  readonly consoleSeconds?: number
  /** Rows older than this (by when they were received) go, a week's part at a time. */
  readonly retentionDays?: number
}

// Leaves room beside the rest of both processes below 900 MB at full load.
const DEFAULT_MAX_MEMORY_BYTES = 512 * 1024 * 1024
const DEFAULT_RETENTION_DAYS = 90

/** Throws `SondeError`, kind `conflict`, when another process has the folder open. */
export async function openTelemetry(place: TelemetryPlace, options: TelemetryOptions): Promise<Telemetry> {
  const { logger, clock = systemClock, retentionDays = DEFAULT_RETENTION_DAYS } = options
  const telemetry = await openEngine(place, options)
  try {
    await migrateTelemetry(telemetry, { clock, logger, retentionDays })
  } catch (error) {
    await telemetry.close()
    throw error
  }
  return telemetry
}

/** Loaded when asked for: the embedded engine maps 200 MB, and most processes that import this package open none. */
async function openEngine(
  place: TelemetryPlace,
  { maxMemoryBytes = DEFAULT_MAX_MEMORY_BYTES, consoleEntry, consoleSeconds }: TelemetryOptions,
): Promise<Telemetry> {
  if ('url' in place) {
    const { openServer } = await import('./server/open-server.ts')
    return openServer(place.url)
  }
  const { openEmbedded } = await import('./embedded/open-embedded.ts')
  return openEmbedded(place.dir, maxMemoryBytes, consoleEntry, consoleSeconds)
}
