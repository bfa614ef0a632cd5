import type { PageDataFailures } from '@sonde/queries'
import { Link } from '@sonde/router'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { NavigationLink, TraceLink } from './navigation-links.tsx'

/** Requests for page data that failed, those that people saw first. */
export function PageDataTable({
  org,
  rows,
}: {
  readonly org: string
  readonly rows: readonly PageDataFailures[]
}) {
  return (
    <div className="perf-scroll" role="region" aria-label="Endpoints that failed" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" className="col-num" title="Requests that failed in a row count once">
              Failures
            </th>
            <th scope="col" className="col-num" title="An error page or boundary was shown for it">
              Seen
            </th>
            <th scope="col">Answered</th>
            <th scope="col" className="col-num" title="A later attempt succeeded within 8 s">
              Recovered
            </th>
            <th scope="col" className="col-num" title="People as far as the site tells who they are">
              Users
            </th>
            <th scope="col">Last</th>
            <th scope="col">Issue</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.endpoint}>
              <th scope="row" className="perf-name">
                <code className="nav-endpoint">
                  <UserText text={row.endpoint} />
                </code>
                {row.routes.length > 0 && (
                  <span className="nav-sub">
                    on <UserText text={row.routes.join(', ')} />
                  </span>
                )}
              </th>
              <td className="col-num">
                <Count value={row.count} noun="failure" />
                <span className="nav-sub">{retriesText(row)}</span>
              </td>
              <td className={`col-num ${row.seen > 0 ? 'perf-bad' : 'muted'}`}>
                <Count value={row.seen} noun="failure" />
                <span className="nav-sub">{formatShare(row.seen, row.count)}</span>
              </td>
              <td className="nav-answers">
                {row.answers.map(({ answer, count }) => `${answer} × ${formatExact(count)}`).join(', ')}
              </td>
              <td className="col-num num">{formatShare(row.recovered, row.count)}</td>
              <td className="col-num">
                {row.users > 0 ? (
                  <Count value={row.users} noun="user" />
                ) : (
                  <span className="muted" title="Nobody is named; page loads instead">
                    {formatExact(row.pages)} pages
                  </span>
                )}
                {row.usersWhoSaw > 0 && (
                  <span className="nav-sub">{formatExact(row.usersWhoSaw)} saw it</span>
                )}
              </td>
              <td className="nav-last">
                {row.navigationId === '' ? (
                  <Ago atMs={row.lastMs} />
                ) : (
                  <NavigationLink id={row.navigationId}>
                    <Ago atMs={row.lastMs} />
                  </NavigationLink>
                )}{' '}
                <TraceLink org={org} traceId={row.traceId} />
              </td>
              <td className="nav-issue">
                <IssueLink org={org} issue={row.issue} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function IssueLink({
  org,
  issue,
}: {
  readonly org: string
  readonly issue: PageDataFailures['issue']
}) {
  if (!issue)
    return (
      <span className="muted" title="No error was reported in the same trace">
        –
      </span>
    )
  return (
    <Link to={paths.issue(org, issue.projectSlug, String(issue.id))}>
      <UserText text={issue.title} />
    </Link>
  )
}

function retriesText({ attempts, count }: PageDataFailures): string {
  const retries = attempts - count
  return retries <= 0 ? 'no retries' : `${formatExact(retries)} ${retries === 1 ? 'retry' : 'retries'}`
}
