import type { ReleaseIssue, ReleaseIssueKind } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { useRef } from 'react'
import { IssueBadges, titleParts } from '../../../../../parts/issue/issue-badges.tsx'
import { searchTerm } from '../../../../../parts/issue/issue-links.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Level, levelClass } from '../../../../../ui/badge.tsx'
import { Count } from '../../../../../ui/count.tsx'
import { Age } from '../../../../../ui/time.tsx'
import { titleOf, UserText } from '../../../../../ui/user-text.tsx'
import { withReleaseParams } from '../release-search.ts'
import { useRowKeys } from '../use-row-keys.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly version: string
  readonly kind: ReleaseIssueKind
  readonly counts: { readonly [Kind in ReleaseIssueKind]: number }
  readonly issues: readonly ReleaseIssue[]
}

const KINDS = [
  { id: 'new', name: 'New', none: 'No new issues in this release.' },
  { id: 'regressed', name: 'Regressed', none: 'No regressions in this release.' },
  {
    id: 'resolved',
    name: 'Resolved',
    none: 'No issues resolved in this release.',
  },
] as const satisfies readonly {
  readonly id: ReleaseIssueKind
  readonly name: string
  readonly none: string
}[]

/** New, regressed or resolved issues of the release; which of them is in the address. */
export function ReleaseIssueList({ org, project, version, kind, counts, issues }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const kept = usePaths()
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  return (
    <>
      <div className="release-bar">
        <nav className="segmented" aria-label="Issue filter">
          {KINDS.map(({ id, name }) => (
            <Link
              key={id}
              to={pathname + withReleaseParams(params, { issues: id === 'new' ? undefined : id })}
              prefetch="intent"
              preventScrollReset
              aria-current={id === kind ? 'true' : undefined}
            >
              {name} <span className="num">{counts[id]}</span>
            </Link>
          ))}
        </nav>
        <Link to={kept.issues(org, project, { query: searchTerm('release', version) })}>
          All issues in this release
        </Link>
      </div>
      {issues.length === 0 ? (
        <p className="muted">{KINDS.find(({ id }) => id === kind)?.none}</p>
      ) : (
        <div className="perf-scroll" role="region" aria-label="Issues of the release" tabIndex={0}>
          <table ref={table} className="perf-table release-issues">
            <thead>
              <tr>
                <th scope="col">Issue</th>
                <th scope="col" className="col-num">
                  Events (this release)
                </th>
                <th scope="col" className="col-num">
                  Users (this release)
                </th>
                <th scope="col" className="col-num">
                  Events (total)
                </th>
                <th scope="col" className="col-num">
                  Last seen
                </th>
              </tr>
            </thead>
            <tbody>
              {issues.map((issue) => (
                <IssueLine key={issue.shortId} to={kept.issue(org, project, issue.shortId)} issue={issue} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {issues.length > 0 && issues.length < counts[kind] && (
        <p className="muted">Top issues by events ({counts[kind]} total)</p>
      )}
    </>
  )
}

function IssueLine({ to, issue }: { readonly to: string; readonly issue: ReleaseIssue }) {
  const { name, rest } = titleParts(issue)
  return (
    <tr className={levelClass(issue.level)}>
      <th scope="row" className="perf-name">
        <Link to={to} prefetch="intent" title={titleOf(issue.title)}>
          <bdi>{name}</bdi>
        </Link>{' '}
        {rest !== '' && <UserText className="release-issue-rest" text={rest} />}
        <span className="release-issue-meta">
          <Level level={issue.level} /> <span className="issue-id">{issue.shortId}</span>{' '}
          <IssueBadges issue={issue} />
        </span>
      </th>
      <td className="col-num">
        <Count value={issue.eventsHere} noun="event" />
      </td>
      <td className="col-num">
        <Count value={issue.usersHere} noun="user" />
      </td>
      <td className="col-num">
        <Count value={issue.eventCount} noun="event" />
      </td>
      <td className="col-num">
        <Age atMs={issue.lastSeenMs} />
      </td>
    </tr>
  )
}
