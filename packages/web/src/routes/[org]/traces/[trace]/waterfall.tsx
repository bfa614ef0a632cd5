/** The waterfall of a trace. Only the lines in sight are in the document: 10,000 spans scroll like ten. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { useIsInBrowser } from '../../../../ui/page-clock.tsx'
import { createRowKeys } from './row-keys.ts'
import { TimeRuler, VitalLines } from './time-track.tsx'
import type { TimeMark } from './trace-time.ts'
import type { TraceView } from './use-trace-view.ts'
import { keyEffect, type Line } from './visible-lines.ts'
import { type LineContext, lineId, WaterfallLine } from './waterfall-line.tsx'

/** In rem, so that a reader's own text size counts; `trace.css` has the same. */
const LINE_REM = 1.75
const HEAD_REM = 2.75
/** Beyond what is seen, above and below, so that scrolling shows no holes. */
const SPARE_LINES = 8
/** What the server renders: some screens full, and everything of a small trace. */
export const FIRST_LINES = 200

type Props = {
  readonly view: TraceView
  readonly context: LineContext
  readonly marks: readonly TimeMark[]
  /** First line where there are no scripts. */
  readonly at: number
  readonly linesHref: (at: number) => string
}

export function Waterfall({ view, context, marks, at, linesHref }: Props) {
  const { lines, window, chosen, active, wanted, matching, setActive, choose, toggle, zoomToRow } = view
  const box = useRef<HTMLDivElement>(null)
  const isInBrowser = useIsInBrowser()
  const [linePx, setLinePx] = useState(LINE_REM * 16)
  useEffect(() => {
    setLinePx(LINE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  }, [])
  const headPx = (linePx / LINE_REM) * HEAD_REM
  // What it returns is used in this component only, which no compiler memoizes.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: useCallback(() => linePx, [linePx]),
    overscan: SPARE_LINES,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
    initialRect: { width: 800, height: 600 },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, linePx])
  const indexOf = (key: string | undefined): number => lines.findIndex((line) => line.key === key)
  const bring = useRef((_key: string | undefined, _align: 'auto' | 'center'): void => {})
  useEffect(() => {
    bring.current = (key, align) => {
      const index = indexOf(key)
      if (index >= 0) virtualizer.scrollToIndex(index, { align })
    }
  })
  // First the span in the address, then each requested line.
  const first = useRef(active)
  useEffect(() => bring.current(first.current, 'center'), [])
  const isShown = useRef(false)
  useEffect(() => {
    bring.current(wanted?.key, 'center')
    // A waterfall that is itself out of sight would be scrolled unseen; a page that opens begins at its top.
    if (wanted && isShown.current) box.current?.scrollIntoView({ block: 'nearest' })
    isShown.current = true
  }, [wanted])

  const items = virtualizer.getVirtualItems()
  const isScrolled = isInBrowser && items.length > 0
  const from = isScrolled ? (items[0]?.index ?? 0) : at
  const to = isScrolled ? (items.at(-1)?.index ?? 0) + 1 : Math.min(lines.length, at + FIRST_LINES)

  const [keysOf] = useState(createRowKeys)
  const keys = keysOf(from, to)

  const chooseLine = useCallback(
    (line: Line) => {
      setActive(line.key)
      box.current?.focus({ preventScroll: true })
      if (line.kind === 'span') choose(line.row)
      else if (line.isOpen !== undefined) toggle(line, !line.isOpen)
    },
    [setActive, choose, toggle],
  )
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const current = indexOf(active)
    const page = Math.floor(((box.current?.clientHeight ?? 0) - headPx) / linePx)
    const effect = keyEffect(event.key, { lines, at: current, page })
    const line = lines[current]
    if (effect === undefined) return
    event.preventDefault()
    if (effect.kind === 'go') {
      setActive(lines[effect.to]?.key)
      virtualizer.scrollToIndex(effect.to, { align: 'auto' })
    } else if (effect.kind === 'leave') {
      choose(undefined)
    } else if (line && effect.kind === 'fold') {
      toggle(line, effect.isOpen)
    } else if (line && effect.kind === 'choose') {
      chooseLine(line)
    } else if (line && 'row' in line) {
      zoomToRow(line.row)
    }
  }

  return (
    <div className="waterfall">
      <div
        ref={box}
        className="waterfall-rows"
        role="treegrid"
        aria-label="Trace waterfall"
        aria-rowcount={lines.length + 1}
        aria-colcount={3}
        aria-activedescendant={active === undefined ? undefined : lineId(active)}
        tabIndex={0}
        onKeyDown={press}
      >
        <div role="row" className="span-row waterfall-head" aria-rowindex={1}>
          <div role="columnheader">Span</div>
          <div role="columnheader" aria-label="Time">
            <TimeRuler window={window} marks={marks} />
          </div>

          <div role="columnheader" className="span-time">
            Duration
          </div>
        </div>
        <VitalLines window={window} marks={marks} />
        <Space lines={from} />
        {lines.slice(from, to).map((line, offset) => (
          <WaterfallLine
            key={keys[offset]}
            line={line}
            index={from + offset}
            context={context}
            isActive={line.key === active}
            isChosen={line.kind === 'span' && line.row === chosen}
            isMatch={line.kind === 'span' && matching.has(line.row)}
            text={view.text}
            onToggle={toggle}
            onChoose={chooseLine}
          />
        ))}
        <Space lines={lines.length - to} />
      </div>
      {lines.length > FIRST_LINES && (
        <noscript>
          <p className="waterfall-pages">
            Rows {formatExact(at + 1)}–{formatExact(Math.min(lines.length, at + FIRST_LINES))} of{' '}
            {formatExact(lines.length)}. {at > 0 && <a href={linesHref(at - FIRST_LINES)}>Previous rows</a>}{' '}
            {at + FIRST_LINES < lines.length && <a href={linesHref(at + FIRST_LINES)}>Next rows</a>}
          </p>
        </noscript>
      )}
    </div>
  )
}

/** As an SVG: a height of many lines cannot be written as a style under the policy. */
function Space({ lines }: { readonly lines: number }) {
  return lines <= 0 ? null : (
    <svg className="waterfall-space" width="1" height={`${lines * LINE_REM}rem`} aria-hidden="true" />
  )
}
