import type { IssueDetail, SuspectCommits } from '@sonde/queries'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { Count } from '../../../../../ui/count.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import type { IssueLinks } from '../../../../../parts/issue/issue-links.ts'
import { IssueSpeed } from './issue-speed.tsx'
import { SimilarIssues, type SimilarRow } from './similar-issues.tsx'
import { SuspectList } from './suspect-list.tsx'
import { TagShares } from './tag-shares.tsx'

type Props = {
  readonly org: string
  readonly issue: IssueDetail
  readonly links: IssueLinks
  readonly suspects: SuspectCommits | undefined
  readonly similar: readonly SimilarRow[]
}

/** What is true of the whole issue, whichever of its events is shown. */
export function IssueSide({ org, issue, links, suspects, similar }: Props) {
  const last24h = issue.bars24h.counts.reduce((sum, count) => sum + count, 0)
  return (
    <aside className="issue-side" aria-label="About the issue">
      <dl className="figures">
        <div className="figure">
          <dt>Events</dt>
          <dd>
            <Count value={issue.eventCount} noun="event" />
          </dd>
        </div>
        <div className="figure">
          <dt>Users</dt>
          <dd>
            <Count value={issue.userCount} noun="user" />
          </dd>
        </div>
        <div className="figure">
          <dt>Last 24 h</dt>
          <dd>
            <Count value={last24h} noun="event" />
          </dd>
        </div>
      </dl>
      <dl className="side-facts">
        <Seen label="First seen" atMs={issue.firstSeenMs} release={issue.firstRelease} />
        <Seen label="Last seen" atMs={issue.lastSeenMs} release={issue.lastRelease} />
        {issue.keptCount < issue.eventCount && (
          <div>
            <dt>Stored events</dt>
            <dd>
              <Count value={issue.keptCount} noun="event" /> still stored
            </dd>
          </div>
        )}
      </dl>
      {suspects && suspects.commits.length > 0 && <SuspectList {...suspects} />}
      <TagShares tags={issue.tags} links={links} />
      <SimilarIssues org={org} project={issue.project.slug} similar={similar} />
      <IssueSpeed url={links.speed()} />
    </aside>
  )
}

function Seen({ label, atMs, release }: { label: string; atMs: number; release: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Ago atMs={atMs} />
        {release !== '' && (
          <span className="side-release">
            in <ReleaseLink release={release} />
          </span>
        )}
      </dd>
    </div>
  )
}
