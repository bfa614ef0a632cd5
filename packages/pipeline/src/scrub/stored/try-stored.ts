/** What scrubbing rules would take out of stored events and rows: the same code that applies them. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { RowTable } from '@sonde/stores'
import { changedLeaves } from '../changed-leaves.ts'
import { scrubEvent } from '../scrub-event.ts'
import type { ScrubSettings } from '../settings.ts'
import { SCRUBBED_TABLES, scrubbedColumns, type ScrubbedTable } from './row-kinds.ts'
import { type ChangedValue, scrubRow, type StoredCells } from './scrub-row.ts'

/** Pure; nothing throws. */
export const tryStored = {
  tables: SCRUBBED_TABLES,
  columnsOf: (table: RowTable): readonly string[] => scrubbedColumns(table as ScrubbedTable),
  row: (table: RowTable, cells: StoredCells, rules: ScrubSettings): readonly ChangedValue[] =>
    scrubRow(table as ScrubbedTable, cells, rules).changes,
  event(payload: string, rules: ScrubSettings): readonly ChangedValue[] {
    try {
      const before = JSON.parse(payload) as NormalizedEvent
      return changedLeaves(shown(before), shown(scrubEvent(before, rules)))
    } catch {
      return []
    }
  },
}

/** `derived` says again what stands elsewhere. */
const shown = ({ derived: _derived, ...event }: NormalizedEvent): Omit<NormalizedEvent, 'derived'> => event
