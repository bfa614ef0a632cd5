/** `sonde start`: runs the front until a signal comes, and says in people's words what to do first. */
import { type Config, readConfig } from '../config/config.ts'
import { programFiles } from '../program-files.ts'
import { note, print } from './print.ts'
import { createLogger, createMetrics, systemClock } from '@sonde/base'
import { startModules } from '../modules.ts'
import { FRONT_MODULES, type FrontEvents, type FrontFiles } from '../front/front-modules.ts'

export async function run(): Promise<number> {
  const startedMs = performance.now()
  const config = readConfig()
  const { back, reporter } = programFiles()
  return new Promise((resolve, reject) => {
    let readyBefore = false
    const started = startFront(
      config,
      { back: { path: back, execArgv: process.execArgv }, reporter },
      {
        onReady(url, notices) {
          if (readyBefore) return
          readyBefore = true
          print(
            [
              '',
              `Sonde is ready on ${url}  (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`,
              ...notices,
              '',
            ].join('\n'),
          )
        },
        onFirstStartFailed(message) {
          note(`sonde: ${message}`)
          void stop(1)
        },
      },
    )
    let stopping: Promise<void> | undefined
    const stop = (code: number): Promise<void> =>
      (stopping ??= started.then(async (front) => {
        await front.stop()
        resolve(code)
      }, reject))
    process.on('SIGTERM', () => void stop(0))
    process.on('SIGINT', () => void stop(0))
    started.catch(reject)
  })
}

/** The front process: the public port, ingest, the log's writer, and the keeper of the back, as far as the roles ask for them. */
type RunningFront = {
  /** Lets running requests end, then stops the back. Within 10 s. */
  readonly stop: () => Promise<void>
}

async function startFront(config: Config, files: FrontFiles, events: FrontEvents): Promise<RunningFront> {
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
