import '../../../parts/issue-list/issues.css'
import '../../../parts/issue/triage.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { IssueListScreen } from '../../../parts/issue-list/issue-list-screen.tsx'
import { paths } from '../../../paths.ts'
import { EmptyState } from '../../../ui/section.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Issues · ${(data as { orgName: string }).orgName} · Sonde`
}

/** Every issue of the organization, whatever project it is in. */
export default function OrganizationIssues() {
  const data = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const { orgName, hasEvents } = data
  return (
    <IssueListScreen
      {...data}
      place={{ org, project: undefined }}
      heading={`Issues of ${orgName}`}
      whenFresh={hasEvents ? undefined : <NothingYet {...data} org={org} />}
    />
  )
}

type NothingYetProps = {
  readonly org: string
  readonly projectCount: number
  readonly isLimited: boolean
  readonly mayCreate: boolean
}

function NothingYet({ org, projectCount, isLimited, mayCreate }: NothingYetProps) {
  if (projectCount > 0)
    return (
      <EmptyState title="No events yet">
        <p>Add a project’s DSN to your app to start receiving events.</p>
        <p>
          <Link to={paths.org(org)}>View projects</Link>
        </p>
      </EmptyState>
    )
  if (isLimited)
    return (
      <EmptyState title="None of your teams has a project">
        <p>You see the issues of your teams’ projects. Ask an owner or admin to add you to a team.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="No projects yet">
      <p>A project is one application that sends events to Sonde.</p>
      <p>
        {mayCreate ? (
          <Link to={paths.org(org)}>Create a project</Link>
        ) : (
          'Ask an owner or admin to create one.'
        )}
      </p>
    </EmptyState>
  )
}
