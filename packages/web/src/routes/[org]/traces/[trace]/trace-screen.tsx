/** A trace: what happened when in which service, why it took so long, and everything of the span that is chosen. */
import { useLocation } from '@sonde/router'
import { useCallback, useMemo } from 'react'
import { paths } from '../../../../paths.ts'
import type { Stretch } from './line-bar.tsx'
import type { SpanData } from './load-span.server.ts'
import type { TraceData } from './load-trace.server.ts'
import { Minimap } from './minimap.tsx'
import { NavigationStrip } from '../../../../parts/trace/navigation-strip.tsx'
import { SpanPanel } from './span-panel.tsx'
import { TraceErrors } from './trace-errors.tsx'
import { ServiceLegend, TraceFacts, TraceVitals, WaitedFor } from './trace-facts.tsx'
import { timeMarks } from './trace-marks.ts'
import { TraceNotes } from './trace-notes.tsx'
import { TraceTools } from './trace-tools.tsx'
import { useTraceView } from './use-trace-view.ts'
import { FIRST_LINES, Waterfall } from './waterfall.tsx'
import type { LineContext, LineErrors } from './waterfall-line.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'

type Props = { readonly org: string; readonly data: TraceData & { readonly span?: SpanData | undefined } }

export function TraceScreen({ org, data }: Props) {
  const view = useTraceView(org, data)
  const { tree, window, chosen, lines, zoomTo, show } = view
  const { rows } = tree
  const { traceId, root } = data
  const waited = useMemo(() => stretchesByRow(data.critical), [data.critical])
  const errors = useMemo(() => errorsByRow(org, data.errors), [org, data.errors])
  const marks = useMemo(() => timeMarks(data.vitals), [data.vitals])
  const context = useMemo<LineContext>(
    () => ({
      rows,
      window,
      waited,
      errors,
      spanHref: (row) => `${paths.trace(org, traceId, { span: rows.ids[row], root })}#span`,
      partHref: (row) => paths.trace(org, traceId, { root: rows.ids[row] }),
    }),
    [rows, window, waited, errors, org, traceId, root],
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
        <CopyButton text={traceId} what="the trace's id" label="ID" />
      </div>
      <TraceFacts org={org} data={data} />
      <NavigationStrip org={org} navigations={data.navigations} />
      <TraceVitals vitals={data.vitals} />
      <div className="trace-why">
        <WaitedFor shares={data.shares} services={data.services} lengthMs={data.lengthMs} />
        <TraceErrors org={org} errors={data.errors} onShow={show} />
      </div>
      <TraceNotes org={org} data={data} rows={rows} />
      {rows.count === 0 ? (
        <p className="muted">
          No span of this trace is stored; only the errors are. Was the trace not sampled, or are its spans
          older than what is kept?
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

/** Where there are no scripts: what the address says, else some lines before the chosen span or the first match. */
function firstLine(search: string, { lines, chosen, matches }: ReturnType<typeof useTraceView>): number {
  const said = Number(new URLSearchParams(search).get('at') ?? Number.NaN)
  if (Number.isInteger(said) && said >= 0) return said
  const row = chosen >= 0 ? chosen : matches[0]
  if (row === undefined) return 0
  const index = lines.findIndex((line) => line.kind === 'span' && line.row === row)
  return index < FIRST_LINES / 2 ? 0 : index - 5
}

function stretchesByRow(critical: TraceData['critical']): ReadonlyMap<number, readonly Stretch[]> {
  const byRow = new Map<number, Stretch[]>()
  for (const [row, fromMs, lengthMs] of critical) {
    const known = byRow.get(row)
    if (known) known.push({ fromMs, lengthMs })
    else byRow.set(row, [{ fromMs, lengthMs }])
  }
  return byRow
}

function errorsByRow(org: string, errors: TraceData['errors']): ReadonlyMap<number, LineErrors> {
  const byRow = new Map<number, LineErrors>()
  for (const { row, atMs, title, project, issueId, eventId } of errors) {
    if (row < 0) continue
    const known = byRow.get(row)
    byRow.set(row, {
      atMs: [...(known?.atMs ?? []), atMs],
      href: known?.href ?? paths.event(org, project, String(issueId), eventId),
      title: known?.title ?? title,
    })
  }
  return byRow
}
