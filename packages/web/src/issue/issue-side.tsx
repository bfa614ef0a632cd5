import type { IssueDetail } from '@sonde/queries'
import { Count } from '../ui/count.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { Ago } from '../ui/time.tsx'
import { UserText } from '../ui/user-text.tsx'
import { TagShares } from './tag-shares.tsx'

/** What is true of the whole issue, whichever of its events is shown. */
export function IssueSide({ org, issue }: { readonly org: string; readonly issue: IssueDetail }) {
  const { bars24h, bars14d } = issue
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
      </dl>
      <figure className="side-chart">
        <figcaption>Last 24 hours</figcaption>
        <Sparkline counts={bars24h.counts} period="24 hours" step="hour" height={36} />
      </figure>
      <figure className="side-chart side-chart-long">
        <figcaption>Last 14 days</figcaption>
        <Sparkline counts={bars14d.counts} period="14 days" step="day" height={36} />
      </figure>
      <dl className="side-facts">
        <Seen label="First seen" atMs={issue.firstSeenMs} release={issue.firstRelease} />
        <Seen label="Last seen" atMs={issue.lastSeenMs} release={issue.lastRelease} />
        {issue.keptCount < issue.eventCount && (
          <div>
            <dt>Kept</dt>
            <dd>
              <Count value={issue.keptCount} noun="event" /> still stored
            </dd>
          </div>
        )}
      </dl>
      <TagShares org={org} project={issue.project.slug} tags={issue.tags} />
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
            in <UserText text={release} />
          </span>
        )}
      </dd>
    </div>
  )
}
