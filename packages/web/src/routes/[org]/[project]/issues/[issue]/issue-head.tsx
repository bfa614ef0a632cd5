import type { IssueDetail } from '@sonde/queries'
import { IssueBadges } from '../../../../../parts/issue/issue-badges.tsx'
import { titleParts } from '../../../../../parts/issue/title-parts.ts'
import { Level, levelClass } from '../../../../../ui/level.tsx'
import { LongText } from '../../../../../ui/long-text.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { IssueActions } from './issue-actions.tsx'
import { IssueNotice } from './issue-notice.tsx'
import { ResolveMenu } from './resolve-menu.tsx'

export function IssueHead({
  issue,
  latestRelease,
  mayChange,
}: {
  readonly issue: IssueDetail
  readonly latestRelease: string | undefined
  readonly mayChange: boolean
}) {
  const { name, rest } = titleParts(issue)
  return (
    <header className={`issue-head ${levelClass(issue.level)}`}>
      <div className="issue-head-text">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {rest !== '' && (
          <p className="issue-value">
            <LongText text={rest} max={400} />
          </p>
        )}
        <p className="issue-meta">
          <Level level={issue.level} />
          <span className="issue-id">{issue.shortId}</span>
          <IssueBadges issue={issue} />
          {issue.status === 'resolved' && issue.resolvedIn !== '' && (
            <span>
              {issue.resolvedIn === 'release' ? 'in ' : 'in the release after '}
              <ReleaseLink release={issue.resolvedRelease} />
            </span>
          )}
          {issue.culprit !== '' && <UserText className="culprit" text={issue.culprit} />}
        </p>
      </div>
      {mayChange && (
        <div className="issue-changes">
          <IssueActions status={issue.status} />
          {issue.status !== 'resolved' && latestRelease !== undefined && (
            <ResolveMenu release={latestRelease} />
          )}
          <IssueNotice shortId={issue.shortId} />
        </div>
      )}
    </header>
  )
}
