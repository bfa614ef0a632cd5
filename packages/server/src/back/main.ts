/** The entry of the back process. The front starts it, and it ends when the front does. */
import { createLocalBus, createLogger, createMetrics, SondeError, systemClock } from '@sonde/base'
import { type Config, readConfig } from '../config/config.ts'
import type { BackMessage } from '../internal/append-through-front.ts'
import { startModules } from '../modules.ts'
import { programFiles } from '../program-files.ts'
import { BACK_MODULES } from './back-modules.ts'

const send = (message: BackMessage): void => void process.send?.(message)

// Ctrl-C in a terminal reaches both processes; the front decides the order of the end.
process.on('SIGINT', () => undefined)

let back: RunningBack | undefined
const stop = async (): Promise<void> => {
  await back?.stop()
  process.exit(0)
}
// Before the start: a front that dies meanwhile must not leave a back that keeps the data folder.
process.on('disconnect', () => void stop())

try {
  back = await startBack(readConfig())
  process.on('SIGTERM', () => void stop())
  send({ kind: 'ready', notices: back.notices })
} catch (error) {
  const hint = error instanceof SondeError && error.hint ? `\n       ${error.hint}` : ''
  const text =
    error instanceof SondeError ? error.message : error instanceof Error ? error.stack : String(error)
  // Held by a back that a killed front left behind: it ends in a moment. The engine may say so as "not available".
  const mayPass = error instanceof SondeError && (error.kind === 'conflict' || error.kind === 'unavailable')
  process.exitCode = 1
  process.removeAllListeners('disconnect')
  send({ kind: 'failed', message: `${text}${hint}`, mayPass })
  process.disconnect?.()
}

/** The back process: stores, pipeline, access, `/api/0` and screens, as far as the roles ask for them. */
type RunningBack = { readonly notices: readonly string[]; readonly stop: () => Promise<void> }

async function startBack(config: Config): Promise<RunningBack> {
  const logger = createLogger('back', config.logLevel)
  const { parts, stop } = await startModules(BACK_MODULES, {
    config,
    files: programFiles(),
    clock: systemClock,
    logger,
    metrics: createMetrics(),
    bus: createLocalBus(logger),
    roles: new Set(config.roles),
  })
  return { notices: parts.firstStart ?? [], stop }
}
