/** The data folder belongs to one user: nobody else on the machine reads events, sessions or keys. */
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@sonde/base'
import type { PartReport } from './doctor/report.ts'

const FOR_OTHERS = 0o077

/**
 * From now on this process makes every file for its own user only; a folder of an older version, or one that somebody
 * made with other rights, is closed with all that lies in it. Where that is not allowed, `sonde doctor` says so.
 */
export function openDataDir(dataDir: string, logger: Logger): void {
  process.umask(FOR_OTHERS)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!isOpenToOthers(dataDir)) return
  try {
    chmodSync(dataDir, 0o700)
    for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) close(join(dataDir, name))
    logger.info({ dataDir }, 'the data folder was open to other users of this machine, and is closed')
  } catch (error) {
    logger.warn({ err: error, dataDir }, 'the data folder is open to other users, and cannot be closed')
  }
}

function close(path: string): void {
  const mode = ownMode(path)
  if ((mode & FOR_OTHERS) !== 0) chmodSync(path, mode & 0o700)
}

/** The folder itself, or what lies in it at once. */
const isOpenToOthers = (dataDir: string): boolean =>
  ['.', ...readdirSync(dataDir)].some((name) => (ownMode(join(dataDir, name)) & FOR_OTHERS) !== 0)

/** Of a link 0: its mode means nothing, and what it leads to may be somebody else's. Of what is gone meanwhile too. */
function ownMode(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found === undefined || found.isSymbolicLink() ? 0 : found.mode & 0o777
}

export function dataDirPart(dataDir: string): PartReport {
  if (!isOpenToOthers(dataDir))
    return { name: 'permissions', state: 'ok', detail: 'data directory is private to this user' }
  const detail = `other users can read ${dataDir}: run \`chmod -R go= ${dataDir}\` as its owner`
  return { name: 'permissions', state: 'degraded', detail }
}
