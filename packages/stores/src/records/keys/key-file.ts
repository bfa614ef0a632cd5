/** Reads the keys out of the records file, only when `key_epoch` or the file itself changed. */
import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { readAllowedDomains } from '../allowed-domains.ts'
import type { DirectoryKey } from './key-directory.ts'

export type KeyFile = {
  /** Undefined: as before. Throws when the file is missing, locked or not migrated yet; a later call may work. */
  readIfChanged(): ReadonlyMap<string, DirectoryKey> | undefined
  close(): void
}

// This process answers requests; rather an old key list than a long stall. In WAL mode a reader hardly ever waits.
const BUSY_TIMEOUT_MS = 50

type Open = {
  readonly database: DatabaseSync
  readonly inode: bigint
  readonly epoch: StatementSync
  readonly keys: StatementSync
}

export function openKeyFile(path: string): KeyFile {
  let open: Open | undefined
  let epochRead: unknown
  const close = (): void => {
    open?.database.close()
    open = undefined
    epochRead = undefined
  }
  return {
    readIfChanged() {
      const { ino } = statSync(path, { bigint: true })
      // Somebody restored a backup: the open handle shows the deleted file.
      if (open && open.inode !== ino) close()
      try {
        open ??= openAt(path, ino)
        // Before the keys: if they change in between, the next call sees another epoch and reads again.
        const epoch = open.epoch.get()?.['value']
        if (epoch === epochRead) return undefined
        const keys = new Map(open.keys.all().map((row) => [String(row['public_key']), toKey(row)]))
        epochRead = epoch
        return keys
      } catch (error) {
        close()
        throw error
      }
    },
    close,
  }
}

function openAt(path: string, inode: bigint): Open {
  // Read-only also because opening for writing would create a missing file.
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    return { database, inode, epoch: database.prepare(EPOCH), keys: database.prepare(KEYS) }
  } catch (error) {
    database.close()
    throw error
  }
}

const EPOCH = 'SELECT value FROM key_epoch WHERE id = 1'
const KEYS = `SELECT project_key.public_key, project_key.id AS key_id, project_key.is_active,
  project_key.rate_limit_count, project_key.rate_limit_window_sec, project_key.active_until_ms,
  project_setting.rate_limit_count AS project_count, project_setting.rate_limit_window_sec AS project_window_sec,
  project_setting.span_minute_cap, project_setting.spans_refused_until_ms, project_setting.allowed_domains, project.id AS project_id,
  project.slug AS project_slug, organization.id AS org_id, organization.slug AS org_slug
  FROM project_key JOIN project ON project.id = project_key.project_id
  JOIN organization ON organization.id = project.org_id
  LEFT JOIN project_setting ON project_setting.project_id = project.id`

function toKey(row: Record<string, unknown>): DirectoryKey {
  return {
    publicKey: String(row['public_key']),
    keyId: Number(row['key_id']),
    projectId: Number(row['project_id']),
    projectSlug: String(row['project_slug']),
    orgId: Number(row['org_id']),
    orgSlug: String(row['org_slug']),
    isActive: row['is_active'] === 1,
    activeUntilMs: toNumber(row['active_until_ms']),
    rateLimit: toLimit(row['rate_limit_count'], row['rate_limit_window_sec']),
    projectRateLimit: toLimit(row['project_count'], row['project_window_sec']),
    spansPerMinute: toNumber(row['span_minute_cap']),
    spansRefusedUntilMs: toNumber(row['spans_refused_until_ms']),
    allowedDomains: readAllowedDomains(row['allowed_domains']),
  }
}

const toNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function toLimit(count: unknown, windowSec: unknown): DirectoryKey['rateLimit'] {
  return typeof count === 'number' && typeof windowSec === 'number' ? { count, windowSec } : undefined
}
