/** Exports of an organization, the newest first. */
import type { Grant } from '@sonde/access'
import type { ExportState } from '@sonde/stores'
import { actorNames } from '../artifacts/reprocessing.ts'
import type { QueryDeps } from '../query-deps.ts'

export type ExportRow = {
  readonly id: number
  /** `schedule`, or who asked. */
  readonly by: string
  /** That the command line named; empty: the machine's. */
  readonly place: string
  readonly folder: string
  readonly state: ExportState
  readonly requestedMs: number
  readonly finishedMs: number | undefined
  /** What is written just now; empty: nothing. */
  readonly step: string
  readonly files: number
  readonly bytes: number
  /** Of telemetry: written, and in all. */
  readonly rows: number
  readonly totalRows: number
  /** Why it goes on later, or failed; empty: no trouble. */
  readonly trouble: string
  readonly nextTryMs: number
  /** Its files were deleted by the schedule. */
  readonly isRemoved: boolean
}

const SHOWN = 30

export async function listExports(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'org:write', 'org'>,
  id?: number,
): Promise<readonly ExportRow[]> {
  const rows = await records
    .selectFrom('export_run')
    .selectAll()
    .where('org_id', '=', grant.orgId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  const names = await actorNames(
    records,
    rows.map(({ actor }) => actor),
  )
  return rows.map((row) => {
    const progress = JSON.parse(row.progress) as Partial<ExportRow>
    return {
      id: row.id,
      by: row.actor === 'schedule' ? 'schedule' : (names.get(row.actor) ?? row.actor),
      place: row.place,
      folder: row.folder,
      state: row.state,
      requestedMs: row.requested_ms,
      finishedMs: row.finished_ms ?? undefined,
      step: progress.step ?? '',
      files: progress.files ?? 0,
      bytes: progress.bytes ?? 0,
      rows: progress.rows ?? 0,
      totalRows: progress.totalRows ?? 0,
      trouble: row.trouble,
      nextTryMs: row.next_try_ms,
      isRemoved: row.removed_ms !== null,
    }
  })
}
