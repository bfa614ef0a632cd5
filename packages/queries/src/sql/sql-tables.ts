/**
 * What the console offers of each table: the columns that have a sentence in the list of the table
 * (packages/stores/src/telemetry/tables). Where a row lies in our log, whole payloads and versions of rows have none.
 */
import { TABLES, type TelemetryTable } from '@sonde/stores'

export type SqlColumn = { readonly name: string; readonly about: string }
export type SqlTable = {
  readonly name: string
  readonly about: string
  /** `FINAL`: of rows that replace each other the last counts. */
  readonly isFinal: boolean
  readonly columns: readonly SqlColumn[]
}

/** In the order in which they are shown. */
const SHOWN = ['spans', 'vitals', 'navigations', 'prefetches', 'events', 'outcomes'] as const

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
