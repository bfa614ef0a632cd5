/** How far a repair is: what is kept with its row, so that it goes on after any stop. */
import type { TelemetryRow } from '@sonde/stores'

/** Which events are looked for: those of a script that is known by its debug id, or those of a release. */
export const SCAN_KINDS = ['debug_id', 'release'] as const
export type ScanKind = (typeof SCAN_KINDS)[number]

/**
 * `stored`: what was committed when the repair began. `late`: what came since and was perhaps digested before the files
 * were known.
 */
export type RepairPass = 'stored' | 'late'

export type RepairCursor = {
  readonly pass: RepairPass
  /** Of the log: where the first pass ends and the second begins. */
  readonly fromPosition: number
  /** Where the second pass ends; it waits until this much is committed. */
  readonly toPosition?: number
  /** Issues made later hold what was read with the files already. */
  readonly maxIssueId: number
  /** Those with something to look at in this pass; undefined: not looked for yet. */
  readonly projectIds?: readonly number[]
  readonly place?: ScanPlace
  /** Issue that kept its id for the first new error of its events: the next unknown one becomes an issue of its own. */
  readonly kept?: number
  /** Of the issue in hand: where its events went. */
  readonly moves?: Moves
  /** Planned, and perhaps stored in part. */
  readonly lot?: Lot
  /** How many lots were planned: a part of their names. */
  readonly lots: number
  /** Without events, to become part of another. */
  readonly emptied: readonly Emptied[]
}

export type ScanPlace = {
  readonly kind: ScanKind
  readonly part: number
  readonly projectId: number
  readonly after?: EventPlace
}
/** In the order of the table. */
export type EventPlace = { readonly issueId: number; readonly timestampMs: number; readonly eventId: string }
export type Moves = { readonly from: number; readonly into: Readonly<Record<string, number>> }
export type Emptied = { readonly issueId: number; readonly intoId: number }

/** Rows that are replaced as one. */
export type Lot = { readonly projectId: number; readonly items: readonly LotItem[] }
export type LotItem = {
  readonly eventId: string
  readonly logPosition: number
  readonly itemIndex: number
  readonly timestampMs: number
  readonly receivedMs: number
  /** Of the row that is replaced. */
  readonly revision: number
  readonly from: number
  readonly to: number
}
export type LotRow = { readonly item: LotItem; readonly row: TelemetryRow }

/** One row of `events`: an id alone may stand there twice, sent again after weeks. */
export const keyOf = (row: Pick<LotItem, 'eventId' | 'logPosition' | 'itemIndex'>): string =>
  `${row.eventId}:${row.logPosition}:${row.itemIndex}`

export const readCursor = (text: string): RepairCursor | undefined =>
  text === '' ? undefined : (JSON.parse(text) as RepairCursor)
