import { usePageData, useParams } from '@sonde/router'
import { CompareScreen } from './compare-screen.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Compare releases · Sonde'

export default function Compare() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return <CompareScreen org={org} project={project} {...data} />
}
