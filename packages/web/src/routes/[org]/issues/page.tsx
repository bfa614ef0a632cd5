import '../../../parts/issue-list/issues.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { IssueListScreen } from '../../../parts/issue-list/issue-list-screen.tsx'
import { paths } from '../../../paths.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Issues · ${(data as { orgName: string }).orgName} · Sonde`
}

/** Every issue of the organisation, whatever project it is in. */
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
    <EmptyState title={projectCount === 0 ? 'No project yet' : 'No event yet'}>
      <p>
        {projectCount === 0
          ? 'A project is one application that sends its errors here.'
          : 'None of the projects has received an event. Each has a DSN to paste into its application.'}
      </p>
      <p>
        <Link to={paths.org(org)}>
          {projectCount === 0 ? 'Make the first project' : 'Go to the projects'}
        </Link>
      </p>
    </EmptyState>
  )
}
