/** Writes the exports that were asked for, one after the other, and asks for those of the schedule. */
import { join } from 'node:path'
import { type Clock, errorKind, type Logger } from '@sonde/base'
import { type ExportPlan, exportFolder, readExportPlan, writeAuditOf } from '@sonde/commands'
import { dueNow, type JobHost, type RunningJob, startJob } from '@sonde/jobs'
import {
  type Blobs,
  type Records,
  type Selectable,
  type RecordsSchema,
  type Telemetry,
  writeTransaction,
} from '@sonde/stores'
import { troubleOf } from '../backup/backup-place.ts'
import { lastDueMs, nextDueMs } from '../backup/backup-times.ts'
import { openJournal } from './export-journal.ts'
import { type ExportPlace, type ExportTarget, openExportPlace } from './export-place.ts'
import { type ExportManifest, type ExportProgress, MANIFEST, NO_PROGRESS } from './manifest.ts'
import { runExport } from './run-export.ts'

type Run = Selectable<RecordsSchema['export_run']>

export type ExportJobOptions = JobHost & {
  /** All of them, and as people see them. */
  readonly records: Records
  readonly visible: Records
  readonly telemetry: Pick<Telemetry, 'query' | 'writeParquet'>
  readonly blobs: Pick<Blobs, 'open'>
  readonly clock: Clock
  readonly logger: Logger
  readonly place: ExportPlace
  /** Throws `ConfigError`. */
  readonly readTarget: (to: string) => ExportTarget
  /** What is on its way lies here. */
  readonly workDir: string
  readonly version: string
  /** Tests shorten it. */
  readonly lookEveryMs?: number
}

// The command line and other nodes wake it by the records.
const LOOK_EVERY_MS = 5_000
const FIRST_PAUSE_MS = 60_000
/** 1, 2, 4, … 512 minutes: some 17 hours. A place that is away over night is no reason to begin anew. */
const MAX_TRIES = 11
const TELL_EVERY_MS = 1_000

class Cancelled extends Error {}

export function startExports(options: ExportJobOptions): RunningJob {
  return startJob(options, {
    name: 'exports',
    lookEveryMs: options.lookEveryMs ?? LOOK_EVERY_MS,
    dueMs: () => dueMs(options),
    async run(signal) {
      await askForDue(options)
      for (;;) {
        const run = await nextRun(options)
        if (!run || signal.aborted) return 'done'
        await work(options, run, signal)
      }
    },
  })
}

async function dueMs(options: ExportJobOptions): Promise<number | undefined> {
  const open = await options.records
    .selectFrom('export_run')
    .select(({ fn }) => fn.min('next_try_ms').as('atMs'))
    .where('finished_ms', 'is', null)
    .executeTakeFirst()
  const plans = await readPlans(options)
  const nowMs = options.clock.nowMs()
  const times = plans.map(({ plan, lastMs }) => (isDue(plan, lastMs, nowMs) ? 0 : nextDueMs(plan, nowMs)))
  const all = [open?.atMs ?? undefined, ...times].filter((ms) => ms !== undefined)
  return all.length === 0 ? dueNow(false) : Math.min(...all)
}

type Planned = {
  readonly orgId: number
  readonly slug: string
  readonly plan: ExportPlan
  readonly lastMs: number
}

async function readPlans({ visible, place }: ExportJobOptions): Promise<readonly Planned[]> {
  if (place.kind !== 'set') return []
  const rows = await visible
    .selectFrom('export_plan')
    .innerJoin('organization', 'organization.id', 'export_plan.org_id')
    .select(['export_plan.org_id', 'organization.slug'])
    .execute()
  const planned: Planned[] = []
  for (const { org_id: orgId, slug } of rows) {
    const plan = await readExportPlan(visible, orgId)
    if (plan.schedule === 'off') continue
    const last = await visible
      .selectFrom('export_run')
      .select(({ fn }) => fn.max('requested_ms').as('atMs'))
      .where('org_id', '=', orgId)
      .where('actor', '=', 'schedule')
      .executeTakeFirst()
    planned.push({ orgId, slug, plan, lastMs: last?.atMs ?? 0 })
  }
  return planned
}

/** A time that was missed is made up for once: only the last one counts. */
function isDue(plan: ExportPlan, lastMs: number, nowMs: number): boolean {
  const due = lastDueMs(plan, nowMs)
  return due !== undefined && due > lastMs && due >= plan.sinceMs
}

async function askForDue(options: ExportJobOptions): Promise<void> {
  const { records, clock } = options
  const nowMs = clock.nowMs()
  for (const { orgId, slug, plan, lastMs } of await readPlans(options)) {
    if (!isDue(plan, lastMs, nowMs)) continue
    await records
      .insertInto('export_run')
      .values({
        org_id: orgId,
        actor: 'schedule',
        place: '',
        folder: exportFolder(slug, nowMs),
        requested_ms: nowMs,
        next_try_ms: nowMs,
        until_ms: null,
        finished_ms: null,
        removed_ms: null,
      })
      .execute()
  }
}

