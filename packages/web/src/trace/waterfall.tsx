import { Link } from '@sonde/router'
import { useEffect, useRef, useState } from 'react'
import { formatExact } from '../format/format-count.ts'
import { formatDuration } from '../format/format-duration.ts'
import { titleOf } from '../ui/user-text.tsx'
import type { TraceRow } from './trace-rows.ts'

const ROW_PX = 28
/** Beyond what is seen, above and below, so that scrolling shows no holes. */
const SPARE_ROWS = 20
/** What the server renders: enough for a screen, and for everything small. */
const FIRST_ROWS = 100

type Props = {
  readonly rows: readonly TraceRow[]
  readonly lengthMs: number
  readonly chosen: string | undefined
  readonly linkTo: (spanId: string) => string
}

/** Only the lines in sight are in the document: a trace of 10,000 spans scrolls like one of ten. */
export function Waterfall({ rows, lengthMs, chosen, linkTo }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ from: 0, to: FIRST_ROWS })
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const shown = unfolded(rows, folded)

  useEffect(() => {
    const target = box.current
    if (!target) return undefined
    const look = (): void => {
      const from = Math.max(0, Math.floor(target.scrollTop / ROW_PX) - SPARE_ROWS)
      const to = Math.ceil((target.scrollTop + target.clientHeight) / ROW_PX) + SPARE_ROWS
      setSeen((before) => (before.from === from && before.to === to ? before : { from, to }))
    }
    look()
    target.addEventListener('scroll', look, { passive: true })
    const sizes = new ResizeObserver(look)
    sizes.observe(target)
    return () => {
      target.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [])

  const toggle = (id: string): void =>
    setFolded((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })

  return (
    <div className="waterfall">
      <div ref={box} className="waterfall-rows" role="region" aria-label="Spans by time" tabIndex={0}>
        <Space rows={Math.min(seen.from, shown.length)} />
        <ul className="waterfall-list">
          {shown.slice(seen.from, seen.to).map((row) => (
            <li key={row.id} aria-level={row.depth + 1}>
              <Row
                row={row}
                lengthMs={lengthMs}
                isChosen={row.id === chosen}
                to={linkTo(row.id)}
                isFolded={folded.has(row.id)}
                onToggle={() => toggle(row.id)}
              />
            </li>
          ))}
        </ul>
        <Space rows={Math.max(0, shown.length - seen.to)} />
      </div>
    </div>
  )
}

/** As an SVG: a height of many lines cannot be written as a style under the policy. */
function Space({ rows }: { readonly rows: number }) {
  return rows === 0 ? null : (
    <svg className="waterfall-space" width="1" height={rows * ROW_PX} aria-hidden="true" />
  )
}

function unfolded(rows: readonly TraceRow[], folded: ReadonlySet<string>): readonly TraceRow[] {
  if (folded.size === 0) return rows
  const shown: TraceRow[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]
    if (!row) break
    shown.push(row)
    if (folded.has(row.id)) at += row.below
  }
  return shown
}

type RowProps = {
  readonly row: TraceRow
  readonly lengthMs: number
  readonly isChosen: boolean
  readonly to: string
  readonly isFolded: boolean
  readonly onToggle: () => void
}

function Row({ row, lengthMs, isChosen, to, isFolded, onToggle }: RowProps) {
  const { name, op, depth, durationMs, startMs, below, errors } = row
  const kind = row.isFailed ? 'span-failed' : row.isCritical ? 'span-critical' : 'span-other'
  return (
    <div className="span-line">
      {below > 0 && (
        <button
          type="button"
          className="span-fold"
          aria-expanded={!isFolded}
          aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${formatExact(below)} spans below ${op}`}
          onClick={onToggle}
        >
          {isFolded ? '+' : '−'}
        </button>
      )}
      <Link
        className="span-row"
        to={to}
        prefetch="none"
        preventScrollReset
        aria-current={isChosen || undefined}
        title={`${op} ${titleOf(name)}, ${formatDuration(durationMs)}, ${formatDuration(startMs)} after the begin`}
      >
        <span className="span-name">
          <svg className="span-indent" width={Math.min(depth, 24) * 10 + 14} height="1" aria-hidden="true" />
          <span className="perf-op">{op}</span> <bdi>{name}</bdi>
          {errors > 0 && <span className="perf-bad">{errors === 1 ? '1 error' : `${errors} errors`}</span>}
        </span>
        <svg className="span-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
          <rect
            className={kind}
            x={(startMs / lengthMs) * 1000}
            width={Math.max(2, (durationMs / lengthMs) * 1000)}
            height="10"
          />
        </svg>
        <span className="span-time num">{formatDuration(durationMs)}</span>
      </Link>
    </div>
  )
}
