import type { Grant } from '@sonde/access'
import type { OutcomeReason } from '@sonde/protocol'
import type { QueryDeps } from './query-deps.ts'

const DAY_MS = 86_400_000
type Reason = OutcomeReason<'filtered' | 'rate_limited'>

/** What the door refused within the last 24 hours for one reason. */
export type DoorRefusals = {
  readonly quantity: number
  /** The start of the minute of the last one; undefined: none. */
  readonly lastMs: number | undefined
}

export type ProjectRefusals = {
  readonly overLimit: DoorRefusals
  readonly overSpikes: DoorRefusals
  readonly overSpanCaps: DoorRefusals
  readonly foreignPages: DoorRefusals
}
type Row = { readonly reason: Reason; readonly quantity: number; readonly lastSec: number }

/** Over the project's own limit, over what projects without one may send, over its caps of spans, and from pages of foreign domains. Reads a day of `outcomes` by project and minute. */
export async function projectRefusals(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<ProjectRefusals> {
  const rows = await telemetry.query<Row>(
    `SELECT reason, sum(quantity) AS quantity, toUInt32(max(minute)) AS lastSec FROM outcomes
     WHERE project_id = {project:UInt32} AND minute >= {since:DateTime}
       AND reason IN ('project_quota', 'spike_events', 'spike_spans', 'spike_bytes', 'span_cap', 'span_burst',
         'allowed_domains')
     GROUP BY reason`,
    { project: grant.projectId, since: new Date(clock.nowMs() - DAY_MS) },
  )
  const of = (...reasons: readonly Reason[]): DoorRefusals => {
    const own = rows.filter(({ reason }) => reasons.includes(reason))
    if (own.length === 0) return { quantity: 0, lastMs: undefined }
    const quantity = own.reduce((sum, row) => sum + row.quantity, 0)
    return { quantity, lastMs: Math.max(...own.map(({ lastSec }) => lastSec)) * 1000 }
  }
  return {
    overLimit: of('project_quota'),
    overSpikes: of('spike_events', 'spike_spans', 'spike_bytes'),
    overSpanCaps: of('span_cap', 'span_burst'),
    foreignPages: of('allowed_domains'),
  }
}
