/**
 * What each project has stored of each kind, by the day (UTC) on which it was received. Files are exact. Rows of telemetry
 * are counted, and their bytes are the share of the parts on the disk that so many rows of their week have: an estimate,
 * because the rows of one project may be longer than another's. docs/decisions/0078-retention-by-kind.md
 */
import { sql } from 'kysely'
import type { Records } from '../records/schema.ts'
import { TABLES, type TelemetryTable } from '../telemetry/tables/tables.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { STORAGE_DAY_MS, STORAGE_KIND_NAMES, type StorageKind, storageKindInfo } from './kinds.ts'

export type StoredDay = {
  readonly projectId: number
  readonly kind: StorageKind
  readonly dayMs: number
  readonly rows: number
  readonly bytes: number
}

type Stores = { readonly records: Records; readonly telemetry: Pick<Telemetry, 'query' | 'parts'> }
type Counted = Omit<StoredDay, 'kind'>

/** Days from `sinceMs` on, the begin of one. Reads two columns of each table from then on, one table after the other. */
export async function measureStored(stores: Stores, sinceMs: number): Promise<readonly StoredDay[]> {
  const found = new Map<string, StoredDay>()
  for (const kind of STORAGE_KIND_NAMES) {
    const { tables, blobs } = storageKindInfo(kind)
    const add = ({ projectId, dayMs, rows, bytes }: Counted, counts: boolean): void => {
      const key = `${projectId} ${kind} ${dayMs}`
      const before = found.get(key)
      found.set(key, {
        projectId,
        kind,
        dayMs,
        rows: (before?.rows ?? 0) + (counts ? rows : 0),
        bytes: (before?.bytes ?? 0) + bytes,
      })
    }
    // Of a kind with several tables the rows of the first are what people count; of one with files, the files.
    for (const [at, table] of tables.entries())
      for (const each of await rowsOf(stores.telemetry, table, sinceMs)) add(each, at === 0 && !blobs)
    if (blobs) for (const each of await filesOf(stores.records, blobs, sinceMs)) add(each, true)
  }
  return [...found.values()]
}

async function rowsOf(
  telemetry: Stores['telemetry'],
  table: TelemetryTable,
  sinceMs: number,
): Promise<readonly Counted[]> {
  const weeks = await telemetry.parts(table)
  if (weeks.length === 0) return []
  const { ageColumn, partitionBy } = TABLES[table]
  const sizes = new Map(weeks.map(({ week, rows, bytes }) => [week, bytes / Math.max(1, rows)]))
  const sum = (of: 'rows' | 'bytes'): number => weeks.reduce((total, week) => total + week[of], 0)
  const mean = sum('bytes') / Math.max(1, sum('rows'))
  const rows = await telemetry.query<{ projectId: number; day: number; week: string; rows: number }>(
    `SELECT project_id AS projectId, toString(${partitionBy}) AS week,
       toUnixTimestamp(toStartOfDay(${ageColumn}, 'UTC')) AS day, count() AS rows
     FROM ${table} WHERE ${ageColumn} >= toDateTime({since:UInt32}, 'UTC') GROUP BY projectId, week, day`,
    { since: sinceMs / 1_000 },
  )
  return rows.map(({ projectId, day, week, rows: count }) => ({
    projectId,
    dayMs: day * 1_000,
    rows: count,
    bytes: Math.round(count * (sizes.get(week) ?? mean)),
  }))
}

const day = sql.lit(STORAGE_DAY_MS)

/** Equal content counts once, on the day when it came first; of a map that several projects have, for the first of them. */
async function filesOf(
  records: Records,
  files: 'attachment' | 'replay_segment' | 'artifact_file',
  sinceMs: number,
): Promise<readonly Counted[]> {
  const { rows } = await sql<Record<keyof Counted, number | string>>`
    SELECT project_id AS "projectId", made_ms - made_ms % ${day} AS "dayMs", sum(files) AS "rows", sum(bytes) AS "bytes"
    FROM (${FILES[files]}) AS stored WHERE made_ms >= ${sinceMs} GROUP BY 1, 2`.execute(records)
  return rows.map(({ projectId, dayMs, rows: count, bytes }) => ({
    projectId: Number(projectId),
    dayMs: Number(dayMs),
    rows: Number(count),
    bytes: Number(bytes),
  }))
}

const FILES = {
  attachment: sql`SELECT project_id, min(created_ms) AS made_ms, count(*) AS files, max(bytes) AS bytes
    FROM attachment GROUP BY project_id, blob`,
  replay_segment: sql`SELECT project_id, created_ms AS made_ms, 1 AS files, bytes + coalesce(video_bytes, 0) AS bytes
    FROM replay_segment`,
  artifact_file: sql`SELECT min(artifact_bundle_project.project_id) AS project_id,
      max(coalesce(artifact_bundle.last_used_ms, artifact_bundle.created_ms)) AS made_ms,
      count(DISTINCT artifact_file.id) AS files, max(artifact_file.stored_bytes) AS bytes
    FROM artifact_file
    JOIN artifact_bundle ON artifact_bundle.id = artifact_file.bundle_id
    JOIN artifact_bundle_project ON artifact_bundle_project.bundle_id = artifact_bundle.id
    WHERE artifact_file.blob <> '' GROUP BY artifact_file.org_id, artifact_file.blob`,
} as const
