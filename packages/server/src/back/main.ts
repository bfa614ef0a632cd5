/** The entry of the back process. The front starts it, and it ends when the front does. */
import { SondeError } from '@sonde/base'
import { readConfig } from '../config/config.ts'
import type { BackMessage } from '../internal/messages.ts'
import { startBack } from './start-back.ts'

const send = (message: BackMessage): void => void process.send?.(message)

// Ctrl-C in a terminal reaches both processes; the front decides the order of the end.
process.on('SIGINT', () => undefined)

try {
  const back = await startBack(readConfig())
  const stop = async (): Promise<void> => {
    await back.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('disconnect', () => void stop())
  send({ kind: 'ready', notices: back.notices })
} catch (error) {
  const hint = error instanceof SondeError && error.hint ? `\n       ${error.hint}` : ''
  const text =
    error instanceof SondeError ? error.message : error instanceof Error ? error.stack : String(error)
  send({ kind: 'failed', message: `${text}${hint}` })
  process.exitCode = 1
  process.disconnect?.()
}
