import '../../../../charts/charts.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/performance/transactions.css'
import { usePageData, useParams } from '@sonde/router'
import { TransactionListScreen } from './transaction-list-screen.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Performance · Sonde'

export default function Performance() {
  const data = usePageData<typeof load>()
  return <TransactionListScreen {...useParams<'org' | 'project'>()} {...data} />
}
