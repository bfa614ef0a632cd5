import type { IssueDetail } from '@sonde/queries'
import { IssueBadges } from '../issues/issue-badges.tsx'
import { titleParts } from '../issues/title-parts.ts'
import { Level, levelClass } from '../ui/level.tsx'
import { LongText } from '../ui/long-text.tsx'
import { UserText } from '../ui/user-text.tsx'
import { IssueActions } from './issue-actions.tsx'

export function IssueHead({
  issue,
  mayChange,
}: {
  readonly issue: IssueDetail
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
          {issue.culprit !== '' && <UserText className="culprit" text={issue.culprit} />}
        </p>
      </div>
      {mayChange && <IssueActions status={issue.status} shortId={issue.shortId} />}
    </header>
  )
}
