import type { Pair } from '@sonde/protocol/event'
import { Link } from '@sonde/router'
import { searchTerm } from '../issue/search-term.ts'
import { paths } from '../paths.ts'
import { Section } from '../ui/section.tsx'
import { titleOf } from '../ui/user-text.tsx'

type Props = { readonly tags: readonly Pair[]; readonly org: string; readonly project: string }

/** This event's tags; a press lists the issues that have the same. */
export function TagsSection({ tags, org, project }: Props) {
  return (
    <Section id="tags" title="Tags">
      <ul className="tag-list">
        {tags.slice(0, 200).map(([key, value], index) => (
          <li key={index}>
            <Link
              className="tag"
              to={paths.issues(org, project, { query: `is:unresolved ${searchTerm(key, value)}` })}
              prefetch="none"
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
