/** What the pipeline has for a trial of scrubbing rules: the composition root hands it to queries. */
import type { RowTable, ScrubRules } from '@sonde/stores'

/** Scrubs what was read and says what is another now. Pure, never throws; of what cannot be read nothing is. */
export type TryStored = {
  readonly tables: readonly RowTable[]
  /** What `row` needs of a table. */
  columnsOf(table: RowTable): readonly string[]
  row(table: RowTable, cells: Readonly<Record<string, unknown>>, rules: ScrubRules): readonly ScrubbedValue[]
  event(payload: string, rules: ScrubRules): readonly ScrubbedValue[]
}

export type ScrubbedValue = {
  readonly path: string
  /** `@password`, `@creditcard`, `@ip`, … */
  readonly rule: string
  readonly before: string
  /** Empty: it is gone. */
  readonly after: string
}
