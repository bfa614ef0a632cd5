import type { AnyGrant } from '@sonde/access'
import type { Clock } from '@sonde/base'
import type { ResolvePositions } from '@sonde/protocol/code-position'
import { inProjects, type Records, type Telemetry } from '@sonde/stores'
import type { TryStored } from './scrub/try-stored.ts'

/** What queries read from. One object, built by the composition root and handed to every query. */
export type QueryDeps = {
  readonly records: Records
  readonly telemetry: Telemetry
  readonly clock: Clock
  /** Under which browsers and SDKs reach this Sonde: `https://sonde.example`. Goes into DSNs. */
  readonly publicUrl: string
  /** Of the installation, `SONDE_RETENTION_DAYS`. */
  readonly retentionDays?: number
  /** Leads places in scripts back to their source; without it they are shown as they came. */
  readonly resolvePositions?: ResolvePositions
  /** Tries scrubbing rules on what is stored; without it nothing is previewed. */
  readonly tryStored?: TryStored
  /** Without it no other process runs statements of the console. */
  readonly takeConsoleSlot?: TakeConsoleSlot
}

/** One try to be the only process that runs a statement of the console: how to end that; undefined while another is. */
export type TakeConsoleSlot = () => Promise<(() => Promise<void>) | undefined>

/** From a grant to the project ids that a query may read: the only way a query gets at ids. */
export async function projectIdsOf(
  { records }: Pick<QueryDeps, 'records'>,
  grant: AnyGrant,
): Promise<readonly number[]> {
  if ('projectId' in grant) return [grant.projectId]
  const rows = await records.selectFrom('project').select('id').where(inProjects(grant)).execute()
  return rows.map((row) => row.id)
}
