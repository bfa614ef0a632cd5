import '../../../../parts/performance/performance.css'
import '../../../../parts/trace/trace-summary.css'
import './trace.css'
import './waterfall.css'
import { type DataOf, laterPart, useLocation, usePageData, useParams } from '@sonde/router'
import { type PointerEvent, useCallback, useMemo, useState } from 'react'
import { formatDuration } from '../../../../format/format-time.ts'
import { NavigationStrip } from '../../../../parts/trace/navigation-strip.tsx'
import type { TraceRows } from '../../../../parts/trace/packed-trace.ts'
import { paths } from '../../../../paths.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import type { SpanData } from './load-span.server.ts'
import type { load, TraceData } from './page.server.ts'
import type { Stretch } from './time-track.tsx'
import {
  CriticalPath,
  ServiceLegend,
  TraceErrors,
  TraceFacts,
  TraceNotes,
  TraceVitals,
} from './trace-head.tsx'
import {
  MINIMAP_COLUMNS,
  MINIMAP_LANES,
  minimapRuns,
  timeMarks,
  type TimeWindow,
  windowBetween,
} from './trace-time.ts'
import { TraceTools } from './trace-tools.tsx'
import { useTraceView } from './use-trace-view.ts'
import { HUES, type LineContext, type LineErrors } from './waterfall-line.tsx'
import { FIRST_LINES, Waterfall } from './waterfall.tsx'

/** Fetched after the page: a span is read once it is chosen. */
const SpanPanel = laterPart(() => import('./span-panel.tsx').then((module) => module.SpanPanel))

/** The whole trace on a strip: drag over it to zoom to a part of the time. */
type MinimapProps = {
  readonly rows: TraceRows
  readonly lengthMs: number
  readonly window: TimeWindow
  readonly isZoomed: boolean
  readonly onZoom: (window: TimeWindow | undefined) => void
}

/** Smaller movements are clicks. */
const DRAG_PART = 0.005

function Minimap({ rows, lengthMs, window, isZoomed, onZoom }: MinimapProps) {
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

function Picture({ rows, lengthMs }: Pick<MinimapProps, 'rows' | 'lengthMs'>) {
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

export const title = ({ traceId }: DataOf<typeof load>): string => `Trace ${traceId.slice(0, 8)} · Sonde`

export default function TracePage() {
  const data = usePageData<typeof load>() as TraceData & { readonly span?: SpanData }
  const { org } = useParams<'org' | 'trace'>()
  // A new instance for another trace or part of it: collapsed lines there say nothing about this one.
  return <TraceScreen key={`${data.traceId} ${data.root ?? ''}`} org={org} data={data} />
}

type Props = { readonly org: string; readonly data: TraceData & { readonly span?: SpanData | undefined } }

function TraceScreen({ org, data }: Props) {
  const view = useTraceView(org, data)
  const { tree, window, chosen, lines, zoomTo, show } = view
  const { rows } = tree
  const { traceId, root } = data
  const critical = useMemo(() => stretchesByRow(data.critical), [data.critical])
  const errors = useMemo(() => errorsByRow(org, data.errors), [org, data.errors])
  const marks = useMemo(() => timeMarks(data.vitals), [data.vitals])
  const context = useMemo<LineContext>(
    () => ({
      rows,
      window,
      critical,
      errors,
      spanHref: (row) => `${paths.trace(org, traceId, { span: rows.ids[row], root })}#span`,
      partHref: (row) => paths.trace(org, traceId, { root: rows.ids[row] }),
    }),
    [rows, window, critical, errors, org, traceId, root],
  )
  const { search } = useLocation()
  const at = firstLine(search, view)
  const linesHref = useCallback(
    (first: number) => paths.trace(org, traceId, { root, at: String(Math.max(0, first)) }),
    [org, traceId, root],
  )
  return (
    <div className="page page-wide trace-page">
      <div className="trace-title">
        <h1>
          Trace <code>{traceId}</code>
        </h1>
        <CopyButton text={traceId} what="trace ID" label="ID" />
      </div>
      <TraceFacts org={org} data={data} />
      <NavigationStrip org={org} navigations={data.navigations} />
      <TraceVitals vitals={data.vitals} />
      <div className="trace-why">
        <CriticalPath shares={data.shares} services={data.services} lengthMs={data.lengthMs} />
        <TraceErrors org={org} errors={data.errors} onShow={show} />
      </div>
      <TraceNotes org={org} data={data} rows={rows} />
      {rows.count === 0 ? (
        <p className="muted">
          No spans stored for this trace, only errors. It was not sampled, or its spans have expired.
        </p>
      ) : (
        <>
          <TraceTools view={view} />
          <Minimap
            rows={rows}
            lengthMs={data.lengthMs}
            window={window}
            isZoomed={view.isZoomed}
            onZoom={zoomTo}
          />
          <ServiceLegend services={data.services} />
          <div className={chosen >= 0 ? 'trace-columns has-panel' : 'trace-columns'}>
            <Waterfall
              view={view}
              context={context}
              marks={marks}
              at={Math.min(at, Math.max(0, lines.length - 1))}
              linesHref={linesHref}
            />
            {chosen >= 0 && <SpanPanel org={org} data={data} view={view} row={chosen} />}
          </div>
        </>
      )}
    </div>
  )
}

/** Without scripts: `at` of the address, else some lines before the selected span or the first match. */
function firstLine(search: string, { lines, chosen, matches }: ReturnType<typeof useTraceView>): number {
  const requested = Number(new URLSearchParams(search).get('at') ?? Number.NaN)
  if (Number.isInteger(requested) && requested >= 0) return requested
  const row = chosen >= 0 ? chosen : matches[0]
  if (row === undefined) return 0
  const index = lines.findIndex((line) => line.kind === 'span' && line.row === row)
  return index < FIRST_LINES / 2 ? 0 : index - 5
}

function stretchesByRow(critical: TraceData['critical']): ReadonlyMap<number, readonly Stretch[]> {
  const byRow = new Map<number, Stretch[]>()
  for (const [row, fromMs, lengthMs] of critical) {
    const before = byRow.get(row)
    if (before) before.push({ fromMs, lengthMs })
    else byRow.set(row, [{ fromMs, lengthMs }])
  }
  return byRow
}

function errorsByRow(org: string, errors: TraceData['errors']): ReadonlyMap<number, LineErrors> {
  const byRow = new Map<number, LineErrors>()
  for (const { row, atMs, title: message, project, issueId, eventId } of errors) {
    if (row < 0) continue
    const before = byRow.get(row)
    byRow.set(row, {
      atMs: [...(before?.atMs ?? []), atMs],
      href: before?.href ?? paths.event(org, project, String(issueId), eventId),
      title: before?.title ?? message,
    })
  }
  return byRow
}
