import { Link } from '@sonde/router'
import type { IssueLinks } from '../../../../../parts/issue/issue-links.ts'
import { Icon } from '../../../../../ui/icon.tsx'

type Props = {
  readonly issue: { readonly shortId: string; readonly title: string }
  readonly links: IssueLinks
}

/** Above a page about one issue: the way back to it. */
export function IssueTrail({ issue, links }: Props) {
  return (
    <p className="issue-trail">
      <Link to={links.withFilter({})} prefetch="intent">
        <Icon name="previous" /> {issue.shortId} <bdi>{issue.title}</bdi>
      </Link>
    </p>
  )
}
