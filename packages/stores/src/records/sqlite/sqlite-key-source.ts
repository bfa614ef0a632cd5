/** The keys out of the records file: read again only when `key_epoch` or the file itself changed. */
import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { KeyInfo, KeyLimit, KeySnapshot, KeySource } from '../key-source.ts'
import { readAllowedDomains } from '../project-settings.ts'

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
      const keys = new Map(open.keys.all().map((row) => [String(row['public_key']), toKey(row)]))
      return { version, keys }
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
    return { database, inode, version: database.prepare(VERSION), keys: database.prepare(KEYS) }
  } catch (error) {
    database.close()
    throw error
  }
}

const VERSION = 'SELECT value FROM key_epoch WHERE id = 1'
const KEYS = `SELECT project_key.public_key, project_key.id AS key_id, project_key.is_active,
  project_key.rate_limit_count, project_key.rate_limit_window_sec, project_key.active_until_ms,
  project_setting.rate_limit_count AS project_count, project_setting.rate_limit_window_sec AS project_window_sec,
  project_setting.span_minute_cap, project_setting.spans_refused_until_ms, project_setting.allowed_domains,
  project.id AS project_id, project.org_id
  FROM project_key JOIN project ON project.id = project_key.project_id
  LEFT JOIN project_setting ON project_setting.project_id = project.id`

function toKey(row: Record<string, unknown>): KeyInfo {
  const activeUntilMs = toNumber(row['active_until_ms'])
  const rateLimit = toLimit(row['rate_limit_count'], row['rate_limit_window_sec'])
  const projectRateLimit = toLimit(row['project_count'], row['project_window_sec'])
  const perMinute = toNumber(row['span_minute_cap'])
  const refusedUntilMs = toNumber(row['spans_refused_until_ms'])
  return {
    keyId: Number(row['key_id']),
    projectId: Number(row['project_id']),
    orgId: Number(row['org_id']),
    isActive: row['is_active'] === 1,
    ...(activeUntilMs !== undefined && { activeUntilMs }),
    ...(rateLimit && { rateLimit }),
    ...(projectRateLimit && { projectRateLimit }),
    spanCaps: {
      ...(perMinute !== undefined && { perMinute }),
      ...(refusedUntilMs !== undefined && { refusedUntilMs }),
    },
    allowedDomains: readAllowedDomains(row['allowed_domains']),
  }
}

const toNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function toLimit(count: unknown, windowSec: unknown): KeyLimit | undefined {
  return typeof count === 'number' && typeof windowSec === 'number' ? { count, windowSec } : undefined
}
