/** The lines of a processed item as objects, by the names of their columns. */
import type { RowTable } from '@sonde/stores'
import { ROW_COLUMNS } from '@sonde/stores'
import type { ProcessedSpans } from '../../src/spans/span.ts'

export function cells(table: RowTable, processed: Pick<ProcessedSpans, 'item'>): Record<string, string>[] {
  const lines = processed.item.rows[table]
  if (lines === undefined) return []
  return String(lines)
    .split('\n')
    .map((line) => {
      const values = line.split('\t')
      return Object.fromEntries(ROW_COLUMNS[table].map((name, at) => [name, values[at] ?? '']))
    })
}

/** How many spans, or metrics, of an item are stored. */
export const spanCountOf = ({ item }: ProcessedSpans): number =>
  item.counts.find(({ category }) => category !== 'transaction')?.quantity ?? 0
