import type { VitalName } from '@sonde/protocol/web-vitals'
import type { BreakdownColumn, BreakdownRow, VitalBreakdown as Breakdown } from '@sonde/queries'
import { formatShare } from '../../../../format/format-count.ts'
import { NarrowingValue } from '../../../../parts/filter-bar/filter-bar.tsx'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { ShareBar } from '../../../../parts/share-bar.tsx'
import { RatedValue } from './rated-value.tsx'

const BREAKDOWN_COLUMNS = [
  { id: 'device', title: 'Device' },
  { id: 'browser', title: 'Browser' },
  { id: 'connection', title: 'Connection' },
  { id: 'country', title: 'Country' },
  { id: 'release', title: 'Release' },
] as const satisfies readonly { readonly id: BreakdownColumn; readonly title: string }[]

type Props = { readonly name: VitalName; readonly breakdown: Breakdown }

/** A vital by segment: a click on a value filters the whole screen, another click removes the filter. */
export function VitalBreakdown({ name, breakdown }: Props) {
  return (
    <div className="vital-breakdown">
      {BREAKDOWN_COLUMNS.filter(({ id }) => breakdown[id].length > 0).map(({ id, title }) => (
        <ColumnTable key={id} name={name} column={id} title={title} rows={breakdown[id]} />
      ))}
    </div>
  )
}

type ColumnProps = {
  readonly name: VitalName
  readonly column: BreakdownColumn
  readonly title: string
  readonly rows: readonly BreakdownRow[]
}

function ColumnTable({ name, column, title, rows }: ColumnProps) {
  const most = Math.max(...rows.map(({ count }) => count))
  return (
    <div className="perf-scroll" role="region" aria-label={`By ${title.toLowerCase()}`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className="col-num">
              p75
            </th>
            <th scope="col" className="col-num" title="Share of good page views">
              Good
            </th>
            <th scope="col" className="col-num">
              Page views
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ value, p75, samples, count, good }) => (
            <tr key={value}>
              <th scope="row" className="perf-name">
                <NarrowingValue column={column} value={value} />
              </th>
              <td className="col-num">
                <RatedValue name={name} value={p75} samples={samples} />
              </td>
              <td className="col-num num">{formatShare(good, count)}</td>
              <td className="col-num vital-breakdown-visits">
                <ExtrapolatedCount count={count} samples={samples} noun="page view" />
                <ShareBar part={count} whole={most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
