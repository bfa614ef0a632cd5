import '../../../parts/figures/status.css'
import { usePageData, useSearchParams } from '@sonde/router'

import { DeadLetters, type DeadResult } from './dead-letters.tsx'
import { DiskUse } from './disk-use.tsx'
import { Outcomes } from './outcomes.tsx'
import { SelfReport } from './self-report.tsx'
import { ProcessList } from './process-list.tsx'
import { PartList } from './part-list.tsx'
import { StateBadge } from './state-badge.tsx'
import { useRefresh } from './use-refresh.ts'
import { Waiting } from './waiting.tsx'
import { Ago } from '../../../ui/time.tsx'
import type { load } from './page.server.ts'

const REFRESH_MS = 5_000

export function title() {
  return 'Status · Sonde'
}

export default function Status() {
  const { status, dead, period, selfReport } = usePageData<typeof load>()
  const [params] = useSearchParams()
  useRefresh(REFRESH_MS)
  return (
    <div className="page status-page">
      <div className="page-head">
        <h1>System status</h1>
        <p className="status-line">
          <StateBadge state={status.state} />
          <span className="muted">
            version {status.version} on {status.runtime}, checked <Ago atMs={status.atMs} />
          </span>
        </p>
      </div>
      <Waiting status={status} />
      <PartList parts={status.parts} />
      <ProcessList processes={status.processes} />
      <Outcomes outcomes={status.outcomes} period={period} />
      <DiskUse disk={status.disk} />
      <SelfReport state={selfReport} />
      <DeadLetters dead={dead} deadCount={status.deadLetters.waiting} result={resultOf(params)} />
    </div>
  )
}

/** What the last decision did; a hand-written address says nothing. */
function resultOf(params: URLSearchParams): DeadResult | undefined {
  const change = params.get('change')
  const [done, failed] = [Number(params.get('done')), Number(params.get('failed'))]
  const isRight = Number.isSafeInteger(done) && Number.isSafeInteger(failed)
  return change !== null && isRight ? { change, done, failed } : undefined
}
