import '../../../styles/status.css'
import { usePageData, useSearchParams } from '@sonde/router'

import { DeadLetters } from '../../../status/dead-letters.tsx'
import { DiskUse } from '../../../status/disk-use.tsx'
import { Outcomes } from '../../../status/outcomes.tsx'
import { PartList } from '../../../status/part-list.tsx'
import { StateBadge } from '../../../status/state-badge.tsx'
import { useRefresh } from '../../../status/use-refresh.ts'
import { Waiting } from '../../../status/waiting.tsx'
import { Ago } from '../../../ui/time.tsx'
import type { load } from './page.server.ts'

const REFRESH_MS = 5_000

export function title() {
  return 'Status · Sonde'
}

export default function Status() {
  const { status, outcomes, period } = usePageData<typeof load>()
  const [params] = useSearchParams()
  useRefresh(REFRESH_MS)
  return (
    <div className="page status-page">
      <div className="page-head">
        <h1>Status of this Sonde</h1>
        <p className="status-line">
          <StateBadge state={status.state} />
          <span className="muted">
            version {status.version}, started <Ago atMs={status.startedMs} />
          </span>
        </p>
      </div>
      <Waiting log={status.log} deadCount={status.deadCount} />
      <PartList parts={status.parts} residentBytes={status.residentBytes} />
      <Outcomes outcomes={outcomes} period={period} />
      <DiskUse disk={status.disk} />
      <DeadLetters
        dead={status.dead}
        deadCount={status.deadCount}
        replayed={params.get('replayed')}
        failed={params.get('failed')}
      />
    </div>
  )
}
