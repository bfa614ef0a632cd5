import type { InsightIssue, InsightSample, InsightSplitRow } from '@sonde/queries'
import { INSIGHT_SPLITS, type InsightKindId, type InsightSplit } from '@sonde/queries/contract'
import { Link } from '@sonde/router'
import { formatRate, formatRateShare } from '../../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../../format/format-time.ts'
import { ExtrapolatedCount } from '../../../../../../parts/performance/extrapolated-count.tsx'
import { paths } from '../../../../../../paths.ts'
import { usePaths } from '../../../../../../shell/use-paths.ts'
import { Count } from '../../../../../../ui/count.tsx'
import { Age, ExactTime } from '../../../../../../ui/time.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'
import { InsightName } from '../insight-table.tsx'

type SplitProps = {
  readonly org: string
  readonly project: string
  readonly kind: InsightKindId
  readonly split: InsightSplit
  readonly rows: readonly InsightSplitRow[]
  readonly noun: readonly [one: string, many: string]
}

/** One group by route, endpoint, operation or status code. A route leads to everything of this kind that it does. */
export function InsightSplitTable({ org, project, kind, split, rows, noun }: SplitProps) {
  const kept = usePaths()
  const { name, title } = INSIGHT_SPLITS[split]
  const listOf = (route: string): string => {
    const to = kept.insights(org, project, kind)
    return `${to}${to.includes('?') ? '&' : '?'}route=${encodeURIComponent(route)}`
  }
  return (
    <div className="perf-scroll" role="region" aria-label={`Table ${title.toLowerCase()}`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col" className="col-num" title="Extrapolated from sampled data">
              Count
            </th>
            <th scope="col" className="col-num" title="Mean number in a transaction that does it">
              Per transaction
            </th>
            <th scope="col" className="col-num">
              p75
            </th>
            <th scope="col" className="col-num">
              Failure rate
            </th>
            <th scope="col" className="col-num" title="Share of the time of this row">
              Time spent
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="perf-name">
                {split === 'route' && row.name !== '' ? (
                  <Link to={listOf(row.name)} prefetch="none">
                    <UserText text={row.name} />
                  </Link>
                ) : (
                  <InsightName name={row.name} />
                )}
              </th>
              <td className="col-num">
                <ExtrapolatedCount count={row.count} samples={row.samples} noun={noun[0]} />
              </td>
              <td className="col-num num">{formatRate(row.perTransaction)}</td>
              <td className="col-num num">{formatDuration(row.p75)}</td>
              <td className={`col-num num ${row.failureRate > 0 ? 'perf-bad' : 'muted'}`}>
                {formatRateShare(row.failureRate)}
              </td>
              <td className="col-num num" title={formatDuration(row.totalMs)}>
                {formatRateShare(row.timeShare)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type SamplesProps = { readonly org: string; readonly samples: readonly InsightSample[] }

/** Each leads to its place in its trace. */
export function InsightSamples({ org, samples }: SamplesProps) {
  return (
    <div className="perf-scroll" role="region" aria-label="Table of slowest spans" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Trace</th>
            <th scope="col">Span</th>
            <th scope="col" className="col-num">
              Duration
            </th>
            <th scope="col">Route</th>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col">Release</th>
          </tr>
        </thead>
        <tbody>
          {samples.map((sample) => (
            <tr key={sample.traceId}>
              <th scope="row" className="slow-trace">
                <Link to={paths.trace(org, sample.traceId, sample.spanId)}>{sample.traceId.slice(0, 8)}</Link>
              </th>
              <td className="perf-name">
                <span className="insight-name insight-statement">
                  <InsightName name={sample.text} />
                </span>
              </td>
              <td className="col-num num">{formatDuration(sample.durationMs)}</td>
              <td className="slow-fact">
                <InsightName name={sample.route} />
              </td>
              <td className="slow-when">
                <ExactTime atMs={sample.startMs} />
              </td>
              <td className={sample.hasFailed ? 'perf-bad' : undefined}>{sample.status || '–'}</td>
              <td className="slow-fact">
                {sample.release === '' ? (
                  <span className="muted">–</span>
                ) : (
                  <UserText text={sample.release} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type IssuesProps = { readonly org: string; readonly issues: readonly InsightIssue[] }

/** What detectors found in this statement: N+1, slow queries. */
export function InsightIssues({ org, issues }: IssuesProps) {
  const kept = usePaths()
  if (issues.length === 0) return <p className="muted">No N+1 or slow query issues.</p>
  return (
    <div className="perf-scroll" role="region" aria-label="Table of issues" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Issue</th>
            <th scope="col">Status</th>
            <th scope="col" className="col-num">
              Events
            </th>
            <th scope="col" className="col-num">
              Last seen
            </th>
          </tr>
        </thead>
        <tbody>
          {issues.map((issue) => (
            <tr key={issue.shortId}>
              <th scope="row" className="perf-name">
                <Link to={kept.issue(org, issue.project, issue.shortId)}>
                  <UserText text={issue.title} />
                </Link>{' '}
                <span className="muted">{issue.shortId}</span>
              </th>
              <td>{issue.status}</td>
              <td className="col-num">
                <Count value={issue.events} noun="event" />
              </td>
              <td className="col-num">
                <Age atMs={issue.lastSeenMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
