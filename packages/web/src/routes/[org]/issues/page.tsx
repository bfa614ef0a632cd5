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
  const { orgName, projectCount, hasEvents } = data
  return (
    <IssueListScreen
      {...data}
      place={{ org, project: undefined }}
      heading={`Issues of ${orgName}`}
      whenFresh={hasEvents ? undefined : <NothingYet org={org} projectCount={projectCount} />}
    />
  )
}

function NothingYet({ org, projectCount }: { readonly org: string; readonly projectCount: number }) {
  return (
    <EmptyState title={projectCount === 0 ? 'No projects yet' : 'No events yet'}>
      <p>
        {projectCount === 0
          ? 'A project is one application that sends events to Sonde.'
          : 'Add a project’s DSN to your app to start receiving events.'}
      </p>
      <p>
        <Link to={paths.org(org)}>{projectCount === 0 ? 'Create a project' : 'View projects'}</Link>
      </p>
    </EmptyState>
  )
}
