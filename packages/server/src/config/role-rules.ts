/**
 * Which roles can run apart. An embedded engine is one start's: whoever works with it has to run in that start. What cannot
 * work is refused before anything is opened. Two starts with all roles on one embedded engine cannot be seen from here;
 * on one data folder the second is refused by the log's lock.
 */
import { ConfigError } from '@sonde/base'
import type { EngineConfig } from '@sonde/stores/engines'
import { ALL_ROLES, type Role } from '../modules.ts'

type SharedEngine = {
  readonly engine: keyof EngineConfig
  /** The URL of a server that several starts share. */
  readonly setting: string
  readonly usedBy: readonly Role[]
  /** What it is without that setting. */
  readonly embedded: string
}

/** The first that stands in the way is named. */
const SHARED_ENGINES: readonly SharedEngine[] = [
  {
    engine: 'log',
    setting: 'SONDE_NATS_URL',
    usedBy: ['ingest', 'pipeline'],
    embedded: 'the log is segment files in SONDE_DATA_DIR, which only the start that writes them reads',
  },
  {
    engine: 'telemetry',
    setting: 'SONDE_CLICKHOUSE_URL',
    usedBy: ['pipeline', 'web', 'alerts', 'maintain'],
    embedded: 'telemetry is kept in SONDE_DATA_DIR, which only one start can open',
  },
  {
    engine: 'records',
    setting: 'SONDE_DATABASE_URL',
    usedBy: ['ingest', 'pipeline', 'web', 'alerts', 'maintain'],
    embedded: 'the records are a SQLite file in SONDE_DATA_DIR, which no other start has',
  },
  {
    engine: 'blobs',
    setting: 'SONDE_BLOBS_URL',
    usedBy: ['pipeline', 'web', 'maintain'],
    embedded: 'blobs are a folder in SONDE_DATA_DIR, which no other start has',
  },
]

/** They sign and check cookies, or read what was encrypted. */
const WITH_SECRET: readonly Role[] = ['pipeline', 'web', 'alerts', 'maintain']

export type RoleChoice = {
  readonly roles: readonly Role[]
  readonly engines: EngineConfig
  readonly isSecretNamed: boolean
}

/** Throws `ConfigError` for roles that cannot do their work apart from those that are missing here. */
export function checkRoles({ roles, engines, isSecretNamed }: RoleChoice): void {
  const missing = ALL_ROLES.filter((role) => !roles.includes(role))
  for (const { engine, setting, usedBy, embedded } of SHARED_ENGINES) {
    const here = roles.filter((role) => usedBy.includes(role))
    const elsewhere = missing.filter((role) => usedBy.includes(role))
    if ('url' in engines[engine] || here.length === 0 || elsewhere.length === 0) continue
    throw new ConfigError(
      'SONDE_ROLES',
      `${here.join(', ')} cannot run without ${elsewhere.join(', ')} here: ${embedded}`,
      `Set ${setting} to a server that all starts share, or add ${elsewhere.join(', ')} to SONDE_ROLES (docs/operate/deploy.md).`,
    )
  }
  if (missing.length > 0 && !isSecretNamed && roles.some((role) => WITH_SECRET.includes(role)))
    throw new ConfigError(
      'SONDE_SECRET_FILE',
      'is not set, and starts with other roles need the same secret key',
      'Put one key of at least 32 random characters where each start can read it, and name it in SONDE_SECRET_FILE (docs/operate/deploy.md).',
    )
}

/** Whether anything that grows lies in the data folder of such a start. */
export const keepsDataOnDisk = ({ roles, engines }: Pick<RoleChoice, 'roles' | 'engines'>): boolean =>
  SHARED_ENGINES.some(
    ({ engine, usedBy }) => !('url' in engines[engine]) && roles.some((role) => usedBy.includes(role)),
  )
