/** How the keys lie in the records, of either engine. */
import type { KeyInfo, KeyLimit } from './key-source.ts'
import { readAllowedDomains } from './project-settings.ts'

export const KEYS_SQL = `SELECT project_key.public_key, project_key.id AS key_id, project_key.is_active,
  project_key.rate_limit_count, project_key.rate_limit_window_sec, project_key.active_until_ms,
  project_key.foreign_project,
  project_setting.rate_limit_count AS project_count, project_setting.rate_limit_window_sec AS project_window_sec,
  project_setting.span_minute_cap, project_setting.spans_refused_until_ms, project_setting.allowed_domains,
  project.id AS project_id, project.org_id
  FROM project_key JOIN project ON project.id = project_key.project_id
  LEFT JOIN project_setting ON project_setting.project_id = project.id
  WHERE project.id NOT IN (SELECT project_id FROM hidden_project)`

type Row = Readonly<Record<string, unknown>>

export const keysOf = (rows: readonly Row[]): ReadonlyMap<string, KeyInfo> =>
  new Map(rows.map((row) => [String(row['public_key']), toKey(row)]))

function toKey(row: Row): KeyInfo {
  const activeUntilMs = toNumber(row['active_until_ms'])
  const rateLimit = toLimit(row['rate_limit_count'], row['rate_limit_window_sec'])
  const projectRateLimit = toLimit(row['project_count'], row['project_window_sec'])
  const perMinute = toNumber(row['span_minute_cap'])
  const refusedUntilMs = toNumber(row['spans_refused_until_ms'])
  return {
    keyId: Number(row['key_id']),
    projectId: Number(row['project_id']),
    orgId: Number(row['org_id']),
    ...(typeof row['foreign_project'] === 'string' && { foreignProject: row['foreign_project'] }),
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
