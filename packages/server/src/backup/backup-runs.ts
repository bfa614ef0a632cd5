/** What was done with backups, in the records: for screens, the doctor and alerts. */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'

export type BackupRunKind = 'create' | 'verify' | 'prune'

export type BackupRun = {
  readonly id: number
  readonly kind: BackupRunKind
  readonly target: string
  readonly startedMs: number
  /** Undefined: it runs. */
  readonly finishedMs: number | undefined
  /** Why it failed; empty: it did not, or runs. */
  readonly trouble: string
  readonly backupId: string
  /** What the run resolved with; undefined when it failed or runs. */
  readonly detail: unknown
}

type Needs = { readonly records: Records; readonly clock: Clock }

const KEPT_RUNS = 300
const MAX_TROUBLE_CHARS = 500

/** Notes that it began and how it ended. What `work` throws is thrown. */
export async function notedRun<Result extends object>(
  { records, clock }: Needs,
  { kind, target }: Pick<BackupRun, 'kind' | 'target'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { id } = await records
    .insertInto('backup_run')
    .values({ kind, target, started_ms: clock.nowMs() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const end = (values: { trouble?: string; backup_id?: string; detail?: string }) =>
    records
      .updateTable('backup_run')
      .set({ finished_ms: clock.nowMs(), ...values })
      .where('id', '=', id)
      .execute()
  try {
    const result = await work()
    const backupId = 'id' in result ? String(result.id) : ''
    await end({ backup_id: backupId, detail: JSON.stringify(withoutPieces(result)) })
    await records
      .deleteFrom('backup_run')
      .where('id', '<', id - KEPT_RUNS)
      .execute()
    return result
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error)
    await end({ trouble: trouble.slice(0, MAX_TROUBLE_CHARS) })
    throw error
  }
}

/** Of a summary, thousands of checksums that stand in the repository. */
const withoutPieces = (result: object): object => ({ ...result, pieces: undefined, manifest: undefined })

/** Newest first. */
export async function backupRuns(
  { records }: Pick<Needs, 'records'>,
  { kind, limit = 50 }: { readonly kind?: BackupRunKind; readonly limit?: number } = {},
): Promise<readonly BackupRun[]> {
  const rows = await records
    .selectFrom('backup_run')
    .selectAll()
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'create'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    target: row.target,
    startedMs: row.started_ms,
    finishedMs: row.finished_ms ?? undefined,
    trouble: row.trouble,
    backupId: row.backup_id,
    detail: row.detail === '' ? undefined : (JSON.parse(row.detail) as unknown),
  }))
}

/** Of processes that ended in the middle: only for one that knows that no other works here. */
export async function endOpenRuns({ records, clock }: Needs): Promise<void> {
  await records
    .updateTable('backup_run')
    .set({ finished_ms: clock.nowMs(), trouble: 'Sonde ended before it' })
    .where('finished_ms', 'is', null)
    .execute()
}
