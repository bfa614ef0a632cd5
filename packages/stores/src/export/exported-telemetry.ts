/** What an export of an organization takes of the telemetry: a new table does not compile until somebody said whether it goes along. */
import { TABLES, type TelemetryTable } from '../telemetry/tables/tables.ts'

const TELEMETRY_EXPORT: Readonly<Record<TelemetryTable, 'rows' | { readonly none: string }>> = {
  events: 'rows',
  event_index: { none: 'finds events by their ids; made of them' },
  deleted_events: { none: 'deleted by somebody, and gone for good within a day' },
  counted_ids: { none: 'hashes of ids of events that were not stored' },
  outcomes: 'rows',
  spans: 'rows',
  vitals: 'rows',
  navigations: 'rows',
  prefetches: 'rows',
  tabs: 'rows',
  logs: 'rows',
  metrics: 'rows',
  sessions: 'rows',
  profiles: 'rows',
  profile_functions: 'rows',
  replays: 'rows',
  check_ins: 'rows',
  uptime_checks: 'rows',
}

export const TELEMETRY_LEFT_OUT: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TELEMETRY_EXPORT).flatMap(([table, way]) => (way === 'rows' ? [] : [[table, way.none]])),
)

export const EXPORTED_TABLES = (Object.keys(TELEMETRY_EXPORT) as TelemetryTable[]).filter(
  (table) => TELEMETRY_EXPORT[table] === 'rows',
)

/** Name and ClickHouse type of each column that is exported, in their order. What the engine computes of others is not. */
export const exportedColumns = (
  table: TelemetryTable,
): readonly { readonly name: string; readonly type: string }[] =>
  TABLES[table].columns.flatMap((column) =>
    'materialized' in column ? [] : [{ name: column.name, type: column.type }],
  )

export type ExportedPart = {
  /** A Monday, or the first of a month: the week in which the rows were received. */
  readonly week: string
  readonly rows: number
  /** UTC, as in `2026-11-28 20:27:46.777`. */
  readonly from: string
  readonly to: string
}

export type ExportScope = {
  /** Numbers of our own. */
  readonly projectIds: readonly number[]
  /** Of issues that were deleted and can still be restored. */
  readonly hiddenIssueIds: readonly number[]
  /** What arrives later is not in it, so that an export that is interrupted goes on with the same rows. Unix milliseconds. */
  readonly untilMs: number
}

const SCOPE = (table: TelemetryTable, { projectIds, hiddenIssueIds, untilMs }: ExportScope): string =>
  [
    `project_id IN (${projectIds.map(Number).join(', ')})`,
    `${TABLES[table].ageColumn} <= fromUnixTimestamp64Milli(${untilMs}, 'UTC')`,
    ...(table === 'events' && hiddenIssueIds.length > 0
      ? [`issue_id NOT IN (${hiddenIssueIds.map(Number).join(', ')})`]
      : []),
  ].join(' AND ')

/** As queries see it: what replaces each other is there once, what adds up is added up. */
const final = (table: TelemetryTable): string => (TABLES[table].engine === 'MergeTree' ? '' : ' FINAL')

/** Answers `ExportedPart`s, the oldest first. */
export const partsToExport = (table: TelemetryTable, scope: ExportScope): string =>
  `SELECT toString(${TABLES[table].partitionBy}) AS week, count() AS rows,
     toString(min(${TABLES[table].ageColumn})) AS from, toString(max(${TABLES[table].ageColumn})) AS to
   FROM ${table} WHERE ${SCOPE(table, scope)} GROUP BY week ORDER BY week`

export const rowsToExport = (table: TelemetryTable, week: string, scope: ExportScope): string =>
  `SELECT ${exportedColumns(table)
    .map(({ name }) => name)
    .join(', ')} FROM ${table}${final(table)}
   WHERE ${TABLES[table].partitionBy} = toDate('${/^[\d-]{10}$/.exec(week)?.[0] ?? ''}') AND ${SCOPE(table, scope)}`
