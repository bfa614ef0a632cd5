/** Opens the records file so that several processes (back, front, CLI) can use it at once. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SondeError } from '@sonde/base'

// Statements block the event loop, so this is also the longest stall; writers hold the lock for milliseconds.
const BUSY_TIMEOUT_MS = 5000

/** Throws `SondeError`, kind `unavailable`, when the file cannot be opened or is none of ours. */
export function openSqlite(file: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
    // Readers never wait for the writer, nor it for them.
    database.exec('PRAGMA journal_mode = WAL')
    // NORMAL would flush only at checkpoints: after a power cut the last transactions could be gone while the log
    // segments that they consumed are deleted already. FULL flushes each commit (guarantee G2).
    database.exec('PRAGMA synchronous = FULL')
    // Temporary tables and sorts stay off the disk; 8 MiB of pages instead of 2.
    database.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192')
    return database
  } catch (cause) {
    database?.close()
    throw new SondeError('unavailable', `open the records: ${(cause as Error).message} (${file})`, {
      operation: 'open the records',
      subject: file,
      cause,
      hint: 'the file and its folder must be writable by this user and on a local disk (not NFS)',
    })
  }
}
