import '../../../styles/performance.css'
import '../../../styles/explore.css'
import { usePageData, useParams } from '@sonde/router'
import { SqlScreen } from '../../../explore/sql-screen.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'SQL · Sonde'

export default function Sql() {
  return <SqlScreen {...useParams<'org'>()} {...usePageData<typeof load>()} />
}
