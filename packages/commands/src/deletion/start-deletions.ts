/** Removes what was deleted a day ago, what it left, and what is too old: at the start, when it is woken, and now and then. */
import { operatorViewer } from '@sonde/access'
import type { Bus, Clock, Logger, Tracer } from '@sonde/base'
import { type RunningJob, startJob } from '@sonde/jobs'
import { type Blobs, type Records, type Telemetry, TELEMETRY_TABLES, writeTransaction } from '@sonde/stores'
import { sql } from 'kysely'
import { writeAudit } from '../audit.ts'
import { sweepAuditLog } from '../audit.ts'
import { sweepAlerts } from './sweep-alerts.ts'
import { sweepAttachments, sweepDeadLetters } from './sweep-attachments.ts'
import { sweepDeletedReplays } from './sweep-deleted-replays.ts'
import { sweepEnded } from './sweep-ended.ts'
import { sweepRecentlyDeleted } from './sweep-recently-deleted.ts'
import { sweepReplays } from './sweep-replays.ts'

/** What nobody needs of uploads: those that no event was read with for long, and pieces of some that never came whole. */
type SweepArtifactsOptions = {
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

export async function deleteBundle(
  records: Records,
  id: number,
  atMs: number,
  signal: AbortSignal,
): Promise<void> {
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

export type DeletionsOptions = DeletionStores & {
  readonly clock: Clock
  readonly logger: Logger
  readonly bus?: Bus
  readonly tracer?: Tracer
  /** How long attachments and dead letters are kept; events go by themselves. */
  readonly retentionDays: number
  /** How long uploads are kept since they were last used. */
  readonly artifactRetentionDays: number
  /** Of session replays; as events unless it is less. */
  readonly replayRetentionDays?: number
  /** Of entries of the audit log. */
  readonly auditRetentionDays: number
}

// A mutation takes from milliseconds to minutes; each look costs two small queries a table.
const STEP_EVERY_MS = 1_000
// The command line and other machines delete projects too, and cannot wake this one.
const LOOK_EVERY_MS = 60_000

/** `wake` is for `CommandDeps.onDeletion`. */
export function startDeletions(options: DeletionsOptions): RunningJob {
  return startJob(options, {
    name: 'deletions',
    lookEveryMs: LOOK_EVERY_MS,
    async run(signal) {
      await sweep(options, signal)
      await sweepRecentlyDeleted({ ...options, signal })
      const left = await deletePending(options, signal)
      return left === 0 ? 'done' : { againInMs: STEP_EVERY_MS }
    },
  })
}

/** What fails here must not keep the rows of a deleted project. */
async function sweep(options: DeletionsOptions, signal: AbortSignal): Promise<void> {
  const sweeping = { ...options, signal }
  try {
    await sweepDeadLetters(sweeping)
    await sweepArtifacts(sweeping)
    // Before the attachments: those delete what is garbage.
    await sweepReplays(sweeping)
    await sweepDeletedReplays(sweeping)
    await sweepAttachments(sweeping)
    await sweepAlerts(sweeping)
    await sweepAuditLog(options, options.auditRetentionDays, signal)
    await sweepEnded(options, signal)
  } catch (error) {
    options.logger.error(
      { err: error },
      'old attachments, dead letters, uploads, audit entries, what alerts left and what has ended could not be removed; trying again',
    )
  }
}

/** How many deletions are left. */
async function deletePending(options: DeletionsOptions, signal: AbortSignal): Promise<number> {
  const { records, clock, logger } = options
  let left = 0
  for (const deletion of await pending(options)) {
    if (signal.aborted) return left
    if ((await deleteRows(options, deletion)) === 'waits') {
      left++
      continue
    }
    const done = { finished_ms: clock.nowMs(), blobs: '[]' }
    await records.updateTable('deletion').set(done).where('id', '=', deletion.id).execute()
    logger.info({ project: deletion.projectId }, 'everything of a deleted project is removed')
  }
  return left
}

async function pending({ records }: DeletionStores): Promise<readonly PendingDeletion[]> {
  const rows = await records
    .selectFrom('deletion')
    .selectAll()
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    logPartition: row.log_partition,
    afterPosition: row.after_position,
    blobs: JSON.parse(row.blobs) as string[],
  }))
}

/** One step of removing what a deleted project left in telemetry, blobs and dead letters. */
type DeletionStores = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'deleteRows'>
  readonly blobs: Pick<Blobs, 'delete'>
}
type PendingDeletion = {
  readonly id: number
  readonly projectId: number
  readonly logPartition: number
  readonly afterPosition: number
  readonly blobs: readonly string[]
}
/** `waits`: for the pipeline or the engine; to be called again. */
type DeletionStep = 'done' | 'waits'

/**
 * May be interrupted anywhere and called again: it looks at what is there, not at what it did.
 */
async function deleteRows(stores: DeletionStores, deletion: PendingDeletion): Promise<DeletionStep> {
  const { records, telemetry, blobs } = stores
  const state = await records
    .selectFrom('pipeline_state')
    .select('position')
    .where('log_partition', '=', deletion.logPartition)
    .executeTakeFirst()
  if ((state?.position ?? 0) < deletion.afterPosition) return 'waits'
  const params = { project: deletion.projectId }
  let waits = false
  for (const table of TELEMETRY_TABLES) {
    const left = await telemetry.deleteRows(table, 'project_id = {project:UInt32}', params)
    if (left > 0) waits = true
  }
  if (waits) return 'waits'
  const letters = await records
    .selectFrom('dead_letter')
    .select(['id', 'blob'])
    .where('project_id', '=', deletion.projectId)
    .execute()
  for (const name of [...deletion.blobs, ...letters.map((letter) => letter.blob)]) await blobs.delete(name)
  await records.deleteFrom('dead_letter').where('project_id', '=', deletion.projectId).execute()
  return 'done'
}
