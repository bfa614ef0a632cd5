/** Opens what a command of the command line reads and changes. The records may be open in a running Sonde at the same time. */
import { type Access, createAccess } from '@sonde/access'
import { createLogger, systemClock } from '@sonde/base'
import type { CommandDeps } from '@sonde/commands'
import { type EngineName, type Engines, openEngines, visibleRecords } from '@sonde/stores'
import { refuseUnfinishedRestore } from '../backup/restore-marker.ts'
import { type Config, readConfig } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { refuseMoved } from '../move/move-file.ts'
import { openSecret } from '../secret/open-secret.ts'

type Opened<Name extends EngineName> = {
  readonly engines: Pick<Engines, Name>
  readonly access: Access
  readonly config: Config
}

/** `names`: the records are opened too. */
export async function withEngines<Name extends EngineName, T>(
  names: readonly Name[],
  work: (opened: Opened<Name | 'records'>) => Promise<T>,
): Promise<T> {
  const config = readConfig()
  refuseMoved(config)
  refuseUnfinishedRestore(config.dataDir)
  // Only what goes wrong: the answer of a command is on standard output.
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  const engines = await openEngines(config.engines, ['records', ...names], { logger })
  try {
    const records = visibleRecords(engines.records.db)
    const secret = await openSecret(engines.records, config.secretFile, logger)
    const access = createAccess({ records, secret, publicUrl: config.publicUrl, clock: systemClock, logger })
    return await work({ engines, access, config })
  } finally {
    await engines.close()
  }
}

export const withCommands = <T>(work: (deps: CommandDeps, config: Config) => Promise<T>): Promise<T> =>
  withEngines([], ({ engines, access, config }) =>
    work({ records: visibleRecords(engines.records.db), access, clock: systemClock }, config),
  )
