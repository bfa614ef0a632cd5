/** The keys out of the records file: read again only when `key_epoch` or the file itself changed. */
import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { KEYS_SQL, keysOf } from '../key-rows.ts'
import type { KeySnapshot, KeySource } from '../key-source.ts'

// This process answers requests; rather an old key list than a long stall. In WAL mode a reader hardly ever waits.
const BUSY_TIMEOUT_MS = 50

type Open = {
  readonly database: DatabaseSync
  readonly inode: bigint
  readonly version: StatementSync
  readonly keys: StatementSync
}

export function openSqliteKeys(path: string): KeySource {
  let open: Open | undefined
  const close = (): void => {
    open?.database.close()
    open = undefined
  }
  const read = (known: string | undefined): KeySnapshot | undefined => {
    const { ino } = statSync(path, { bigint: true })
    // Somebody restored a backup: the open handle shows the deleted file.
    if (open && open.inode !== ino) close()
    try {
      open ??= openAt(path, ino)
      // Before the keys: if they change in between, the next read sees another version and reads them again.
      const version = `${ino} ${String(open.version.get()?.['value'])}`
      if (version === known) return undefined
      return { version, keys: keysOf(open.keys.all()) }
    } catch (error) {
      close()
      throw error
    }
  }
  return {
    read: async (version) => read(version),
    close: async () => close(),
  }
}

function openAt(path: string, inode: bigint): Open {
  // Read-only also because opening for writing would create a missing file.
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    return { database, inode, version: database.prepare(VERSION), keys: database.prepare(KEYS_SQL) }
  } catch (error) {
    database.close()
    throw error
  }
}

const VERSION = 'SELECT value FROM key_epoch WHERE id = 1'
