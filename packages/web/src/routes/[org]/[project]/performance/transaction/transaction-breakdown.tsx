import type { TransactionSplit } from '@sonde/queries'
import { formatDuration } from '../../../../../format/format-duration.ts'
import { ShareBar } from '../../../../../parts/share-bar.tsx'
import { ExtrapolatedCount } from '../../../../../parts/performance/extrapolated-count.tsx'
import { type Filter, FILTERS } from '../../../../../parts/filter-bar/filter-state.ts'
import { NarrowingValue } from '../../../../../parts/filter-bar/narrowing-value.tsx'
import { formatRateShare } from '../../../../../parts/performance/format-rate.ts'

/** Fewer than these and a percentile is an accident. */
const FEW = 30

type Props = { readonly splits: readonly TransactionSplit[] }

/** For whom it is slow or fails: a press on a value narrows the page to it, another takes that away. */
export function TransactionBreakdown({ splits }: Props) {
  return (
    <div className="transaction-splits">
      {FILTERS.map((filter) => {
        const own = splits.filter(({ column }) => column === filter.id)
        // A column that nobody has said anything of is no answer.
        if (own.every(({ value }) => value === '')) return null
        return <ColumnTable key={filter.id} filter={filter} splits={own} />
      })}
    </div>
  )
}

function ColumnTable({ filter, splits }: Props & { readonly filter: Filter }) {
  const most = Math.max(...splits.map(({ count }) => count))
  return (
    <div className="perf-scroll" role="region" aria-label={`By ${filter.name.toLowerCase()}`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{filter.name}</th>
            <th scope="col" className="col-num">
              p75
            </th>
            <th scope="col" className="col-num">
              Failed
            </th>
            <th scope="col" className="col-num">
              Count
            </th>
          </tr>
        </thead>
        <tbody>
          {splits.map(({ value, count, samples, p75, failureRate }) => (
            <tr key={value}>
              <th scope="row" className="perf-name">
                <NarrowingValue column={filter.id} value={value} />
              </th>
              {samples < FEW ? (
                <td className="col-num muted" title={`${samples} samples: too few to rely on`}>
                  {formatDuration(p75)} few
                </td>
              ) : (
                <td className="col-num num">{formatDuration(p75)}</td>
              )}
              <td className="col-num num">{formatRateShare(failureRate)}</td>
              <td className="col-num split-count">
                <ExtrapolatedCount count={count} samples={samples} noun="time" />
                <ShareBar part={count} whole={most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
