import '../../../../../charts/charts.css'
import '../../../../../parts/performance/performance.css'
import '../../../../../parts/performance/transactions.css'
import { type DataOf, usePageData, useParams } from '@sonde/router'
import { TransactionScreen } from './transaction-screen.tsx'
import type { load } from './page.server.ts'

export const title = ({ name }: DataOf<typeof load>): string => `${name} · Performance · Sonde`

export default function Transaction() {
  const data = usePageData<typeof load>()
  return <TransactionScreen {...useParams<'org' | 'project'>()} {...data} />
}
