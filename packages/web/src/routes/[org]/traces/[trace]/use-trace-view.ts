/** State of the waterfall: collapsed lines, the active line, the selected span, the zoom, matches. */
import { useLocation } from '@sonde/router'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { unpackRows } from '../../../../parts/trace/packed-trace.ts'
import { paths } from '../../../../paths.ts'
import { useJson } from '../../../../shell/use-json.ts'
import type { TraceData } from './page.server.ts'
import { type Gap, traceTree } from './trace-outline.ts'
import { readWindow, type TimeWindow, wholeOf, windowAround, writeWindow } from './trace-time.ts'
import {
  findRows,
  type Folds,
  foldsToDepth,
  type Line,
  NO_FOLDS,
  orderOfRows,
  ORPHANS_KEY,
  stepOfMatch,
  unfoldedFor,
  visibleLines,
} from './visible-lines.ts'

/** Attributes are looked through on the server: not at every letter. */
const ASK_AFTER_MS = 300
const NO_IDS: ReadonlySet<string> = new Set()

function useTraceTree(data: TraceData) {
  return useMemo(() => {
    const gaps = data.gaps.map(([row, fromMs, lengthMs, isBare]): Gap => ({
      row,
      fromMs,
      lengthMs,
      isBare: isBare === 1,
    }))
    return traceTree(unpackRows(data.rows), { gaps, leftOut: data.leftOut })
  }, [data])
}
export type TraceView = ReturnType<typeof useTraceView>

export function useTraceView(org: string, data: TraceData) {
  const tree = useTraceTree(data)
  const { rows } = tree
  const [address, changeAddress] = useTraceAddress()
  const [folds, setFolds] = useState<Folds>(NO_FOLDS)
  const chosen = address.span === undefined ? -1 : rows.ids.indexOf(address.span)
  // The span in the address must be visible, even inside collapsed lines.
  const [isFirst, setIsFirst] = useState(true)
  const effective = useMemo(
    () => (isFirst && chosen >= 0 ? unfoldedFor(tree, folds, chosen) : folds),
    [isFirst, chosen, tree, folds],
  )
  const lines = useMemo(() => visibleLines(tree, effective), [tree, effective])
  const [active, setActive] = useState<string | undefined>(chosen >= 0 ? `s${chosen}` : undefined)
  const window = useMemo<TimeWindow>(
    () => readWindow(address.zoom, data.lengthMs) ?? wholeOf(data.lengthMs),
    [address.zoom, data.lengthMs],
  )
  const text = address.q ?? ''
  const found = useFound(org, data.traceId, text)
  const order = useMemo(() => orderOfRows(tree), [tree])
  const matches = useMemo(() => findRows(tree, order, text, found.ids), [tree, order, text, found.ids])
  const matching = useMemo(() => new Set(matches), [matches])
  /** Tells the waterfall to bring a line into sight: a new object each time. */
  const [wanted, setWanted] = useState<{ readonly key: string } | undefined>(() => {
    const part = readWindow(address.zoom, data.lengthMs)
    const first = chosen < 0 && part && lines.find((line) => beginsIn(rows.startsMs, line, part))
    return first ? { key: first.key } : undefined
  })
  const latest = useRef({ effective, matches, active })
  useLayoutEffect(() => {
    latest.current = { effective, matches, active }
  })

  const fold = useCallback((change: (before: Folds) => Folds) => {
    const before = latest.current.effective
    setIsFirst(false)
    setFolds(change(before))
  }, [])
  const show = useCallback(
    (row: number) => {
      fold((before) => unfoldedFor(tree, before, row))
      setActive(`s${row}`)
      setWanted({ key: `s${row}` })
    },
    [fold, tree],
  )
  return {
    tree,
    lines,
    window,
    isZoomed: address.zoom !== undefined && readWindow(address.zoom, data.lengthMs) !== undefined,
    chosen,
    active,
    wanted,
    text,
    matches,
    matching,
    find: found.state,
    setActive,
    show,
    choose: useCallback(
      (row: number | undefined) => changeAddress({ span: row === undefined ? undefined : rows.ids[row] }),
      [changeAddress, rows],
    ),
    setText: useCallback((q: string) => changeAddress({ q }), [changeAddress]),
    /** Brings the first line that begins in the part into sight. */
    zoomTo: useCallback(
      (part: TimeWindow | undefined) => {
        changeAddress({ zoom: part && writeWindow(part) })
        const first = part && lines.find((line) => beginsIn(rows.startsMs, line, part))
        if (first) setWanted({ key: first.key })
      },
      [changeAddress, lines, rows],
    ),
    zoomToRow: useCallback(
      (row: number) => {
        const part = windowAround(rows.startsMs[row] ?? 0, rows.durationsMs[row] ?? 0, data.lengthMs)
        changeAddress({ zoom: part && writeWindow(part) })
      },
      [changeAddress, rows, data.lengthMs],
    ),
    toggle: useCallback(
      (line: Line, isOpen: boolean) => fold((before) => toggled(before, line, isOpen)),
      [fold],
    ),
    foldTo: useCallback((depth: number | undefined) => fold(() => foldsToDepth(tree, depth)), [fold, tree]),
    /** Goes to the next match, or the one before. */
    step: useCallback(
      (by: 1 | -1) => {
        const { active: at, matches: all } = latest.current
        const row = stepOfMatch(all, at?.startsWith('s') ? Number(at.slice(1)) : undefined, by)
        if (row !== undefined) show(row)
      },
      [show],
    ),
  }
}

