/** `sonde start`: runs the front until a signal comes, and says in people's words what to do first. */
import { readConfig } from '../config/config.ts'
import { startFront } from '../front/start-front.ts'
import { programFiles } from '../program-files.ts'
import { note, print } from './print.ts'

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
