import { Link } from '@sonde/router'
import { formatExact } from '../format/format-count.ts'
import type { Zone } from '../format/format-time.ts'
import { spanText } from './axis-text.ts'
import { type ChartSeries, markersIn, startOf, type TimeRange } from './chart-series.ts'
import { MarkerList } from './marked-text.tsx'

type Props = {
  readonly series: ChartSeries
  readonly zone: Zone
  /** What is counted: `events`. */
  readonly noun: string
  /** Where a bar alone is looked at; undefined when it is the whole chart already. */
  readonly zoomTo: (range: TimeRange) => string
}

/** The same numbers to read, for screen readers and keyboards. Bars without anything are left out. */
export function ChartTable({ series, zone, noun, zoomTo }: Props) {
  const rows = series.counts.flatMap((count, index) => {
    const markers = markersIn(series, index)
    return count > 0 || markers.length > 0 ? [{ count, index, markers }] : []
  })
  const hasReleases = series.markers.length > 0
  return (
    <table className="chart-table">
      <caption className="sr-only">
        {noun} over time; spans without {noun} are left out
      </caption>
      <thead>
        <tr>
          <th scope="col">Time {zone === 'utc' && '(UTC)'}</th>
          <th scope="col" className="col-num">
            {noun}
          </th>
          {hasReleases && <th scope="col">Releases</th>}
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
                  <Link to={zoomTo(range)} prefetch="none" title="Show only this span">
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
