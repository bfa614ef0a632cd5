/** `sonde secret rotate`: another secret key, while no Sonde runs. */
import { operatorViewer, SECRET_CHECK } from '@sonde/access'
import { createLogger, type Logger, systemClock } from '@sonde/base'
import { type CommandInput, print } from '@sonde/cli'
import { rotateSecret } from '@sonde/commands'
import { openEngines } from '@sonde/stores'
import { refuseUnfinishedRestore } from '../backup/restore-marker.ts'
import { type Config, readConfig } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { refuseMoved } from '../move/move-file.ts'
import { endRotation, openSecret, setting } from '../secret/open-secret.ts'
import {
  dropNextSecret,
  newSecret,
  nextSecretFile,
  useNextSecret,
  writeSecretFile,
} from '../secret/secret-file.ts'
import { whileNothingRuns } from './while-nothing-runs.ts'

const RUNNING = {
  message: 'Sonde is running: it would go on with the old key',
  operation: 'rotate the secret key',
  hint: 'stop it, rotate, and start it again: a few seconds, during which SDKs keep what they cannot send',
} as const

export async function run({ flag }: CommandInput): Promise<number> {
  const config = readConfig()
  refuseMoved(config)
  refuseUnfinishedRestore(config.dataDir)
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  const done = await whileNothingRuns(config, logger, RUNNING, () => rotate(config, logger, flag('lost')))
  if (flag('json')) print(JSON.stringify(done))
  else
    print(
      `There is a new secret key in ${config.secretFile}. ${done.sessions} sessions ended. ${
        flag('lost')
          ? `Two-factor sign-in is off; ${done.secondFactors} people had it.`
          : `The second factors of ${done.secondFactors} people were encrypted anew.`
      }\nThe old key opens nothing here any more; older backups still need it.${
        'url' in config.engines.records
          ? '\nStarts on other machines need this file in the place of theirs: with the old key they refuse to start.'
          : ''
      }`,
    )
  return 0
}

/** The file follows the records: whoever is cut off here ends it at the next start (`endRotation`). */
async function rotate(config: Config, logger: Logger, isLost: boolean) {
  const { secretFile: file } = config
  const { records: opened, close } = await openEngines(config.engines, ['records'], { logger })
  try {
    if (isLost) endRotation(file, await setting(opened.db, SECRET_CHECK))
    const from = isLost ? undefined : await openSecret(opened, file, logger)
    const to = newSecret()
    writeSecretFile(nextSecretFile(file), to)
    try {
      const done = await rotateSecret({ records: opened.db, clock: systemClock }, operatorViewer, {
        from,
        to,
      })
      useNextSecret(file)
      return done
    } catch (error) {
      dropNextSecret(file)
      throw error
    }
  } finally {
    await close()
  }
}
