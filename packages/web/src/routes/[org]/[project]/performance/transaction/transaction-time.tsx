import type { TransactionTime as Time } from '@sonde/queries'
import { formatExact, formatShare } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-duration.ts'
import { UserText } from '../../../../../ui/user-text.tsx'
import { formatRate } from '../../../../../parts/performance/format-rate.ts'
import { SplitBar } from '../../../../../parts/split-bar.tsx'

/** What is below a hundredth is not what makes a route slow. */
const LEAST_SHARE = 0.01
const MAX_LINES = 20

/** Spans by what they do, with the part of the time that is their own: the parts add up to the whole. */
export function TransactionTime({ time: { shares, transactions } }: { readonly time: Time }) {
  const shown = shares.filter(({ share }) => share >= LEAST_SHARE).slice(0, MAX_LINES)
  const rest = shares.slice(shown.length)
  const restShare = rest.reduce((sum, { share }) => sum + share, 0)
  if (shares.every(({ spans }) => spans === 0))
    return <p className="muted">No span within it was sent: it is one piece of time.</p>
  return (
    <>
      <p className="muted perf-lead">
        Each moment belongs to the innermost spans that run in it, in equal parts when there are several.
      </p>
      <div className="perf-scroll" role="region" aria-label="Where the time goes" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Span</th>
              <th scope="col">Share of time</th>
              <th scope="col" className="col-num" title="Own time, over all transactions">
                Per transaction
              </th>
              <th scope="col" className="col-num" title="Spans in one transaction, on average">
                Spans
              </th>
              <th scope="col" className="col-num" title="Half of these spans were at least as fast">
                Span p50
              </th>
              <th scope="col" className="col-num" title="Transactions in which it was at all">
                In how many
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ op, name, ownMs, share, spans, transactions: within, medianMs }) => (
              <tr key={`${op} ${name}`}>
                <th scope="row" className="perf-name">
                  {spans === 0 ? (
                    <span className="muted">nothing that was measured</span>
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
                    <td className="col-num num" title={`${formatExact(spans)} spans`}>
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
          {formatShare(restShare, 1)} in {formatExact(rest.length)} more kinds of spans.
        </p>
      )}
    </>
  )
}
