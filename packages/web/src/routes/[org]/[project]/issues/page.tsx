import '../../../../styles/issues.css'
import { usePageData, useParams } from '@sonde/router'
import { IssueFilters } from '../../../../issues/issue-filters.tsx'
import { IssueTable } from '../../../../issues/issue-table.tsx'
import { NothingMatches } from '../../../../issues/nothing-matches.tsx'
import { ListPages } from '../../../../issues/list-pages.tsx'
import { useLiveRefresh } from '../../../../issues/use-live-refresh.ts'
import { WaitingForEvents } from '../../../../issues/waiting-for-events.tsx'
import type { load } from './page.server.ts'

const REFRESH_MS = 2_000
/** Somebody is looking at it and pressing reload. */
const WAITING_REFRESH_MS = 1_000

export function title(data: unknown) {
  return `Issues · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Issues() {
  const { project, page, refusal, search, dsn } = usePageData<typeof load>()
  const { org, project: slug } = useParams<'org' | 'project'>()
  const isWaiting = project.isWaiting && (page?.rows.length ?? 0) === 0
  useLiveRefresh(isWaiting ? WAITING_REFRESH_MS : REFRESH_MS, search.cursor === undefined)
  if (isWaiting) return <WaitingForEvents platform={project.platform} dsn={dsn} />
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Issues of {project.name}</h1>
      <IssueFilters org={org} project={slug} search={search} refusal={refusal} />
      {page && page.rows.length > 0 && (
        <>
          <IssueTable org={org} rows={page.rows} search={search} project={slug} />
          <ListPages org={org} project={slug} search={search} page={page} />
        </>
      )}
      {page?.rows.length === 0 && <NothingMatches org={org} project={slug} search={search} />}
    </div>
  )
}
