import { Link } from '@sonde/router'
import type { TransactionIssue } from '@sonde/queries'
import { searchTerm } from '../../../../../parts/issue/search-term.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Count } from '../../../../../ui/count.tsx'
import { Level } from '../../../../../ui/level.tsx'
import { Age } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

type Props = {
  readonly org: string
  readonly project: string
  readonly name: string
  readonly issues: readonly TransactionIssue[]
}

/** Issues whose events name the same transaction, in the same time. */
export function TransactionIssues({ org, project, name, issues }: Props) {
  const kept = usePaths()
  if (issues.length === 0) return <p className="muted">No error in this time names this transaction.</p>
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
