/** The front process: the public port, ingest, the log's writer, and the keeper of the back, as far as the roles ask for them. */
import { createLogger, createMetrics, systemClock } from '@sonde/base'
import type { Config } from '../config/config.ts'
import { startModules } from '../modules.ts'
import { FRONT_MODULES, type FrontEvents, type FrontFiles } from './front-modules.ts'

export type RunningFront = {
  /** Lets running requests end, then stops the back. Within 10 s. */
  readonly stop: () => Promise<void>
}

export async function startFront(
  config: Config,
  files: FrontFiles,
  events: FrontEvents,
): Promise<RunningFront> {
  const { parts, stop } = await startModules(FRONT_MODULES, {
    config,
    files,
    events,
    clock: systemClock,
    logger: createLogger('front', config.logLevel),
    metrics: createMetrics(),
    roles: new Set(config.roles),
  })
  // With a back it is ready when that is.
  if (!parts.back && parts.port) events.onReady(parts.port.url, [])
  return { stop }
}
