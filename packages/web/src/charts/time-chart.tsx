/** Bars over time: an SVG from the server, replaced by the interactive chart once its code is there. */
import { useNavigate } from '@sonde/router'
import { countOf, formatExact } from '../format/format-count.ts'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import { spanText, tickTexts } from './axis-text.ts'
import { type ChartSeries, markersIn, snapRange, startOf, stepName, type TimeRange } from './chart-series.ts'
import { ChartTable } from './chart-table.tsx'
import { SvgBars } from './svg-bars.tsx'
import { MarkerLines } from './marked-text.tsx'
import { useDrawnChart } from './use-drawn-chart.ts'

type Props = {
  /** Names the chart: `Events`. */
  readonly title: string
  /** What is counted, one of them and many. */
  readonly noun: readonly [one: string, many: string]
  readonly series: ChartSeries
  /** Address of the same page for another span. */
  readonly zoomTo: (range: TimeRange) => string
}

export function TimeChart({ title, noun, series, zoomTo }: Props) {
  const navigate = useNavigate()
  const zone = useIsInBrowser() ? 'local' : 'utc'
  const [one, many] = noun
  const peak = Math.max(...series.counts, 0)

  const { place, tip, isDrawn, hovered } = useDrawnChart(
    series,
    async () => {
      const { drawChart } = await import('./draw-chart.ts')
      return (target, events) => drawChart(target, series, events)
    },
    ({ fromMs, toMs }) => void navigate(zoomTo(snapRange(series, fromMs, toMs))),
  )

  return (
    <figure className="chart" dir="ltr" data-drawn={isDrawn || undefined}>
      <figcaption className="chart-caption">
        <strong>{title}</strong> <span className="chart-total">{countOf(series.total, one, many)}</span>{' '}
        <span className="muted">
          {spanText(series.fromMs, series.toMs, zone)}
          {zone === 'utc' && ' UTC'}, bars of {stepName(series.stepMs)}
        </span>
      </figcaption>
      <div className="chart-place">
        {!isDrawn && <SvgBars series={series} />}
        {!isDrawn && <span className="chart-peak num">{formatExact(peak)}</span>}
        <div ref={place} className="chart-canvas" aria-hidden="true" />
        {hovered && (
          <div ref={tip} className="chart-tip">
            <BarText series={series} index={hovered.index} noun={noun} />
          </div>
        )}
      </div>
      {!isDrawn && (
        <p className="chart-ends num" aria-hidden="true">
          <span>{tickTexts([series.fromMs, series.toMs], zone)[0]}</span>
          <span>{tickTexts([series.fromMs, series.toMs], zone)[1]}</span>
        </p>
      )}
      <details className="fold chart-data">
        <summary>As a table</summary>
        <ChartTable series={series} zone={zone} noun={many} zoomTo={zoomTo} />
      </details>
    </figure>
  )
}

function BarText({ series, index, noun: [one, many] }: Pick<Props, 'series' | 'noun'> & { index: number }) {
  const count = series.counts[index] ?? 0
  const releases = markersIn(series, index)
  return (
    <>
      <strong>
        {formatExact(count)} {count === 1 ? one : many}
      </strong>
      <span>{spanText(startOf(series, index), startOf(series, index + 1), 'local')}</span>
      <MarkerLines markers={releases} />
    </>
  )
}
