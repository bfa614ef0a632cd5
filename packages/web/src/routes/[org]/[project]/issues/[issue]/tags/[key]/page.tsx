import '../../issue.css'
import { type DataOf, usePageData, useParams } from '@sonde/router'
import { issueLinks } from '../../../../../../../parts/issue/issue-links.ts'
import { titleOf } from '../../../../../../../ui/user-text.tsx'
import { IssueTrail } from '../../issue-trail.tsx'
import type { load } from './page.server.ts'
import { TagValues } from './tag-values.tsx'

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
