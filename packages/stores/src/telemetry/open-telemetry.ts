/** Opens the telemetry store and brings its schema up to date. */
import { type Clock, type Logger, systemClock } from '@sonde/base'
import { freeBytesOf } from '../upgrade/free-space.ts'
import { migrateTelemetry } from './migrate.ts'
import type { OpenServer, ServerPlace } from './server/open-server.ts'
import type { Telemetry } from './telemetry.ts'

export type TelemetryPlace = { readonly dir: string } | ServerPlace

export type TelemetryOptions = {
  readonly logger: Logger
  readonly clock?: Clock
  /** Embedded only: what the engine may allocate for queries, merges and caches together. */
  readonly maxMemoryBytes?: number
  /** Embedded only: the file that runs as the console's process; by default the source. */
  readonly consoleEntry?: URL
  /** Embedded only: what a statement of the console may take; ten seconds. */
  readonly consoleSeconds?: number
  /** Embedded only: nothing is merged, so that each part stays what it is. For copying them away, not for working. */
  readonly keepsParts?: boolean
  /** Rows older than this (by when they were received) go, a week's part at a time. */
  readonly retentionDays?: number
  /** Servers only: how long one that does not answer is waited for. */
  readonly waitMs?: number
  /** Called once nothing more can refuse this store, before its schema is changed. */
  readonly beforeSteps?: (() => Promise<void>) | undefined
  /** Embedded only: what an upgrade of the other stores on its disk writes. */
  readonly besideBytes?: number
}

// Leaves room beside the rest of both processes below 900 MB at full load.
const DEFAULT_MAX_MEMORY_BYTES = 512 * 1024 * 1024
const DEFAULT_RETENTION_DAYS = 90
// Servers that are started together come up within this; then the process ends, and whoever watches it starts it again.
const DEFAULT_WAIT_MS = 60_000

/** Throws `SondeError`, kind `conflict`, when another process has the folder open. */
export async function openTelemetry(place: TelemetryPlace, options: TelemetryOptions): Promise<Telemetry> {
  const { logger, clock = systemClock, retentionDays = DEFAULT_RETENTION_DAYS } = options
  const { beforeSteps, besideBytes = 0 } = options
  const { telemetry, rowsOf } = await openEngine(place, { ...options, clock, retentionDays })
  try {
    const { query, command } = telemetry
    await migrateTelemetry(
      {
        query,
        command,
        rowsOf,
        ...('url' in place ? { isServer: true } : { disk: { ...diskOf(place.dir), besideBytes } }),
      },
      { clock, logger, retentionDays, beforeSteps },
    )
  } catch (error) {
    await telemetry.close()
    throw error
  }
  return telemetry
}

const diskOf = (dir: string) => ({ dir, freeBytes: () => freeBytesOf(dir) })

/** Loaded when asked for: the embedded engine maps 200 MB, and most processes that import this package open none. */
async function openEngine(
  place: TelemetryPlace,
  {
    maxMemoryBytes = DEFAULT_MAX_MEMORY_BYTES,
    waitMs = DEFAULT_WAIT_MS,
    consoleEntry,
    consoleSeconds,
    keepsParts,
    ...needs
  }: TelemetryOptions & { readonly clock: Clock; readonly retentionDays: number },
): Promise<OpenServer> {
  if ('url' in place) {
    const { openServer } = await import('./server/open-server.ts')
    return openServer(place, { ...needs, waitMs })
  }
  const { openEmbedded } = await import('./embedded/open-embedded.ts')
  const telemetry = await openEmbedded(
    place.dir,
    maxMemoryBytes,
    consoleEntry,
    consoleSeconds,
    keepsParts,
    needs.logger,
  )
  return { telemetry, rowsOf: (table) => table }
}
