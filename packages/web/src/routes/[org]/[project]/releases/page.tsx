import { usePageData, useParams } from '@sonde/router'
import { ReleaseListScreen } from './release-list-screen.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Releases · Sonde'

export default function Releases() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return <ReleaseListScreen org={org} project={project} {...data} />
}
