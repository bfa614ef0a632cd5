import '../../../parts/performance/performance.css'
import '../../../parts/explore/explore.css'
import { useActionData, usePageData, useParams } from '@sonde/router'
import type { action, load } from './page.server.ts'
import { SqlScreen } from './sql-screen.tsx'

export const title = (): string => 'SQL · Sonde'

export default function Sql() {
  return (
    <SqlScreen {...useParams<'org'>()} {...usePageData<typeof load>()} {...useActionData<typeof action>()} />
  )
}
