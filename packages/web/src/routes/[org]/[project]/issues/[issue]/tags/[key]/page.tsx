import '../../issue.css'
import { type DataOf, usePageData, useParams } from '@sonde/router'
import { issueLinks } from '../../../../../../../parts/issue/issue-links.ts'
import { IssueTrail } from '../../issue-trail.tsx'
import { TagValues } from './tag-values.tsx'
import { titleOf } from '../../../../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export const title = ({ issue, page }: DataOf<typeof load>): string =>
  `${titleOf(page.key)} · ${issue.shortId} · Sonde`

export default function IssueTag() {
  const { issue, page, filter, contains } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const links = issueLinks(org, issue.project, issue.shortId, { ...filter, range: filter.range ?? undefined })
  return (
    <div className="page page-wide">
      <IssueTrail issue={issue} links={links} />
      <h1>
        <bdi>{page.key}</bdi>
      </h1>
      <TagValues page={page} contains={contains} links={links} />
    </div>
  )
}
