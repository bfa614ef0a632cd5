import { Link } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { titleOf } from '../../../../../ui/user-text.tsx'

export type SimilarRow = {
  readonly shortId: string
  readonly title: string
  readonly status: string
  readonly eventCount: number
  readonly lastSeenMs: number
  /** `same type and similar message`. */
  readonly reason: string
}

type Props = { readonly org: string; readonly project: string; readonly similar: readonly SimilarRow[] }

/** Other issues of the project that look alike, and what is alike in them. */
export function SimilarIssues({ org, project, similar }: Props) {
  const paths = usePaths()
  if (similar.length === 0) return null
  return (
    <div className="similar">
      <h2>Similar issues</h2>
      <ul>
        {similar.map(({ shortId, title, status, eventCount, lastSeenMs, reason }) => (
          <li key={shortId}>
            <Link to={paths.issue(org, project, shortId)} prefetch="intent" title={titleOf(title)}>
              <bdi>{title}</bdi>
            </Link>
            <span className="muted">
              {shortId} · {countOf(eventCount, 'event')} · <Ago atMs={lastSeenMs} />
            </span>{' '}
            {status !== 'unresolved' && <Badge>{status}</Badge>}
            {reason !== '' && <p className="muted">{reason}</p>}
          </li>
        ))}
      </ul>
    </div>
  )
}
