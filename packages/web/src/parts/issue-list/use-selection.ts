import { useLocation } from '@sonde/router'
import { useState } from 'react'
import { NOTHING_CHOSEN, type Selection, togglePage, toggleRow } from './selection.ts'

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
