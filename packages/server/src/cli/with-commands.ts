/** Opens what a command of the command line changes. The records may be open in a running Sonde at the same time. */
import { mkdirSync } from 'node:fs'
import { createAccess } from '@sonde/access'
import { createLogger, systemClock } from '@sonde/base'
import type { CommandDeps } from '@sonde/commands'
import { openRecords } from '@sonde/stores'
import { authSecret } from '../auth-secret.ts'
import { type Config, readConfig } from '../config/config.ts'

export async function withCommands<T>(work: (deps: CommandDeps, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  // Only what goes wrong: the answer of a command is on standard output.
  const logger = createLogger('cli', 'warn')
  mkdirSync(config.dataDir, { recursive: true, mode: 0o750 })
  const opened = await openRecords({ file: config.paths.records }, { logger })
  try {
    const records = opened.db
    const secret = await authSecret(records)
    const access = createAccess({ records, secret, publicUrl: config.publicUrl, clock: systemClock, logger })
    return await work({ records, access, clock: systemClock }, config)
  } finally {
    await opened.close()
  }
}