const beginsIn = (startsMs: Float64Array, line: Line, { fromMs, toMs }: TimeWindow): boolean =>
  line.kind === 'span' && (startsMs[line.row] ?? 0) >= fromMs && (startsMs[line.row] ?? 0) <= toMs

function useFound(org: string, traceId: string, text: string) {
  const wanted = text.trim()
  const { state, data } = useJson<{ readonly spanIds: readonly string[]; readonly isCut: boolean }>(
    wanted.length < 2 ? undefined : paths.traceFind(org, traceId, wanted),
    ASK_AFTER_MS,
  )
  const spanIds = state === 'done' ? data.spanIds : undefined
  const ids = useMemo(() => (spanIds ? new Set(spanIds) : NO_IDS), [spanIds])
  return { ids, state: wanted.length < 2 ? ('done' as const) : state }
}

function toggled(folds: Folds, line: Line, isOpen: boolean): Folds {
  const changed = (set: ReadonlySet<number>, row: number, isIn: boolean): ReadonlySet<number> => {
    const after = new Set(set)
    if (isIn) after.add(row)
    else after.delete(row)
    return after
  }
  if (line.kind === 'span') return { ...folds, closed: changed(folds.closed, line.row, !isOpen) }
  if (line.kind === 'group') return { ...folds, opened: changed(folds.opened, line.group.id, isOpen) }
  return line.key === ORPHANS_KEY ? { ...folds, areOrphansClosed: !isOpen } : folds
}

/**
 * The part of the address that belongs to the waterfall alone: the selected span, the zoom, the search. It changes
 * without a navigation, so that choosing a span does not load ten thousand lines again.
 */
const KEPT = ['span', 'zoom', 'q'] as const
type Kept = (typeof KEPT)[number]
type TraceAddress = { readonly [Name in Kept]?: string }

function useTraceAddress(): readonly [
  TraceAddress,
  (change: { [Name in Kept]?: string | undefined }) => void,
] {
  const { search } = useLocation()
  const [address, setAddress] = useState(() => readAddress(search))
  const change = useCallback((changes: { [Name in Kept]?: string | undefined }) => {
    // The window's own address: another change may have come since the last render.
    const url = new URL(window.location.href)
    for (const name of KEPT) {
      if (!(name in changes)) continue
      const value = changes[name]
      if (value === undefined || value === '') url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    window.history.replaceState(window.history.state, '', url)
    setAddress(readAddress(url.search))
  }, [])
  return [address, change]
}

function readAddress(search: string): TraceAddress {
  const params = new URLSearchParams(search)
  return Object.fromEntries(
    KEPT.flatMap((name) => {
      const value = params.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}
