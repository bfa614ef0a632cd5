import '../../../styles/charts.css'
import '../../../styles/issues.css'
import '../../../styles/performance.css'
import '../../../styles/explore.css'
import { usePageData, useParams } from '@sonde/router'
import { ExploreScreen } from '../../../explore/explore-screen.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Explore · Sonde'

export default function Explore() {
  return <ExploreScreen {...useParams<'org'>()} project={undefined} {...usePageData<typeof load>()} />
}
