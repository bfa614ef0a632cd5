/** The front process: the public port, ingest, the log's writer, and the keeper of the back, as far as the roles ask for them. */
import { createMetrics, createProcessLog, systemClock } from '@sonde/base'
import type { Config } from '../config/config.ts'
import { startModules } from '../modules.ts'
import { releaseMemoryWhileIdle } from '../observe/release-memory.ts'
import { startExport } from '../observe/start-export.ts'
import { createEnding } from './ending.ts'
import { FRONT_MODULES, type FrontEvents, type FrontFiles } from './front-modules.ts'

export type RunningFront = {
  /**
   * Goes on for `SONDE_DRAIN_SECONDS`, then lets running requests end and stops the back: within 10 s more. The log is
   * flushed in any case.
   */
  readonly stop: () => Promise<void>
  /** A stop that runs waits for nothing any more. */
  readonly hurry: () => void
}

export async function startFront(
  config: Config,
  files: FrontFiles,
  events: FrontEvents,
): Promise<RunningFront> {
  const ending = createEnding(config.drainMs)
  const log = createProcessLog('front', config.logLevel, config.logFormat)
  const clock = systemClock
  const metrics = createMetrics()
  const { tracer, stop: stopExport } = startExport({
    ...config.otlp,
    role: 'front',
    clock,
    logger: log.logger,
    metrics,
  })
  const { parts, stop } = await startModules(FRONT_MODULES, {
    config,
    ending,
    files,
    events,
    clock,
    log,
    logger: log.logger,
    metrics,
    tracer,
    roles: new Set(config.roles),
  })
  // With a back it is ready when that is.
  if (!parts.back && parts.port) events.onReady(parts.port.url, [])
  const stopReleasing = releaseMemoryWhileIdle()
  return {
    async stop() {
      stopReleasing()
      ending.begin()
      await stop()
      await stopExport()
    },
    hurry: ending.hurry,
  }
}
