/** Lines over time: an SVG from the server, replaced by the interactive chart once its code is there. */
import { Link, useNavigate } from '@sonde/router'
import type { ReactNode } from 'react'
import { countOf, formatExact } from '../format/format-count.ts'
import type { Zone } from '../format/format-time.ts'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import { spanText, tickTexts } from './axis-text.ts'
import {
  barAt,
  markersIn,
  markersName,
  snapRange,
  startOf,
  stepName,
  type TimeRange,
  trendRuns,
  type TrendSeries,
  trendTop,
} from './chart-series.ts'
import { MarkerLines, MarkerList } from './marked-text.tsx'
import { useDrawnChart } from './use-drawn-chart.ts'

type Props = {
  /** Names the chart: `LCP, 75th percentile`. */
  readonly title: string
  readonly series: TrendSeries
  /** The unit of a count: `page view`. */
  readonly noun: string
  readonly format: (value: number) => string
  /** Address of the same page for another time range. */
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
          {zone === 'utc' && ' UTC'}, per {stepName(series.stepMs).replace(/^one /, '')}
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
        <summary>Show data table</summary>
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

type TrendTableProps = {
  readonly series: TrendSeries
  readonly zone: Zone
  readonly noun: string
  readonly format: (value: number) => string
  readonly zoomTo: (range: TimeRange) => string
}

/** The same values as a table, for screen readers and keyboards. Empty intervals are omitted. */
function TrendTable({ series, zone, noun, format, zoomTo }: TrendTableProps) {
  const { counts, lines, markers } = series
  const shown = counts.flatMap((count, index) =>
    count > 0 || markersIn(series, index).length > 0 ? [{ count, index }] : [],
  )
  return (
    <table className="chart-table">
      <caption className="sr-only">
        {lines.map(({ name }) => name).join(', ')} over time; intervals without {noun}s are omitted
      </caption>
      <thead>
        <tr>
          <th scope="col">Time {zone === 'utc' && '(UTC)'}</th>
          {lines.map(({ name }) => (
            <th key={name} scope="col" className="col-num">
              {name}
            </th>
          ))}
          <th scope="col" className="col-num">
            {noun}s
          </th>
          {markers.length > 0 && <th scope="col">{markersName(markers)}</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ count, index }) => {
          const range = { fromMs: startOf(series, index), toMs: startOf(series, index + 1) }
          const span = spanText(range.fromMs, range.toMs, zone)
          return (
            <tr key={index}>
              <th scope="row">
                {counts.length > 1 ? (
                  <Link to={zoomTo(range)} prefetch="none" title="Zoom to this interval">
                    {span}
                  </Link>
                ) : (
                  span
                )}
              </th>
              {lines.map(({ name, values }) => {
                const value = values[index] ?? null
                return (
                  <td key={name} className="num col-num">
                    {value === null ? '–' : format(value)}
                  </td>
                )
              })}
              <td className="num col-num">{formatExact(count)}</td>
              {markers.length > 0 && (
                <td>
                  <MarkerList markers={markersIn(series, index)} />
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const STEP = 10
const HEIGHT = 100

/** The lines as the server draws them, with levels and releases, stretched to their place. */
function SvgTrend({ series }: { readonly series: TrendSeries }) {
  const { counts, lines, levels, markers } = series
  const top = trendTop(series)
  const width = counts.length * STEP
  const x = (index: number): number => (index + 0.5) * STEP
  const y = (value: number): number => HEIGHT - (value / top) * HEIGHT
  return (
    <svg
      className="chart-svg"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {levels
        .filter(({ at }) => at <= top)
        .map(({ name, at, token }) => (
          <line key={name} className={`trend-level${token}`} x1="0" x2={width} y1={y(at)} y2={y(at)} />
        ))}
      {lines.map(({ name, values, token }) =>
        trendRuns(values).map((run) => {
          const points = run.map((index) => `${x(index)} ${y(values[index] ?? 0)}`)
          // A stroke of no length with round ends is a dot, whatever the picture is stretched to.
          const path = `M${points.join('L')}${run.length === 1 ? `L${points[0]}` : ''}`
          return <path key={`${name} ${run[0]}`} className={`trend-line trend-line${token}`} d={path} />
        }),
      )}
      {markers.map(({ atMs }, index) => {
        const at = x(barAt(series, atMs) ?? 0)
        return <line key={index} className="chart-release" x1={at} x2={at} y1="0" y2={HEIGHT} />
      })}
    </svg>
  )
}
