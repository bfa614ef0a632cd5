import { type DataOf, usePageData, useParams } from '@sonde/router'
import type { load } from './page.server.ts'

export default function Issue() {
  const { tab } = usePageData<typeof load>()
  const { org, project, issue } = useParams<'org' | 'project' | 'issue'>()
  return (
    <main>
      <h1>
        Issue {issue} of {org}/{project}
      </h1>
      <p id="tab">{tab}</p>
    </main>
  )
}

export function title(data: DataOf<typeof load>) {
  return `Issue ${data.issue}`
}
