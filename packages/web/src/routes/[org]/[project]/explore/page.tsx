import '../../../../charts/charts.css'
import '../../../../parts/issue-list/issues.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/explore/explore.css'
import { usePageData, useParams } from '@sonde/router'
import { ExploreScreen } from '../../../../parts/explore/explore-screen.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Explore · Sonde'

export default function Explore() {
  return <ExploreScreen {...useParams<'org' | 'project'>()} {...usePageData<typeof load>()} />
}
