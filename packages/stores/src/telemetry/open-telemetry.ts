/** Opens the telemetry store and brings its schema up to date. */
import { type Clock, type Logger, systemClock } from '@sonde/base'
import { openEmbedded } from './embedded/open-embedded.ts'
import { migrateTelemetry } from './migrate.ts'
import { openServer } from './server/open-server.ts'
import type { Telemetry } from './telemetry.ts'

export type TelemetryPlace = { readonly dir: string } | { readonly url: string }

export type TelemetryOptions = {
  readonly logger: Logger
  readonly clock?: Clock
  /** Embedded only: what the engine may allocate for queries, merges and caches together. */
  readonly maxMemoryBytes?: number
  /** Rows older than this (by when they were received) go, a week's part at a time. */
  readonly retentionDays?: number
}

// Leaves room beside the rest of both processes below 900 MB at full load.
const DEFAULT_MAX_MEMORY_BYTES = 512 * 1024 * 1024
const DEFAULT_RETENTION_DAYS = 90

/** Throws `SondeError`, kind `conflict`, when another process has the folder open. */
export async function openTelemetry(place: TelemetryPlace, options: TelemetryOptions): Promise<Telemetry> {
  const { logger, clock = systemClock, retentionDays = DEFAULT_RETENTION_DAYS } = options
  const telemetry =
    'url' in place
      ? openServer(place.url)
      : await openEmbedded(place.dir, options.maxMemoryBytes ?? DEFAULT_MAX_MEMORY_BYTES)
  try {
    await migrateTelemetry(telemetry, { clock, logger, retentionDays })
  } catch (error) {
    await telemetry.close()
    throw error
  }
  return telemetry
}
