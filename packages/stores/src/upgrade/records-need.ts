/** How much free disk an upgrade of the records needs. */
import type { DatabaseSync } from 'node:sqlite'
import { RESERVE_BYTES } from './free-space.ts'
import { RECORDS_COSTS } from './step-costs.ts'

/** For the copy, and for what steps write that touch rows of before: in the journal, then in the file. */
export function recordsNeed(database: DatabaseSync, steps: readonly string[]): number {
  if (steps.length === 0) return 0
  const size = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  )
  const bytes = Number(size.get()?.['bytes'] ?? 0)
  const touchesRows = steps.some((step) => RECORDS_COSTS[step] !== undefined)
  return bytes * (touchesRows ? 3 : 1) + RESERVE_BYTES
}
