import '../../../../parts/issue-list/issues.css'
import { usePageData, useParams } from '@sonde/router'
import { HeldIssues } from './held-issues.tsx'
import { IssueListScreen } from '../../../../parts/issue-list/issue-list-screen.tsx'
import { WaitingForEvents } from './waiting-for-events.tsx'
import { useLive } from '../../../../parts/issue-list/use-live.ts'
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
    return <Waiting platform={project.platform} dsn={data.dsn} mayTest={data.mayChange} place={place} />
  }
  return (
    <IssueListScreen
      {...data}
      place={place}
      heading={`Issues of ${project.name}`}
      notice={<HeldIssues org={org} project={slug} held={data.held} />}
    />
  )
}

function Waiting({
  place,
  ...rest
}: Parameters<typeof WaitingForEvents>[0] & { readonly place: { org: string; project: string } }) {
  useLive(place, true)
  return <WaitingForEvents {...rest} />
}
