import type { IssueDetail, MovingEvents, SuspectCommits, TagSummary } from '@sonde/queries'
import { Link } from '@sonde/router'
import { lazy, Suspense } from 'react'
import { countOf, formatExact, formatShare } from '../../../../../format/format-count.ts'
import type { IssueLinks } from '../../../../../parts/issue/issue-links.ts'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { ShareBar } from '../../../../../parts/split-bar.tsx'
import { useJson } from '../../../../../shell/use-json.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { Count } from '../../../../../ui/count.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { titleOf } from '../../../../../ui/user-text.tsx'
import { ActivityPanel, type ShownActivity } from './issue-activity.tsx'
import type { IssueSpeed as Speed } from './issue-speed-text.ts'
import { LinkedIssues, type LinkedIssuesProps } from './linked-issues.tsx'
import { Owners, type ShownOwner } from './owners.tsx'
import { SeenByList, type SeenByProps } from './seen-by.tsx'

type TagSharesProps = { readonly tags: readonly TagSummary[]; readonly links: IssueLinks }

/** As many are read at a glance. */
const FIRST_SHOWN = 10

/** Tags whose values differ tell events apart, so they come first; what is the same everywhere comes last. */
function rankTags(tags: readonly TagSummary[]): readonly TagSummary[] {
  const rank = ({ distinct }: TagSummary): number => (distinct > 1 ? 0 : 1)
  return tags.toSorted((a, b) => rank(a) - rank(b) || b.total - a.total)
}

/** Which values the tags of the newest events have, most frequent first: "all of it on Safari". A press filters. */
function TagShares({ tags, links }: TagSharesProps) {
  if (tags.length === 0) return null
  const ranked = rankTags(tags)
  const rest = ranked.slice(FIRST_SHOWN)
  return (
    <div className="tag-shares">
      <h2>Tags</h2>
      {ranked.slice(0, FIRST_SHOWN).map((tag) => (
        <TagShare key={tag.key} tag={tag} links={links} />
      ))}
      {rest.length > 0 && (
        <details className="fold tag-rest">
          <summary>{countOf(rest.length, 'more tag')}</summary>
          {rest.map((tag) => (
            <TagShare key={tag.key} tag={tag} links={links} />
          ))}
        </details>
      )}
    </div>
  )
}

