/** A result of the console as a file. */
import { csvField, csvLine, csvText } from '../../../format/csv.ts'

type Result = {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

/** RFC 4180 with a line of names. */
export function resultAsCsv({ columns, rows }: Result): string {
  const types = columns.map(({ type }) => type)
  const lines = [
    columns.map(({ name }) => cell(name, 'String')),
    ...rows.map((row) => row.map((value, index) => cell(value, types[index] ?? ''))),
  ]
  return lines.map(csvLine).join('')
}

/** A list of objects; names that come twice get a number. */
export function resultAsJson({ columns, rows }: Result): string {
  const names = uniqueNames(columns.map(({ name }) => name))
  const objects = rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])),
  )
  return `${JSON.stringify(objects, undefined, 1)}\n`
}

/** Numbers are left alone. */
function cell(value: unknown, type: string): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /String|Map|Array|Tuple/.test(type) ? csvText(text) : csvField(text)
}

function uniqueNames(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before === 0 ? name : `${name} ${before + 1}`
  })
}
