/** `sonde start`: runs the front until a signal comes, and says in people's words what to do first. */
import { note, print } from '@sonde/cli'
import { refuseUnfinishedRestore } from '../backup/restore-marker.ts'
import { readConfig } from '../config/config.ts'
import { checkRoles } from '../config/role-rules.ts'
import { startFront } from '../front/start-front.ts'
import { refuseMoved } from '../move/move-file.ts'
import { programFiles } from '../program-files.ts'

/** A signal to a whole group of processes comes twice: from the sender, and from the script that hands it on. */
const SAME_SIGNAL_MS = 500

export async function run(): Promise<number> {
  const startedMs = performance.now()
  const config = readConfig()
  checkRoles(config)
  refuseMoved(config)
  refuseUnfinishedRestore(config.dataDir)
  for (const renamed of config.formerRoles)
    note(`sonde: a role in SONDE_ROLES has another name now: ${renamed}`)
  const { back, reporter, docs } = programFiles()
  return new Promise((resolve, reject) => {
    let readyBefore = false
    const started = startFront(
      config,
      { back: { path: back, execArgv: process.execArgv }, reporter, docs },
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
    let firstMs: number | undefined
    const onSignal = (): void => {
      firstMs ??= performance.now()
      void stop(0)
      if (performance.now() - firstMs > SAME_SIGNAL_MS) void started.then((front) => front.hurry(), reject)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    started.catch(reject)
  })
}
