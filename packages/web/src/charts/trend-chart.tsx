/** Lines over time: an SVG from the server, replaced by the interactive chart once its code is there. */
import { useNavigate } from '@sonde/router'
import type { ReactNode } from 'react'
import { countOf } from '../format/format-count.ts'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import { spanText, tickTexts } from './axis-text.ts'
import { markersIn, snapRange, startOf, stepName, type TimeRange } from './chart-series.ts'
import { SvgTrend } from './svg-trend.tsx'
import { type TrendSeries, trendTop } from './trend-series.ts'
import { TrendTable } from './trend-table.tsx'
import { MarkerLines } from './marked-text.tsx'
import { useDrawnChart } from './use-drawn-chart.ts'

type Props = {
  /** Names the chart: `LCP, 75th percentile`. */
  readonly title: string
  readonly series: TrendSeries
  /** What one count of the series is: `visit`. */
  readonly noun: string
  readonly format: (value: number) => string
  /** Address of the same page for another span. */
  readonly zoomTo: (range: TimeRange) => string
  /** In the caption's line: what else can be drawn. */
  readonly actions?: ReactNode
}

export function TrendChart({ title, series, noun, format, zoomTo, actions }: Props) {
  const navigate = useNavigate()
  const zone = useIsInBrowser() ? 'local' : 'utc'
  const { place, tip, isDrawn, hovered } = useDrawnChart(
    series,
    async () => {
      const { drawTrend } = await import('./draw-trend.ts')
      return (target, events) => drawTrend(target, series, format, events)
    },
    ({ fromMs, toMs }) => void navigate(zoomTo(snapRange(series, fromMs, toMs))),
  )
  const [from, to] = tickTexts([series.fromMs, series.toMs], zone)
  return (
    <figure className="chart" dir="ltr" data-drawn={isDrawn || undefined}>
      <figcaption className="chart-caption">
        <strong>{title}</strong> <span className="chart-total">{countOf(series.total, noun)}</span>{' '}
        <span className="muted">
          {spanText(series.fromMs, series.toMs, zone)}
          {zone === 'utc' && ' UTC'}, by {stepName(series.stepMs).replace(/^one /, '')}
        </span>
        {actions}
      </figcaption>
      <div className="chart-place">
        {!isDrawn && <SvgTrend series={series} />}
        {!isDrawn && <span className="chart-peak num">{format(trendTop(series))}</span>}
        <div ref={place} className="chart-canvas" aria-hidden="true" />
        {hovered && (
          <div ref={tip} className="chart-tip">
            <PointText series={series} index={hovered.index} noun={noun} format={format} />
          </div>
        )}
      </div>
      {!isDrawn && (
        <p className="chart-ends num" aria-hidden="true">
          <span>{from}</span>
          <span>{to}</span>
        </p>
      )}
      <details className="fold chart-data">
        <summary>As a table</summary>
        <TrendTable series={series} zone={zone} noun={noun} format={format} zoomTo={zoomTo} />
      </details>
    </figure>
  )
}

function PointText({
  series,
  index,
  noun,
  format,
}: Pick<Props, 'series' | 'noun' | 'format'> & { readonly index: number }) {
  const releases = markersIn(series, index)
  return (
    <>
      <strong>
        {series.lines
          .map(({ name, values }) => {
            const value = values[index] ?? null
            return `${name} ${value === null ? '–' : format(value)}`
          })
          .join(', ')}
      </strong>
      <span>
        {countOf(series.counts[index] ?? 0, noun)},{' '}
        {spanText(startOf(series, index), startOf(series, index + 1), 'local')}
      </span>
      <MarkerLines markers={releases} />
    </>
  )
}
