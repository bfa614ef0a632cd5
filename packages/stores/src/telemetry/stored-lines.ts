/**
 * Rows as they are stored, as lines that can be inserted again: cells are exchanged in the line, so that whatever is not meant
 * stays as the engine wrote it, to the last digit.
 */
import { escapeText, listText, mapText, numbersText } from './row-text.ts'
import { ROW_COLUMNS } from './rows.ts'
import type { ColumnType } from './tables/column.ts'
import { type RowTable, TABLES } from './tables/tables.ts'

/** Texts, lists of texts, and the two maps of attributes. */
export type CellValue = string | readonly string[] | Readonly<Record<string, string | number>>

/** Expression of a row of the table as `Telemetry.insert` takes it. */
export const lineOf = (table: RowTable): string =>
  `formatRowNoNewline('TabSeparated', ${ROW_COLUMNS[table].join(', ')})`

/** `line` is what `lineOf` gave. Throws for a column that the table has not. */
export function withCells(
  table: RowTable,
  line: string,
  cells: Readonly<Record<string, CellValue>>,
  revision: number,
): string {
  const names = ROW_COLUMNS[table]
  // Tabs within values are escaped.
  const values = line.split('\t')
  values[names.indexOf('revision')] = String(revision)
  for (const [name, value] of Object.entries(cells)) {
    const at = names.indexOf(name)
    const column = TABLES[table].columns.find((each) => each.name === name)
    if (at < 0 || column === undefined) throw new Error(`${table} has no column ${name}`)
    values[at] = cellText(column.type, value)
  }
  return values.join('\t')
}

function cellText(type: ColumnType, value: CellValue): string {
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return listText(value as readonly string[])
  return type.endsWith('Float64)')
    ? numbersText(value as Readonly<Record<string, number>>)
    : mapText(value as Readonly<Record<string, string>>)
}
