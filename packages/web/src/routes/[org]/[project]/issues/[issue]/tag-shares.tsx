import type { TagSummary } from '@sonde/queries'
import { Link } from '@sonde/router'
import { countOf, formatShare } from '../../../../../format/format-count.ts'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { titleOf } from '../../../../../ui/user-text.tsx'
import type { IssueLinks } from '../../../../../parts/issue/issue-links.ts'
import { ShareBar } from '../../../../../parts/share-bar.tsx'

type Props = { readonly tags: readonly TagSummary[]; readonly links: IssueLinks }

/** As many are read at a glance. */
const FIRST_SHOWN = 10

/** Tags whose values differ tell events apart, so they come first; what is the same everywhere comes last. */
function rankTags(tags: readonly TagSummary[]): readonly TagSummary[] {
  const rank = ({ distinct }: TagSummary): number => (distinct > 1 ? 0 : 1)
  return tags.toSorted((a, b) => rank(a) - rank(b) || b.total - a.total)
}

/** Which values the tags of the newest events have, most frequent first: "all of it on Safari". A press filters. */
export function TagShares({ tags, links }: Props) {
  if (tags.length === 0) return null
  const ranked = rankTags(tags)
  const rest = ranked.slice(FIRST_SHOWN)
  return (
    <div className="tag-shares">
      <h2>Tags across events</h2>
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
              title={`${titleOf(value)}: ${links.hasTag(key, value) ? 'also the other events' : 'only its events'}`}
            >
              <bdi>{value}</bdi>
            </Link>
            {key === 'release' && <ReleaseLink release={value}>about it</ReleaseLink>}
            <span className="num">{formatShare(count, total)}</span>
            <ShareBar part={count} whole={total} />
          </li>
        ))}
      </ul>
    </div>
  )
}
