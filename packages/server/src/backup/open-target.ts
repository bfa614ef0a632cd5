/** Where backups lie, from what a person typed: a folder, or `s3://bucket/prefix?endpoint=…` with the keys of a setting. */
import { join, resolve } from 'node:path'
import { ConfigError, type Logger, silentLogger, SondeError, systemClock } from '@sonde/base'
import type { BlobsPlace } from '@sonde/stores'
import { type EngineConfig, openEngines, readS3Url } from '@sonde/stores/engines'
import type { Config } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'
import { readBackupKey } from './backup-key.ts'
import type { BackupTarget } from './backup-messages.ts'
import { PLACES } from './pin-snapshot.ts'
import { openRepository, type Repository } from './repository.ts'

/** What a backup takes can only be held where all of it lies in the data folder. */
export const isAllHere = ({ records, telemetry, blobs, log }: EngineConfig): boolean =>
  'file' in records && 'dir' in telemetry && 'dir' in blobs && 'dir' in log

/** Undefined for one that was put elsewhere so that copies of the data do not have it. */
export const secretOfBackup = ({
  dataDir,
  secretFile,
}: Pick<Config, 'dataDir' | 'secretFile'>): string | undefined =>
  secretFile === join(dataDir, PLACES.secret) ? secretFile : undefined

export type AskedTarget = {
  /** As a person typed it. */
  readonly to?: string | undefined
  readonly keyFile?: string | undefined
}

/** What is not asked for is as the settings say. Throws `ConfigError` for an address that is none, or a bucket without keys. */
export function readTarget(asked: AskedTarget, { backup }: Pick<Config, 'backup'>): BackupTarget {
  const to = asked.to ?? backup.to
  const keyFile = asked.keyFile ?? backup.keyFile
  if (to === undefined)
    throw new ConfigError(
      SETTINGS.backupTo.name,
      'is not set, and no place for backups was named',
      'Name one: --to DIR or --to s3://BUCKET/PREFIX, on another disk than the data.',
    )
  const key = keyFile === undefined ? undefined : resolve(keyFile)
  if (!/^[a-z0-9+.-]+:\/\//i.test(to)) return { place: { dir: resolve(to) }, name: resolve(to), keyFile: key }
  const option = asked.to === undefined ? SETTINGS.backupTo.name : '--to'
  const address = readS3Url(to)
  if (!address) throw new ConfigError(option, `is not allowed; allowed is ${SETTINGS.backupTo.allowed}`)
  if (!backup.keys)
    throw new ConfigError(
      option,
      'is a bucket, and its keys are not set',
      `Set ${SETTINGS.backupAccessKey.name} and ${SETTINGS.backupSecretKey.name}.`,
    )
  return {
    place: { url: to, keys: backup.keys },
    name: `s3://${address.bucket}/${address.prefix}`,
    keyFile: key,
  }
}

/** Throws `SondeError` for a key that cannot be used or a place that does not answer. */
export async function openTarget(target: BackupTarget, logger: Logger = silentLogger): Promise<Repository> {
  const key = target.keyFile === undefined ? undefined : await readBackupKey(target.keyFile)
  const { blobs } = await openEngines(onlyBlobs(target.place), ['blobs'], { logger })
  return openRepository({ blobs, place: target.name, key, clock: systemClock })
}

/** The other engines are never opened. */
const onlyBlobs = (blobs: BlobsPlace): EngineConfig => {
  const dir = { dir: '' }
  return { records: { file: '' }, telemetry: dir, log: dir, blobs }
}

/**
 * The one that was named, or the last. Throws `not-found`, and `conflict` for one that this version cannot read: an earlier
 * one is not taken instead of it unless it is named.
 */
export async function findBackup(repository: Repository, id: string | undefined) {
  const listed = await repository.list()
  const found = id === undefined ? listed.at(-1) : listed.find((one) => one.id === id)
  if (found?.summary) return found.summary
  if (found)
    throw new SondeError(
      'conflict',
      found.isLater
        ? `a later version of Sonde made the backup ${found.id} in ${repository.place}, in a form that this one does not know`
        : `backups/${found.id}.json in ${repository.place} is damaged`,
      {
        operation: 'find a backup',
        subject: found.id,
        hint: 'use the version that made it or a newer one, or name an earlier backup: `sonde backup list` says which there are',
      },
    )
  throw new SondeError(
    'not-found',
    `there is ${id === undefined ? 'no backup' : `no backup ${id}`} in ${repository.place}`,
    {
      operation: 'find a backup',
      subject: id ?? repository.place,
      hint: '`sonde backup list` says which there are',
    },
  )
}
