/** Bars over time: an SVG from the server, replaced by the interactive chart once its code is there. */
import { Link, useNavigate } from '@sonde/router'
import { countOf, formatExact } from '../format/format-count.ts'
import type { Zone } from '../format/format-time.ts'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import { spanText, tickTexts } from './axis-text.ts'
import {
  barAt,
  type ChartSeries,
  markersIn,
  markersName,
  snapRange,
  startOf,
  stepName,
  type TimeRange,
} from './chart-series.ts'
import { MarkerLines, MarkerList } from './marked-text.tsx'
import { useDrawnChart } from './use-drawn-chart.ts'

type Props = {
  /** Names the chart: `Events`. */
  readonly title: string
  /** What is counted, one of them and many. */
  readonly noun: readonly [one: string, many: string]
  readonly series: ChartSeries
  /** Address of the same page for another time range. */
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
          {zone === 'utc' && ' UTC'}, per {stepName(series.stepMs).replace(/^one /, '')}
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
        <summary>Show data table</summary>
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

type ChartTableProps = {
  readonly series: ChartSeries
  readonly zone: Zone
  /** What is counted: `events`. */
  readonly noun: string
  /** Address of the same page zoomed to one bar. */
  readonly zoomTo: (range: TimeRange) => string
}

/** The same numbers as a table, for screen readers and keyboards. Empty bars are omitted. */
function ChartTable({ series, zone, noun, zoomTo }: ChartTableProps) {
  const rows = series.counts.flatMap((count, index) => {
    const markers = markersIn(series, index)
    return count > 0 || markers.length > 0 ? [{ count, index, markers }] : []
  })
  const hasReleases = series.markers.length > 0
  return (
    <table className="chart-table">
      <caption className="sr-only">
        {noun} over time; intervals without {noun} are omitted
      </caption>
      <thead>
        <tr>
          <th scope="col">Time {zone === 'utc' && '(UTC)'}</th>
          <th scope="col" className="col-num">
            {noun}
          </th>
          {hasReleases && <th scope="col">{markersName(series.markers)}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ count, index, markers }) => {
          const range = { fromMs: startOf(series, index), toMs: startOf(series, index + 1) }
          const span = spanText(range.fromMs, range.toMs, zone)
          return (
            <tr key={index}>
              <th scope="row">
                {series.counts.length > 1 ? (
                  <Link to={zoomTo(range)} prefetch="none" title="Zoom to this interval">
                    {span}
                  </Link>
                ) : (
                  span
                )}
              </th>
              <td className="num col-num">{formatExact(count)}</td>
              {hasReleases && (
                <td>
                  <MarkerList markers={markers} />
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const BAR = 8
const GAP = 2
const HEIGHT = 100

/** The chart as the server draws it: bars and releases, stretched to its place. */
function SvgBars({ series }: { readonly series: ChartSeries }) {
  const { counts, markers } = series
  const peak = Math.max(...counts, 1)
  const width = counts.length * (BAR + GAP)
  return (
    <svg
      className="chart-svg"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {counts.map((count, index) => {
        if (count === 0) return null
        const size = Math.max(2, (count / peak) * HEIGHT)
        return (
          <rect key={index} x={index * (BAR + GAP) + GAP / 2} y={HEIGHT - size} width={BAR} height={size} />
        )
      })}
      {markers.map(({ atMs }, index) => {
        const x = (((barAt(series, atMs) ?? 0) + 0.5) * width) / counts.length
        return <line key={index} className="chart-release" x1={x} x2={x} y1="0" y2={HEIGHT} />
      })}
    </svg>
  )
}
