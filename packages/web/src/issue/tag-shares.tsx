import type { TagSummary } from '@sonde/queries'
import { Link } from '@sonde/router'
import { formatShare } from '../format/format-count.ts'
import { paths } from '../paths.ts'
import { titleOf } from '../ui/user-text.tsx'
import { searchTerm } from './search-term.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly tags: readonly TagSummary[]
}

/** Which values the tags of the newest events have, most frequent first: "all of it on Safari". */
export function TagShares({ org, project, tags }: Props) {
  if (tags.length === 0) return null
  return (
    <div className="tag-shares">
      <h2>Tags across events</h2>
      {tags.map(({ key, total, distinct, values }) => (
        <div key={key} className="tag-share">
          <h3>
            <bdi title={titleOf(key)}>{key}</bdi>
            {distinct > values.length && <span className="muted"> {distinct} values</span>}
          </h3>
          <ul>
            {values.map(({ value, count }) => (
              <li key={value}>
                <Link
                  to={paths.issues(org, project, {
                    query: `is:unresolved ${searchTerm(key, value)}`,
                  })}
                  prefetch="none"
                  title={`${titleOf(value)}: issues with it`}
                >
                  <bdi>{value}</bdi>
                </Link>
                <span className="num">{formatShare(count, total)}</span>
                <svg viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" className="share-bar">
                  <rect className="share-all" width="100" height="2" />
                  <rect width={Math.max(1, (count / total) * 100)} height="2" />
                </svg>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
