/** What nobody needs of uploads: those that no event was read with for long, and pieces of some that never came whole. */
import type { Clock } from '@sonde/base'
import { operatorViewer } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { sql } from 'kysely'
import { writeAudit } from '../audit.ts'

export type SweepArtifactsOptions = {
  readonly records: Records
  readonly clock: Clock
  /** Since the upload, or since an event was last read with it. */
  readonly artifactRetentionDays: number
  readonly signal: AbortSignal
}

// A transaction of so many rows takes some milliseconds; everybody else waits for its end.
const ROWS_AT_ONCE = 500
const DAY_MS = 86_400_000
// Whoever uploads asks for the end of it within minutes; a refusal is said again for a day.
const ASSEMBLY_LIFETIME_MS = DAY_MS

/** May be interrupted anywhere and called again. Rows note their files as garbage; `sweepAttachments` deletes those. */
export async function sweepArtifacts(options: SweepArtifactsOptions): Promise<void> {
  const { records, clock, signal } = options
  for (const id of await unusedBundles(options)) {
    if (signal.aborted) return
    await deleteBundle(records, id, clock.nowMs(), signal)
  }
  await records.deleteFrom('artifact_chunk').where('expires_ms', '<', clock.nowMs()).execute()
  await records
    .deleteFrom('artifact_assembly')
    .where('updated_ms', '<', clock.nowMs() - ASSEMBLY_LIFETIME_MS)
    .where('state', 'in', ['ok', 'error'])
    .execute()
}

/** Use is noted by the day, so a bundle lives up to a day longer. */
async function unusedBundles({
  records,
  clock,
  artifactRetentionDays,
}: SweepArtifactsOptions): Promise<number[]> {
  const before = clock.nowMs() - artifactRetentionDays * DAY_MS
  const rows = await records
    .selectFrom('artifact_bundle')
    .select('id')
    .where(sql<number>`coalesce(last_used_ms, created_ms)`, '<', before - DAY_MS)
    // Files that came one by one may be younger than the first of them.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('artifact_file')
            .select('artifact_file.id')
            .whereRef('artifact_file.bundle_id', '=', 'artifact_bundle.id')
            .where('artifact_file.created_ms', '>=', before),
        ),
      ),
    )
    .execute()
  return rows.map((row) => row.id)
}

async function deleteBundle(records: Records, id: number, atMs: number, signal: AbortSignal): Promise<void> {
  // A large one bit by bit: all of it at once would keep everybody else waiting.
  for (;;) {
    if (signal.aborted) return
    const { numDeletedRows } = await records
      .deleteFrom('artifact_file')
      .where('id', 'in', (eb) =>
        eb.selectFrom('artifact_file').select('id').where('bundle_id', '=', id).limit(ROWS_AT_ONCE),
      )
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) < ROWS_AT_ONCE) break
  }
  await writeTransaction(records, async (tx) => {
    const gone = await tx
      .deleteFrom('artifact_bundle')
      .where('id', '=', id)
      .returning(['org_id', 'release', 'dist', 'last_used_ms'])
      .executeTakeFirst()
    if (!gone) return
    const { org_id: orgId, release, dist, last_used_ms: lastUsedMs } = gone
    const viewer = { ...operatorViewer, name: 'server' as const }
    const detail = { bundleId: id, release, dist, lastUsedMs }
    await writeAudit(tx, { orgId, viewer, action: 'artifact.expire', subject: release, detail, atMs })
  })
}
