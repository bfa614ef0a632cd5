/** The lines of a processed item as objects, by the names of their columns. */
import type { SpanTable } from '@sonde/stores'
import { ROW_COLUMNS } from '@sonde/stores'
import type { ProcessedSpans } from '../../src/spans/span.ts'

export function cells(table: SpanTable, processed: ProcessedSpans): Record<string, string>[] {
  const lines = processed.rows[table]
  if (lines === undefined) return []
  return String(lines)
    .split('\n')
    .map((line) => {
      const values = line.split('\t')
      return Object.fromEntries(ROW_COLUMNS[table].map((name, at) => [name, values[at] ?? '']))
    })
}