const nextRun = ({ records, clock }: ExportJobOptions): Promise<Run | undefined> =>
  records
    .selectFrom('export_run')
    .selectAll()
    .where('finished_ms', 'is', null)
    .where('next_try_ms', '<=', clock.nowMs())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

async function work(options: ExportJobOptions, run: Run, signal: AbortSignal): Promise<void> {
  const { records, clock, logger, workDir } = options
  const journal = await openJournal(join(workDir, String(run.id)))
  try {
    const untilMs = run.until_ms ?? clock.nowMs()
    await change(records, run, { state: 'runs', until_ms: untilMs, trouble: '' })
    const to = await openExportPlace(targetOf(options, run))
    const manifest = await runExport(
      {
        ...options,
        records: options.visible,
        to,
        prefix: run.folder === '' ? '' : `${run.folder}/`,
        journal,
        signal,
        onProgress: teller(records, run),
      },
      { orgId: run.org_id, untilMs },
    )
    await finish(options, run, manifest)
    journal.end()
    await removeOld(options, run)
  } catch (error) {
    if (error instanceof Cancelled) return journal.end()
    if (signal.aborted) return
    const tries = run.tries + 1
    // What nobody can mend by waiting, such as an organization that is gone.
    const isOver = tries >= MAX_TRIES || errorKind(error) === 'not-found'
    logger.error({ err: error, export: run.id, tries }, 'this export failed')
    await change(records, run, {
      state: isOver ? 'failed' : 'waits',
      tries,
      trouble: troubleOf(error).slice(0, 500),
      next_try_ms: clock.nowMs() + FIRST_PAUSE_MS * 2 ** (tries - 1),
      ...(isOver && { finished_ms: clock.nowMs() }),
    })
    if (isOver) journal.end()
  }
}

function targetOf({ place, readTarget }: ExportJobOptions, run: Run): ExportTarget {
  if (run.place !== '') return readTarget(run.place)
  if (place.kind === 'set') return place.target
  throw new Error(place.kind === 'refused' ? place.trouble : 'SONDE_EXPORT_TO is not set on this machine')
}

/** Notes how far it is, and ends what was called off or whose organization is gone. */
function teller(records: Records, run: Run): (progress: ExportProgress) => Promise<void> {
  let toldMs = -TELL_EVERY_MS
  return async (progress) => {
    if (performance.now() - toldMs < TELL_EVERY_MS) return
    toldMs = performance.now()
    if (!(await change(records, run, { progress: JSON.stringify(progress) }))) throw new Cancelled()
  }
}

/** False: it is over, or gone. */
async function change(
  records: Records,
  { id }: Run,
  values: Partial<
    Pick<Run, 'state' | 'until_ms' | 'trouble' | 'tries' | 'next_try_ms' | 'finished_ms' | 'progress'>
  >,
): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('export_run')
    .set(values)
    .where('id', '=', id)
    .where('finished_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
}

async function finish(
  { records, clock, logger }: ExportJobOptions,
  run: Run,
  manifest: ExportManifest,
): Promise<void> {
  const rows = manifest.files
    .filter(({ kind }) => kind === 'telemetry')
    .reduce((sum, file) => sum + file.rows, 0)
  const progress: ExportProgress = {
    ...NO_PROGRESS,
    files: manifest.files.length + manifest.blobs.count,
    bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) + manifest.blobs.bytes,
    rows,
    totalRows: rows,
  }
  const { unreadable } = manifest.blobs
  await writeTransaction(records, async (tx) => {
    const isOpen = await change(tx, run, {
      state: 'done',
      finished_ms: clock.nowMs(),
      progress: JSON.stringify(progress),
      trouble:
        unreadable === 0 ? '' : `${unreadable} stored files could not be read: ${MANIFEST} counts them`,
    })
    if (!isOpen) return
    await writeAuditOf(tx, {
      orgId: run.org_id,
      actor: run.actor,
      action: 'export.done',
      subject: manifest.organization.slug,
      detail: { export: run.id, files: progress.files, rows },
      atMs: clock.nowMs(),
    })
  })
  logger.info({ export: run.id, ...progress }, 'an organization is exported')
}

/** Of the schedule: what anybody asked for by themselves stays. The manifest goes first, so what is left is no export. */
async function removeOld(options: ExportJobOptions, run: Run): Promise<void> {
  const { records, place, clock } = options
  const { keep } = await readExportPlan(records, run.org_id)
  if (run.actor !== 'schedule' || keep === 0 || place.kind !== 'set') return
  const old = await records
    .selectFrom('export_run')
    .select(['id', 'folder'])
    .where('org_id', '=', run.org_id)
    .where('actor', '=', 'schedule')
    .where('state', '=', 'done')
    .where('removed_ms', 'is', null)
    .orderBy('id', 'desc')
    .offset(keep)
    .limit(100)
    .execute()
  if (old.length === 0) return
  const blobs = await openExportPlace(place.target)
  for (const { id, folder } of old) {
    await blobs.delete(`${folder}/${MANIFEST}`)
    for await (const { name } of blobs.list(`${folder}/`)) await blobs.delete(name)
    await records.updateTable('export_run').set({ removed_ms: clock.nowMs() }).where('id', '=', id).execute()
  }
}
