/** Every row of an organization, so that a test can say that nothing of it changed. */
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

/** Changed by asking alone: nobody's doing in acme. */
const UNCOUNTED = new Set([
  'audit_entry',
  // Goes on in the background.
  'erasure',
  'try_window',
  'used_code',
  'pipeline_state',
  'verification',
  'schema_migration',
])
const LOOKED_AT = /^(?:last_used_ms|last_used_address|updatedAt|expiresAt|last_seen_ms|lastSeenMs)$/

/** By table, as texts; without what looking at it changes. */
export function recordsOf(dir: string, orgId: number): ReadonlyMap<string, readonly string[]> {
  const records = new DatabaseSync(join(dir, 'records.sqlite'), { readOnly: true })
  const tables = records
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all()
    .map(({ name }) => String(name))
  const projects = `SELECT id FROM project WHERE org_id = ${orgId}`
  const rows = new Map<string, readonly string[]>()
  for (const table of tables) {
    if (UNCOUNTED.has(table) || table.includes('issue_text')) continue
    const columns = records
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name))
    const where = whereOf(table, columns, orgId, projects)
    if (where === undefined) continue
    const found = records.prepare(`SELECT * FROM "${table}" WHERE ${where}`).all()
    rows.set(table, found.map((row) => textOf(row)).toSorted())
  }
  records.close()
  return rows
}

/** Rows below others are told by them: a file goes with its bundle, a commit's files with the commit. */
function whereOf(
  table: string,
  columns: readonly string[],
  orgId: number,
  projects: string,
): string | undefined {
  if (table === 'organization') return `id = ${orgId}`
  if (table === 'setting') return `name NOT LIKE 'spike%'`
  if (columns.includes('org_id')) return `org_id = ${orgId}`
  if (table.startsWith('sso_') && columns.includes('connection_id'))
    return `connection_id IN (SELECT id FROM sso_connection WHERE org_id = ${orgId})`
  if (columns.includes('project_id')) return `project_id IN (${projects})`
  if (table === 'user' || table === 'session' || columns.includes('userId') || columns.includes('user_id')) {
    const column = table === 'user' ? 'id' : columns.includes('userId') ? '"userId"' : 'user_id'
    return `${column} IN (SELECT user_id FROM member WHERE org_id = ${orgId})`
  }
  return undefined
}

const textOf = (row: Record<string, SQLOutputValue>): string =>
  JSON.stringify(
    Object.entries(row).filter(([name]) => !LOOKED_AT.test(name)),
    (_key, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
  )
