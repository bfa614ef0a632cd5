import type { TransactionSplit, TransactionTime as Time } from '@sonde/queries'
import {
  countOf,
  formatExact,
  formatRate,
  formatRateShare,
  formatShare,
} from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import { NarrowingValue } from '../../../../../parts/filter-bar/filter-bar.tsx'
import { type Filter, FILTERS, nameInText } from '../../../../../parts/filter-bar/filter-state.ts'
import { ExtrapolatedCount } from '../../../../../parts/performance/extrapolated-count.tsx'
import { ShareBar, SplitBar } from '../../../../../parts/split-bar.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

/** Less than a hundredth does not make a route slow. */
const LEAST_SHARE = 0.01
const MAX_LINES = 20

/** The time breakdown: spans by operation and name with their self time, which adds up to the whole. */
export function TransactionTime({ time: { shares, transactions } }: { readonly time: Time }) {
  const shown = shares.filter(({ share }) => share >= LEAST_SHARE).slice(0, MAX_LINES)
  const rest = shares.slice(shown.length)
  const restShare = rest.reduce((sum, { share }) => sum + share, 0)
  if (shares.every(({ spans }) => spans === 0)) return <p className="muted">No child spans recorded.</p>
  return (
    <>
      <p className="muted perf-lead">Self time of each span. Overlapping spans share it equally.</p>
      <div className="perf-scroll" role="region" aria-label="Time breakdown" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Span</th>
              <th scope="col">Share of time</th>
              <th scope="col" className="col-num" title="Mean self time per transaction">
                Per transaction
              </th>
              <th scope="col" className="col-num" title="Mean number of spans per transaction">
                Spans
              </th>
              <th scope="col" className="col-num" title="Median span duration">
                Span p50
              </th>
              <th scope="col" className="col-num" title="Share of transactions that contain it">
                % of transactions
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ op, name, ownMs, share, spans, transactions: within, medianMs }) => (
              <tr key={`${op} ${name}`}>
                <th scope="row" className="perf-name">
                  {spans === 0 ? (
                    <span className="muted">uninstrumented</span>
                  ) : (
                    <>
                      <span className="perf-op">{op}</span> <UserText text={name} />
                    </>
                  )}
                </th>
                <td className="time-share">
                  <span className="num">{formatShare(share, 1)}</span>
                  <SplitBar
                    label={`${formatShare(share, 1)} of the time`}
                    parts={[
                      { className: 'phase-data', value: share },
                      { className: 'part-rest', value: Math.max(0, 1 - share) },
                    ]}
                  />
                </td>
                <td className="col-num num">{formatDuration(ownMs / Math.max(1, transactions))}</td>
                {spans === 0 ? (
                  <td className="col-num muted" colSpan={3}>
                    –
                  </td>
                ) : (
                  <>
                    <td className="col-num num" title={countOf(spans, 'span')}>
                      {formatRate(spans / Math.max(1, transactions))}
                    </td>
                    <td className="col-num num">{formatDuration(medianMs)}</td>
                    <td
                      className="col-num num"
                      title={`${formatExact(within)} of ${formatExact(transactions)}`}
                    >
                      {formatShare(within, transactions)}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rest.length > 0 && (
        <p className="muted">
          {formatShare(restShare, 1)} in {countOf(rest.length, 'more span group')}.
        </p>
      )}
    </>
  )
}

/** With fewer samples a percentile is noise. */
const FEW = 30

type Props = { readonly splits: readonly TransactionSplit[] }

/** The transaction by segment: a click on a value filters the page, another one removes the filter. */
export function TransactionBreakdown({ splits }: Props) {
  return (
    <div className="transaction-splits">
      {FILTERS.map((filter) => {
        const own = splits.filter(({ column }) => column === filter.id)
        // A column without a single value is left out.
        if (own.every(({ value }) => value === '')) return null
        return <ColumnTable key={filter.id} filter={filter} splits={own} />
      })}
    </div>
  )
}

function ColumnTable({ filter, splits }: Props & { readonly filter: Filter }) {
  const most = Math.max(...splits.map(({ count }) => count))
  return (
    <div className="perf-scroll" role="region" aria-label={`By ${nameInText(filter)}`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{filter.name}</th>
            <th scope="col" className="col-num">
              p75
            </th>
            <th scope="col" className="col-num">
              Failure rate
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
                <td className="col-num muted" title={`${samples} samples: not enough data`}>
                  {formatDuration(p75)} low n
                </td>
              ) : (
                <td className="col-num num">{formatDuration(p75)}</td>
              )}
              <td className="col-num num">{formatRateShare(failureRate)}</td>
              <td className="col-num split-count">
                <ExtrapolatedCount count={count} samples={samples} noun="transaction" />
                <ShareBar part={count} whole={most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