function TagShare({ tag, links }: { readonly tag: TagSummary; readonly links: IssueLinks }) {
  const { key, total, distinct, values } = tag
  return (
    <div className="tag-share">
      <h3>
        <Link to={links.tag(key)} prefetch="intent" title={`All values of ${titleOf(key)}`}>
          <bdi>{key}</bdi>
        </Link>
        {distinct > values.length && <span className="muted"> {distinct} values</span>}
      </h3>
      <ul>
        {values.map(({ value, count }) => (
          <li key={value}>
            <Link
              to={links.withTag(key, value)}
              prefetch="none"
              preventScrollReset
              aria-current={links.hasTag(key, value) || undefined}
              title={`${links.hasTag(key, value) ? 'Remove filter' : 'Filter by this value'}: ${titleOf(value)}`}
            >
              <bdi>{value}</bdi>
            </Link>
            {key === 'release' && <ReleaseLink release={value}>View release</ReleaseLink>}
            <span className="num">{formatShare(count, total)}</span>
            <ShareBar part={count} whole={total} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** With the answer, not with the page: most issues have none to show. Without its code the rest of the page stays. */
const ShownSpeed = lazy(() => import('./shown-speed.tsx').catch(() => ({ default: () => null })))

/** Fetched when the issue is shown: whether those who had this error waited longer. Nothing where nothing is known. */
function IssueSpeed({ url }: { readonly url: string }) {
  const { data, state } = useJson<Speed>(url)
  if (state !== 'done' || data === undefined) return null
  return (
    <Suspense fallback={null}>
      <ShownSpeed speed={data} />
    </Suspense>
  )
}

type Props = {
  readonly org: string
  readonly issue: IssueDetail
  readonly links: IssueLinks
  readonly owners: readonly ShownOwner[]
  readonly suspects: SuspectCommits | undefined
  readonly similar: readonly SimilarRow[]
  readonly activity: ShownActivity
  readonly linked: LinkedIssuesProps
  readonly moving: MovingEvents | undefined
  readonly seenBy: SeenByProps
}

/** What is true of the whole issue, whichever of its events is shown. */
export function IssueSide({
  org,
  issue,
  links,
  owners,
  suspects,
  similar,
  activity,
  linked,
  moving,
  seenBy,
}: Props) {
  const last24h = issue.bars24h.counts.reduce((sum, count) => sum + count, 0)
  const noisePath = usePaths().noise(org, issue.project.slug)
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
          <dt>Last 24h</dt>
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
            <dt>Stored in full</dt>
            <dd>
              <Count value={issue.keptCount} noun="event" /> of {formatExact(issue.eventCount)}
              {issue.thinnedCount > 0 && (
                <>
                  {': '}
                  <Link to={noisePath}>the first of each day and a sample</Link>
                </>
              )}
            </dd>
          </div>
        )}
      </dl>
      <SeenByList {...seenBy} />
      <Owners owners={owners} />
      <IssueParts org={org} issue={issue} moving={moving} />
      {suspects && suspects.commits.length > 0 && <SuspectList {...suspects} />}
      <LinkedIssues {...linked} />
      <ActivityPanel shortId={issue.shortId} activity={activity} />
      <TagShares tags={issue.tags} links={links} />
      <SimilarIssues org={org} project={issue.project.slug} similar={similar} id={issue.id} />
      <IssueSpeed url={links.speed()} />
    </aside>
  )
}

/** The ways to what the issue consists of, and how far its events have followed. */
function IssueParts({ org, issue, moving }: Pick<Props, 'org' | 'issue' | 'moving'>) {
  const paths = usePaths()
  const { shortId, project } = issue
  return (
    <p className="issue-parts">
      {moving && (
        <span role="status">
          Moving events: {formatExact(moving.moved)} of {formatExact(moving.total)}
        </span>
      )}
      <Link to={paths.issueParts(org, project.slug, shortId)}>Fingerprints and merged issues</Link>
      <Link to={paths.issueShare(org, project.slug, shortId)}>Share</Link>
    </p>
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

/** What was changed in a file on the stack, in the release that brought the issue. */
function SuspectList({ release, commits }: SuspectCommits) {
  return (
    <div className="suspects">
      <h2>Suspect commits</h2>
      <ul>
        {commits.map(({ sha, authorName, authorEmail, message, atMs, path, function: name, line, url }) => (
          <li key={sha}>
            <bdi title={titleOf(message)}>{message.split('\n')[0] || 'No commit message'}</bdi>
            <span className="muted">
              <bdi title={authorEmail}>{authorName || authorEmail || 'Unknown author'}</bdi>{' '}
              <Ago atMs={atMs} />,{' '}
              {url === undefined ? (
                <code title={sha}>{sha.slice(0, 8)}</code>
              ) : (
                <a href={url} rel="noreferrer noopener">
                  <code title={sha}>{sha.slice(0, 8)}</code>
                </a>
              )}
            </span>
            <code title={name && `${name} is in the stack trace`}>
              {path}
              {line && `:${line}`}
            </code>
          </li>
        ))}
      </ul>
      <p className="muted">
        Changed a file in the stack trace, in <ReleaseLink release={release} />
      </p>
    </div>
  )
}

type SimilarRow = {
  readonly id: number
  readonly shortId: string
  readonly title: string
  readonly status: string
  readonly eventCount: number
  readonly lastSeenMs: number
  /** `same type and similar message`. */
  readonly reason: string
}

type SimilarIssuesProps = {
  readonly org: string
  readonly project: string
  readonly similar: readonly SimilarRow[]
  readonly id: number
}

/** Other issues of the project that look alike, and what is alike in them. */
function SimilarIssues({ org, project, similar, id }: SimilarIssuesProps) {
  const paths = usePaths()
  if (similar.length === 0) return null
  return (
    <div className="similar">
      <h2>Similar issues</h2>
      <ul>
        {similar.map(({ id: other, shortId, title, status, eventCount, lastSeenMs, reason }) => (
          <li key={shortId}>
            <Link to={paths.issue(org, project, shortId)} prefetch="intent" title={titleOf(title)}>
              <bdi>{title}</bdi>
            </Link>
            <span className="muted">
              {shortId} · {countOf(eventCount, 'event')} · <Ago atMs={lastSeenMs} />
            </span>{' '}
            {status !== 'unresolved' && <Badge>{status}</Badge>}
            {reason !== '' && <p className="muted">{reason}</p>}
            <Link to={paths.mergeIssues(org, project, [id, other])} prefetch="none">
              Merge<span className="sr-only"> with {shortId}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
