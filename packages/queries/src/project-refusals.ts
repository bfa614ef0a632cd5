import type { OutcomeReason } from '@sonde/protocol'
import type { ProjectScope } from '@sonde/stores'
import type { QueryDeps } from './query-deps.ts'

const DAY_MS = 86_400_000
type Reason = OutcomeReason<'filtered' | 'rate_limited'>

/** What the door refused within the last 24 hours for one reason. */
export type DoorRefusals = {
  readonly quantity: number
  /** The start of the minute of the last one; undefined: none. */
  readonly lastMs: number | undefined
}

/** Over the project's own limit, and from pages of foreign domains. Reads a day of `outcomes` by project and minute. */
export async function projectRefusals(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  scope: ProjectScope,
): Promise<{ readonly overLimit: DoorRefusals; readonly foreignPages: DoorRefusals }> {
  const rows = await telemetry.query<{ reason: Reason; quantity: number; lastSec: number }>(
    `SELECT reason, sum(quantity) AS quantity, toUInt32(max(minute)) AS lastSec FROM outcomes
     WHERE project_id = {project:UInt32} AND minute >= {since:DateTime}
       AND reason IN ('project_quota', 'allowed_domains')
     GROUP BY reason`,
    { project: scope.projectId, since: new Date(clock.nowMs() - DAY_MS) },
  )
  const of = (reason: Reason): DoorRefusals => {
    const row = rows.find((each) => each.reason === reason)
    return { quantity: row?.quantity ?? 0, lastMs: row && row.lastSec * 1000 }
  }
  return { overLimit: of('project_quota'), foreignPages: of('allowed_domains') }
}
