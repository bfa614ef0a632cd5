/**
 * What the console offers of each table: the columns that have a sentence in the list of the table
 * (packages/stores/src/telemetry/tables). Where a row lies in our log, whole payloads and versions of rows have none.
 */
import { createHash } from 'node:crypto'
import type { Grant } from '@sonde/access'
import { type ConsoleDatabase, sqlConsoleSetting, TABLES, type TelemetryTable } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type SqlColumn = { readonly name: string; readonly about: string }
export type SqlTable = {
  readonly name: string
  readonly about: string
  /** `FINAL`: of rows that replace each other the last counts. */
  readonly isFinal: boolean
  readonly columns: readonly SqlColumn[]
}

/** In the order in which they are shown. */
const SHOWN = [
  'spans',
  'logs',
  'metrics',
  'vitals',
  'navigations',
  'prefetches',
  'tabs',
  'sessions',
  'profiles',
  'profile_functions',
  'replays',
  'check_ins',
  'uptime_checks',
  'events',
  'outcomes',
] as const

export const SQL_TABLES: readonly SqlTable[] = SHOWN.map(sqlTable)
export const SQL_TABLE_NAMES: ReadonlySet<string> = new Set(SQL_TABLES.map(({ name }) => name))

function sqlTable(name: (typeof SHOWN)[number]): SqlTable {
  const { engine, console } = TABLES[name]
  const first: readonly string[] = ['project_id', ...console.first]
  const rank = (column: SqlColumn): number =>
    column.name === 'received' ? Infinity : first.indexOf(column.name) + 1 || Number.MAX_VALUE
  return {
    name,
    about: console.about,
    isFinal: engine.startsWith('Replacing'),
    columns: [
      { name: 'project', about: 'Short name of the project' },
      ...offered(name).toSorted((a, b) => rank(a) - rank(b)),
    ],
  }
}

function offered(table: TelemetryTable): readonly SqlColumn[] {
  return TABLES[table].columns.flatMap((column) =>
    'about' in column ? [{ name: column.name, about: column.about }] : [],
  )
}

export type ConsoleProject = { readonly id: number; readonly slug: string }

/**
 * The database in which a statement of the console is read: a view for each table that it offers, with the rows of one
 * organization's projects. Its name says what is in it, so another list of projects, another name of one or another
 * version of Sonde is another database, and the one before goes.
 *
 * Issues that were deleted and can still be restored are in none.
 *
 * Each view narrows by PREWHERE, not WHERE: a condition of the statement is only looked at for rows that passed it. With
 * WHERE the engine puts both into one, in its own order, and `toUInt64(name)` would fail with the text of a foreign row.
 */
export function consoleDatabase(
  orgId: number,
  projects: readonly ConsoleProject[],
  hiddenIssueIds: readonly number[] = [],
): ConsoleDatabase {
  const ordered = projects.toSorted((a, b) => a.id - b.id)
  const hidden = hiddenIssueIds.toSorted((a, b) => a - b)
  const select = (table: SqlTable, home: string): string => selectOf(table, home, hidden.length > 0)
  const contents = JSON.stringify([SQL_TABLES.map((table) => select(table, '')), ordered, ...hidden])
  const prefix = `console_${orgId}_`
  const params = { projects: ordered.map(({ id }) => id), slugs: ordered.map(({ slug }) => slug), hidden }
  return {
    name: prefix + createHash('sha256').update(contents).digest('hex').slice(0, 16),
    prefix,
    views: SQL_TABLES.map((table) => ({
      name: table.name,
      select: (home) => select(table, home),
      params,
    })),
  }
}

function selectOf({ name, isFinal, columns }: SqlTable, home: string, hides: boolean): string {
  const list = columns.map((column) =>
    column.name === 'project'
      ? `transform(project_id, {projects:Array(UInt32)}, {slugs:Array(String)}, '') AS project`
      : column.name,
  )
  return `SELECT ${list.join(', ')} FROM \`${home}\`.${name}${isFinal ? ' FINAL' : ''}
    PREWHERE project_id IN {projects:Array(UInt32)}${hides && name === 'events' ? HIDDEN : ''}`
}

const HIDDEN = ' AND issue_id NOT IN {hidden:Array(UInt64)}'

/** Whether statements may be run in this organization: yes, until an owner switches it off. */
export async function isSqlConsoleOn(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId }: Grant<'event:read', 'org'>,
): Promise<boolean> {
  const off = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', sqlConsoleSetting(orgId))
    .executeTakeFirst()
  return off === undefined
}
