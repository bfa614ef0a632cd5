import { Link } from '@sonde/router'
import { formatExact } from '../format/format-count.ts'
import type { Zone } from '../format/format-time.ts'
import { spanText } from './axis-text.ts'
import { markersIn, startOf, type TimeRange } from './chart-series.ts'
import { MarkerList } from './marked-text.tsx'
import type { TrendSeries } from './trend-series.ts'

type Props = {
  readonly series: TrendSeries
  readonly zone: Zone
  readonly noun: string
  readonly format: (value: number) => string
  readonly zoomTo: (range: TimeRange) => string
}

/** The same values to read, for screen readers and keyboards. Spans without any are left out. */
export function TrendTable({ series, zone, noun, format, zoomTo }: Props) {
  const { counts, lines, markers } = series
  const shown = counts.flatMap((count, index) =>
    count > 0 || markersIn(series, index).length > 0 ? [{ count, index }] : [],
  )
  return (
    <table className="chart-table">
      <caption className="sr-only">
        {lines.map(({ name }) => name).join(', ')} over time; spans without {noun}s are left out
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
          {markers.length > 0 && <th scope="col">Releases</th>}
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
                  <Link to={zoomTo(range)} prefetch="none" title="Show only this span">
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
