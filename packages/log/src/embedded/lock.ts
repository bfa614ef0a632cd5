/**
 * Exactly one writer and one consumer per log folder. The lock is the operating system's (a POSIX record lock,
 * taken through SQLite on an empty file because Node offers no other way): it ends with the process whatever
 * kills it, so there is no stale lock to guess about, nor a process id that another container also has.
 */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { SondeError } from '@sonde/base'

const SQLITE_BUSY = 5

export type LogRole = 'writer' | 'consumer'

/** Throws a `conflict` when another process (or this one) holds it. Returns the release. */
export function lockLog(dir: string, role: LogRole, holder: string): () => void {
  const path = join(dir, `${role}.lock`)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // No statement ever writes, so the file stays empty: locking works on a full disk.
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new SondeError('conflict', `the log in ${dir} already has a ${role}${holder}`, {
      operation: `open the log as its ${role}`,
      subject: path,
      hint: 'Stop the other Sonde, or give this one a folder of its own with SONDE_DATA_DIR.',
      cause: error,
    })
  }
  return () => database.close()
}
