import '../issue.css'
import { type DataOf, usePageData, useParams } from '@sonde/router'
import { EventTable } from './event-table.tsx'
import { EventSearch } from '../event-search.tsx'
import { issueLinks } from '../../../../../../parts/issue/issue-links.ts'
import { IssueTrail } from '../issue-trail.tsx'
import { EmptyState } from '../../../../../../ui/empty-state.tsx'
import type { load } from './page.server.ts'

export const title = ({ issue }: DataOf<typeof load>): string => `Events · ${issue.shortId} · Sonde`

export default function IssueEvents() {
  const { issue, page, filter, refusal } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const links = issueLinks(org, issue.project, issue.shortId, { ...filter, range: filter.range ?? undefined })
  return (
    <div className="page page-wide">
      <IssueTrail issue={issue} links={links} />
      <h1>Events</h1>
      <EventSearch
        action={links.list()}
        filter={links.filter}
        refusal={refusal}
        withFilter={links.listWith}
      />
      {page && page.rows.length > 0 && <EventTable page={page} links={links} />}
      {page?.rows.length === 0 && (
        <EmptyState title="No matching events">
          <p>No stored events match.</p>
        </EmptyState>
      )}
    </div>
  )
}
