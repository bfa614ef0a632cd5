import { useLocation } from '@sonde/router'
import { useState } from 'react'

export type RowSelection = Selection & {
  readonly toggle: (id: number, isRange: boolean) => void
  readonly togglePage: () => void
  readonly chooseAll: () => void
  readonly clear: () => void
}

/** Forgotten with every navigation and post: the rows are others then. */
export function useSelection(rowIds: readonly number[]): RowSelection {
  const visit = useLocation().key
  const [kept, keep] = useState({ visit, selection: NOTHING_CHOSEN })
  const selection = kept.visit === visit ? kept.selection : NOTHING_CHOSEN
  const change = (to: (from: Selection) => Selection): void =>
    keep((before) => ({ visit, selection: to(before.visit === visit ? before.selection : NOTHING_CHOSEN) }))
  return {
    ...selection,
    toggle: (id, isRange) => change((from) => toggleRow(from, rowIds, id, isRange)),
    togglePage: () => change((from) => togglePage(from, rowIds)),
    chooseAll: () => change(() => ({ ids: new Set(rowIds), anchor: undefined, isAll: true })),
    clear: () => change(() => NOTHING_CHOSEN),
  }
}

/** Which rows of a page are chosen. */
export type Selection = {
  readonly ids: ReadonlySet<number>
  /** Where a range begins: the row that was last chosen or released by itself. */
  readonly anchor: number | undefined
  /** Not the rows but everything that matches, also on other pages. */
  readonly isAll: boolean
}

export const NOTHING_CHOSEN: Selection = { ids: new Set(), anchor: undefined, isAll: false }

/** Turns one row over; with `isRange` every row from the anchor to it becomes what it becomes. */
export function toggleRow(
  { ids, anchor }: Selection,
  rowIds: readonly number[],
  id: number,
  isRange: boolean,
): Selection {
  const next = new Set(ids)
  const isOn = !ids.has(id)
  const from = isRange && anchor !== undefined ? rowIds.indexOf(anchor) : -1
  const to = rowIds.indexOf(id)
  const range = from < 0 || to < 0 ? [id] : rowIds.slice(Math.min(from, to), Math.max(from, to) + 1)
  for (const each of range) {
    if (isOn) next.add(each)
    else next.delete(each)
  }
  return { ids: next, anchor: id, isAll: false }
}

/** All of the page, or none when all are chosen already. */
export function togglePage({ ids }: Selection, rowIds: readonly number[]): Selection {
  return isWholePage(ids, rowIds) ? NOTHING_CHOSEN : { ...NOTHING_CHOSEN, ids: new Set(rowIds) }
}

export const isWholePage = (ids: ReadonlySet<number>, rowIds: readonly number[]): boolean =>
  rowIds.length > 0 && rowIds.every((id) => ids.has(id))
