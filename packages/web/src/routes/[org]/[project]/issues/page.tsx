import '../../../../parts/issue-list/issues.css'
import '../../../../parts/issue/triage.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { UndoNotice } from '../../../../parts/deleted/undo-notice.tsx'
import { IssueListScreen } from '../../../../parts/issue-list/issue-list-screen.tsx'
import { WaitingForEvents } from '../../../../parts/setup/waiting-for-events.tsx'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { Ago } from '../../../../ui/time.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Issues · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Issues() {
  const data = usePageData<typeof load>()
  const { org, project: slug } = useParams<'org' | 'project'>()
  const { project, page } = data
  const place = { org, project: slug }
  // Of a project whose first event is ever so young the page may have the issue before the project knows.
  if (project.isWaiting && (page?.rows.length ?? 0) === 0) {
    return (
      <WaitingForEvents platform={project.platform} dsn={data.dsn} mayTest={data.mayChange} place={place} />
    )
  }
  return (
    <IssueListScreen
      {...data}
      place={place}
      heading={`Issues of ${project.name}`}
      notice={
        <>
          <UndoNotice listPath={paths.recentlyDeleted(org)} text="Deleted." />
          <HeldIssues org={org} project={slug} held={data.held} />
        </>
      }
    />
  )
}

type HeldIssuesProps = {
  readonly org: string
  readonly project: string
  readonly held: { readonly quantity: number; readonly lastMs?: number | undefined }
}

/** Says that the list is not all that broke: a minute makes only so many new issues. */
function HeldIssues({ org, project, held: { quantity, lastMs } }: HeldIssuesProps) {
  if (quantity === 0 || lastMs === undefined) return null
  return (
    <p className="held-issues" role="note">
      <Count value={quantity} noun="event" /> {quantity === 1 ? 'event' : 'events'} of the last 24 hours{' '}
      {quantity === 1 ? 'is' : 'are'} in no issue, the last <Ago atMs={lastMs} />: more issues were new than{' '}
      <Link to={`${paths.projectSettings(org, project)}#limit`}>a minute makes</Link>.
    </p>
  )
}
