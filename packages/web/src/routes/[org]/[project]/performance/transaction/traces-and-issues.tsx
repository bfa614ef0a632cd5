import type { TransactionIssue, TransactionSample } from '@sonde/queries'
import { Link } from '@sonde/router'
import { formatDuration } from '../../../../../format/format-time.ts'
import { searchTerm } from '../../../../../parts/issue/issue-links.ts'
import { paths } from '../../../../../paths.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Level } from '../../../../../ui/badge.tsx'
import { Count } from '../../../../../ui/count.tsx'
import { Age, ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

type Props = { readonly org: string; readonly traces: readonly TransactionSample[] }

/** The slowest traces of the transaction. */
export function SlowestTraces({ org, traces }: Props) {
  return (
    <div className="perf-scroll" role="region" aria-label="Slowest traces" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Trace</th>
            <th scope="col" className="col-num">
              Duration
            </th>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col">Release</th>
            <th scope="col">Browser</th>
            <th scope="col">User</th>
          </tr>
        </thead>
        <tbody>
          {traces.map((trace) => (
            <tr key={trace.traceId}>
              <th scope="row" className="slow-trace">
                <Link to={paths.trace(org, trace.traceId, trace.spanId)}>{trace.traceId.slice(0, 8)}</Link>
              </th>
              <td className="col-num num">{formatDuration(trace.durationMs)}</td>
              <td className="slow-when">
                <ExactTime atMs={trace.startMs} />
              </td>
              <td className={trace.hasFailed ? 'perf-bad' : undefined}>{trace.status || '–'}</td>
              {[trace.release, trace.browser, trace.userKey].map((text, index) => (
                <td key={index} className="slow-fact">
                  {text === '' ? <span className="muted">–</span> : <UserText text={text} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type TransactionIssuesProps = {
  readonly org: string
  readonly project: string
  readonly name: string
  readonly issues: readonly TransactionIssue[]
}

/** Issues whose events name this transaction, in the same time range. */
export function TransactionIssues({ org, project, name, issues }: TransactionIssuesProps) {
  const kept = usePaths()
  if (issues.length === 0) return <p className="muted">No errors in this time range.</p>
  return (
    <>
      <div className="perf-scroll" role="region" aria-label="Errors" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Issue</th>
              <th scope="col" className="col-num">
                Events
              </th>
              <th scope="col" className="col-num">
                Users
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
                  <Level level={issue.level} />{' '}
                  <Link to={kept.issue(org, issue.project, issue.shortId)}>
                    <UserText text={issue.title} />
                  </Link>{' '}
                  <span className="muted">
                    {issue.shortId}
                    {issue.status !== 'unresolved' && `, ${issue.status}`}
                  </span>
                </th>
                <td className="col-num">
                  <Count value={issue.events} noun="event" />
                </td>
                <td className="col-num">
                  <Count value={issue.users} noun="user" />
                </td>
                <td className="col-num">
                  <Age atMs={issue.lastSeenMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        <Link to={kept.issues(org, project, { query: searchTerm('transaction', name) })}>
          All issues of this transaction
        </Link>
      </p>
    </>
  )
}
