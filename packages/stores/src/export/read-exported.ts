/** Rows of a table of the records, for an export: a page at a time, in the order of the primary key. */
import { DatabaseSync } from 'node:sqlite'
import { silentLogger } from '@sonde/base'
import { sql } from 'kysely'
import { migrateRecords } from '../records/migrate.ts'
import type { Records } from '../records/schema.ts'
import { EXPORTED_RECORDS } from './exported-records.ts'

export type ExportedRow = Readonly<Record<string, unknown>>
export type RecordScope = { readonly orgId: number; readonly projectIds: readonly number[] }
export type TableShape = { readonly columns: readonly string[]; readonly key: readonly string[] }

const ROWS_AT_ONCE = 500

/** Columns and key of every table of the records, as the schema of this version says it. */
export function recordShapes(): ReadonlyMap<string, TableShape> {
  const fresh = new DatabaseSync(':memory:')
  try {
    migrateRecords(fresh, silentLogger)
    const tables = fresh
      .prepare(
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`,
      )
      .all()
    return new Map(
      tables.map(({ name }) => {
        const columns = fresh
          .prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
          .all(String(name))
        const key = columns
          .filter(({ pk }) => Number(pk) > 0)
          .toSorted((a, b) => Number(a['pk']) - Number(b['pk']))
        const names = (rows: typeof columns): readonly string[] => rows.map((row) => String(row['name']))
        return [String(name), { columns: names(columns), key: names(key) }]
      }),
    )
  } finally {
    fresh.close()
  }
}

/** Of what is not hidden, when `records` are the visible ones. */
export async function* exportedRows(
  records: Records,
  table: string,
  shape: TableShape,
  scope: RecordScope,
): AsyncGenerator<ExportedRow> {
  const way = EXPORTED_RECORDS[table]
  if (!way || 'none' in way) return
  const columns = shape.columns.filter((column) => !way.without?.includes(column))
  // Keys that are left out of nothing: the next page begins behind them.
  for (let last: ExportedRow | undefined; ;) {
    const rows = await page(records, table, [...new Set([...columns, ...shape.key])], shape.key, {
      where: scoped(way.where, scope),
      last,
    })
    for (const row of rows) yield Object.fromEntries(columns.map((column) => [column, row[column]]))
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)
  }
}

/** Names of the blobs of a column, each once, from `after` on, in their order. */
export async function* exportedBlobs(
  records: Records,
  { table, column, after }: { readonly table: string; readonly column: string; readonly after: string },
  scope: RecordScope,
): AsyncGenerator<string> {
  const way = EXPORTED_RECORDS[table]
  if (!way || 'none' in way) return
  for (let last = after; ;) {
    const rows = await records
      .selectFrom(table as 'attachment')
      .select(sql<string>`${sql.ref(column)}`.as('name'))
      .distinct()
      .where(sql<boolean>`${scoped(way.where, scope)}`)
      .where(sql<boolean>`${sql.ref(column)} > ${last}`)
      .orderBy(sql.ref(column))
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const { name } of rows) yield name
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.name ?? ''
  }
}

type Page = { readonly where: ReturnType<typeof scoped>; readonly last: ExportedRow | undefined }

async function page(
  records: Records,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  { where, last }: Page,
): Promise<readonly ExportedRow[]> {
  const keys = key.map((column) => sql.ref(column))
  let query = records
    // The type of one table stands for all: what is read is named by the list.
    .selectFrom(table as 'attachment')
    .select(columns.map((column) => sql`${sql.ref(column)}`.as(column)))
    .where(sql<boolean>`${where}`)
  if (last)
    query = query.where(sql<boolean>`(${sql.join(keys)}) > (${sql.join(key.map((column) => last[column]))})`)
  for (const column of keys) query = query.orderBy(column)
  return await query.limit(ROWS_AT_ONCE).execute()
}

/** Ids are numbers of our own. */
const scoped = (where: string, { orgId, projectIds }: RecordScope) =>
  sql.raw(
    where
      .replaceAll('@org', String(orgId))
      .replaceAll('@projects', projectIds.length === 0 ? 'NULL' : projectIds.map(Number).join(', ')),
  )
