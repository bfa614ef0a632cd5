/** The whole trace on a strip: drag over it to zoom to a part of the time. */
import { type PointerEvent, useMemo, useState } from 'react'
import { formatDuration } from '../../../../format/format-duration.ts'
import type { TraceRows } from '../../../../parts/trace/packed-trace.ts'
import { MINIMAP_COLUMNS, MINIMAP_LANES, minimapRuns, type TimeWindow, windowBetween } from './trace-time.ts'
import { HUES } from './waterfall-line.tsx'

type Props = {
  readonly rows: TraceRows
  readonly lengthMs: number
  readonly window: TimeWindow
  readonly isZoomed: boolean
  readonly onZoom: (window: TimeWindow | undefined) => void
}

/** Smaller movements are clicks. */
const DRAG_PART = 0.005

export function Minimap({ rows, lengthMs, window, isZoomed, onZoom }: Props) {
  const picture = useMemo(() => <Picture rows={rows} lengthMs={lengthMs} />, [rows, lengthMs])
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | undefined>()
  const placeOf = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)))
  }
  const end = (): void => {
    setDrag(undefined)
    if (!drag || Math.abs(drag.to - drag.from) < DRAG_PART) return
    onZoom(windowBetween(drag.from * lengthMs, drag.to * lengthMs, lengthMs))
  }
  const seen = drag ?? (isZoomed ? { from: window.fromMs / lengthMs, to: window.toMs / lengthMs } : undefined)
  return (
    <div className="minimap">
      <svg
        className="minimap-svg"
        viewBox={`0 0 ${MINIMAP_COLUMNS} ${MINIMAP_LANES}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Trace overview, ${formatDuration(lengthMs)}${isZoomed ? `, zoomed to ${formatDuration(window.fromMs)} – ${formatDuration(window.toMs)}` : ''}`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ from: placeOf(event), to: placeOf(event) })
        }}
        onPointerMove={(event) => {
          const to = placeOf(event)
          setDrag((before) => before && { ...before, to })
        }}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        {picture}
        {seen && <Shade from={Math.min(seen.from, seen.to)} to={Math.max(seen.from, seen.to)} />}
      </svg>
    </div>
  )
}

function Picture({ rows, lengthMs }: Pick<Props, 'rows' | 'lengthMs'>) {
  const byHue = Map.groupBy(minimapRuns(rows, lengthMs), ({ service }) => service % HUES)
  return [...byHue].map(([hue, runs]) => (
    <path
      key={hue}
      className={`hue-${hue}`}
      d={runs.map(({ lane, from, to }) => `M${from} ${lane}h${to - from}v.8h${from - to}z`).join('')}
    />
  ))
}

/** Shades what is outside the zoom. */
function Shade({ from, to }: { readonly from: number; readonly to: number }) {
  const [left, right] = [from * MINIMAP_COLUMNS, to * MINIMAP_COLUMNS]
  return (
    <g className="minimap-shade">
      <rect x="0" width={left} height={MINIMAP_LANES} />
      <rect x={right} width={Math.max(0, MINIMAP_COLUMNS - right)} height={MINIMAP_LANES} />
    </g>
  )
}
