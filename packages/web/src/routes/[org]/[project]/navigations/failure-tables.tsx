import type { FullLoads, HungNavigations, PageDataFailures } from '@sonde/queries'
import { Link } from '@sonde/router'
import { countOf, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { NavigationLink, TraceLink } from './navigation-links.tsx'
import { explainHardNavigation } from './navigation-words.ts'

/** Failed requests for page data, those with a visible error first. */
export function PageDataTable({
  org,
  rows,
}: {
  readonly org: string
  readonly rows: readonly PageDataFailures[]
}) {
  return (
    <div className="perf-scroll" role="region" aria-label="Failed data requests by endpoint" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" className="col-num" title="Consecutive failures count once">
              Failures
            </th>
            <th scope="col" className="col-num" title="An error page or error boundary was shown">
              Shown to user
            </th>
            <th scope="col">Status</th>
            <th scope="col" className="col-num" title="A later attempt succeeded within 8 s">
              Recovered
            </th>
            <th scope="col" className="col-num" title="Identified users">
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
                  <span className="muted" title="No user IDs; counting page views">
                    {countOf(row.pages, 'page view')}
                  </span>
                )}
                {row.usersWhoSaw > 0 && (
                  <span className="nav-sub">{formatExact(row.usersWhoSaw)} saw the error</span>
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
      <span className="muted" title="No error in the same trace">
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

/** Navigations that were stuck or abandoned, by the request they waited for. */
export function StuckTable({
  org,
  rows,
}: {
  readonly org: string
  readonly rows: readonly HungNavigations[]
}) {
  return (
    <div className="perf-scroll" role="region" aria-label="Stuck or abandoned navigations" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">From → to</th>
            <th scope="col">Waiting for</th>
            <th scope="col" className="col-num" title="Longer than 5 s, whatever the outcome">
              Stuck
            </th>
            <th scope="col" className="col-num" title="The user left before it finished">
              Abandoned
            </th>
            <th scope="col" className="col-num">
              Users
            </th>
            <th scope="col" className="col-num" title="Median; hover a value for the longest">
              Wait
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.from} ${row.to} ${row.waitingFor}`}>
              <th scope="row" className="perf-name">
                <UserText text={row.from} /> <span aria-label="to">→</span> <UserText text={row.to} />
              </th>
              <td className="nav-path">
                {row.waitingFor === '' ? (
                  <span className="muted" title="No request in flight: main-thread work">
                    no request
                  </span>
                ) : (
                  row.waitingFor.split(', ').map((endpoint) => (
                    <code key={endpoint} className="nav-endpoint">
                      <UserText text={endpoint} />
                    </code>
                  ))
                )}
              </td>
              <td className="col-num">
                <Count value={row.hung} noun="navigation" />
                {row.shownLate > 0 && <span className="nav-sub">{row.shownLate} completed late</span>}
              </td>
              <td className="col-num">
                <Count value={row.left} noun="navigation" />
              </td>
              <td className="col-num">
                <Count value={row.users} noun="user" />
              </td>
              <td className="col-num num" title={`Longest: ${formatDuration(row.maxMs)}`}>
                {formatDuration(row.medianMs)}
              </td>
              <td className="nav-last">
                <NavigationLink id={row.navigationId}>
                  <Ago atMs={row.lastMs} />
                </NavigationLink>{' '}
                <TraceLink org={org} traceId={row.traceId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Hard navigations by reason, each with its meaning and how to fix it. */
export function HardNavigationList({
  org,
  rows,
}: {
  readonly org: string
  readonly rows: readonly FullLoads[]
}) {
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <ul className="nav-reasons">
      {rows.map((row) => {
        const { title, why, todo } = explainHardNavigation(row.reason)
        return (
          <li key={row.reason} className="nav-reason">
            <p className="nav-reason-head">
              <strong>
                <UserText text={title} />
              </strong>{' '}
              <Count value={row.count} noun="navigation" />{' '}
              <span className="muted num">
                {formatShare(row.count, all)}
                {row.users > 0 && `, ${row.users} ${row.users === 1 ? 'user' : 'users'}`}
              </span>
            </p>
            <p>{why}</p>
            <p>
              <span className="nav-todo">How to fix:</span> {todo}
            </p>
            <p className="nav-sub">
              most often to <UserText text={row.routes.join(', ')} />; last{' '}
              <NavigationLink id={row.navigationId}>
                <Ago atMs={row.lastMs} />
              </NavigationLink>{' '}
              <TraceLink org={org} traceId={row.traceId} />
            </p>
          </li>
        )
      })}
    </ul>
  )
}
