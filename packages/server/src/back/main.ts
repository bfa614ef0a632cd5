/** The entry of the back process. The front starts it, and it ends when the front does. */
import { SondeError } from '@sonde/base'
import { readConfig } from '../config/config.ts'
import type { BackMessage } from '../internal/append-through-front.ts'
import { type RunningBack, startBack } from './start-back.ts'

const send = (message: BackMessage): void => void process.send?.(message)

// Ctrl-C in a terminal reaches both processes; the front decides the order of the end.
process.on('SIGINT', () => undefined)

let back: RunningBack | undefined
const stop = async (): Promise<void> => {
  await back?.stop()
  process.exit(0)
}
// Shorter than a new front waits for the data folder (`superviseBack`).
const WITHOUT_FRONT_MS = 8_000
// Before the start: a front that dies meanwhile must not leave a back that keeps the data folder.
process.on('disconnect', () => {
  // What is not done by then is repeated from the log.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), WITHOUT_FRONT_MS)
  void stop()
})

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
