import type { Pair } from '@sonde/protocol/event'
import { Link } from '@sonde/router'
import type { IssueLinks } from '../issue/issue-links.ts'
import { Section } from '../../ui/section.tsx'
import { titleOf } from '../../ui/user-text.tsx'

type Props = { readonly tags: readonly Pair[]; readonly links: IssueLinks }

/** This event's tags; a press leaves the issue's events that have the same. */
export function TagsSection({ tags, links }: Props) {
  return (
    <Section id="tags" title="Tags">
      <ul className="tag-list">
        {tags.slice(0, 200).map(([key, value], index) => (
          <li key={index}>
            <Link
              className="tag"
              to={links.withTag(key, value)}
              prefetch="none"
              aria-current={links.hasTag(key, value) || undefined}
              title={`${titleOf(key)}: ${titleOf(value)}`}
            >
              <bdi className="tag-key">{key}</bdi>
              <bdi className="tag-value">{value === '' ? '""' : value}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
