/** The keys out of PostgreSQL: over one connection, and read again only when `key_epoch` changed. */
import { KEYS_SQL, keysOf } from '../key-rows.ts'
import type { KeySource } from '../key-source.ts'
import { openPool } from './pool.ts'
import { postgresError } from './postgres-errors.ts'

/** A table that was restored from a backup is another one, though it may count the same. */
const VERSION = `SELECT 'key_epoch'::regclass::oid || ' ' || value AS version FROM key_epoch WHERE id = 1`

/** Connects at the first read, and anew after each failure. */
export function openPostgresKeys(url: string): KeySource {
  const pool = openPool(url, 1)
  return {
    async read(known) {
      try {
        // Before the keys: if they change in between, the next read sees another version and reads them again.
        const { rows } = await pool.query<{ version: string }>(VERSION)
        const version = rows[0]?.version ?? ''
        if (version === known) return undefined
        const keys = await pool.query<Record<string, unknown>>(KEYS_SQL)
        return { version, keys: keysOf(keys.rows) }
      } catch (error) {
        throw postgresError(error, url, 'read the keys')
      }
    },
    close: () => pool.end(),
  }
}
