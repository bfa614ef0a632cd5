/** Opens what a command of the command line changes. The records may be open in a running Sonde at the same time. */
import { createAccess } from '@sonde/access'
import { createLogger, systemClock } from '@sonde/base'
import type { CommandDeps } from '@sonde/commands'
import { openEngines } from '@sonde/stores'
import { type Config, readConfig } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { refuseMoved } from '../move/move-file.ts'
import { openSecret } from '../secret/open-secret.ts'

export async function withCommands<T>(work: (deps: CommandDeps, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  refuseMoved(config)
  // Only what goes wrong: the answer of a command is on standard output.
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  const engines = await openEngines(config.engines, ['records'], { logger })
  try {
    const records = engines.records.db
    const secret = await openSecret(engines.records, config.secretFile, logger)
    const access = createAccess({ records, secret, publicUrl: config.publicUrl, clock: systemClock, logger })
    return await work({ records, access, clock: systemClock }, config)
  } finally {
    await engines.close()
  }
}
