/** Works off the `erasure` table, the oldest first: `ERASURE_STATES` says what one does next. docs/decisions/0080-erasing-a-person.md */
import type { Bus, Clock, Logger } from '@sonde/base'
import { dueNow, type RecordsWatch, type RunningJob, startJob } from '@sonde/jobs'
import {
  type Blobs,
  type ErasureState,
  isReplacing,
  type LogPositions,
  type Person,
  PERSON_TABLES,
  purgeRecords,
  type Records,
  type Telemetry,
  writeTransaction,
} from '@sonde/stores'
import { writeAuditOf } from '../audit.ts'
import { sweepAttachments } from '../deletion/sweep-attachments.ts'
import { type Counts, ERASURE_STEPS, type ErasureNeeds, type ErasureTarget } from './erasure-steps.ts'

/** What an erasure asks of the log. */
export type ErasureLog = {
  /** The end of each partition now. */
  ends(): Promise<LogPositions>
  /** Whether records of a partition are not stored yet. */
  hasWaiting(partition: number): Promise<boolean>
  /** `LogWriter.roll` and `LogReaders.keptFrom`; absent: what is consumed goes by itself. */
  readonly segments?: { roll(): Promise<number>; keptFrom(): Promise<number> }
}

export type ErasuresOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query' | 'deleteRows' | 'purge'>
  readonly blobs: Pick<Blobs, 'get' | 'delete'>
  readonly log: ErasureLog
  readonly clock: Clock
  readonly logger: Logger
  readonly bus?: Bus
  readonly watch?: RecordsWatch
  /** For the sweep that deletes files at once. */
  readonly retentionDays: number
  /** After what it names was done, before anything else. Only tests of crashes need it. */
  readonly afterStep?: (step: string) => void
}

/** Where an erasure may be cut: each may be the last one before a crash. */
export const ERASURE_CUTS: readonly string[] = [
  'begun',
  'stored',
  ...ERASURE_STEPS.map(({ name }) => name),
  'deleted',
  'segment closed',
  'files purged',
  'forgotten',
  'records purged',
  'done',
]

// The command line and other nodes cannot wake it. A look is one row of a small index.
const LOOK_EVERY_MS = 5_000
const WAIT_MS = 500

type Open = ErasureTarget & {
  readonly id: number
  readonly orgId: number
  readonly scope: string
  readonly hash: string
  readonly actor: string
  readonly state: ErasureState
  readonly requestedMs: number
  readonly afterPositions: LogPositions | undefined
  readonly logFrom: number | undefined
  readonly counts: Counts
}

/** `wake` is for `CommandDeps.onErasure`. */
export function startErasures(options: ErasuresOptions): RunningJob {
  const { records } = options
  return startJob(options, {
    name: 'erasures',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: async () => dueNow((await readOpen(records)) !== undefined),
    async run(signal) {
      const needs = { afterStep: () => undefined, ...options, signal }
      for (;;) {
        const open = await readOpen(records)
        if (!open || signal.aborted) return 'done'
        try {
          if ((await STATES[open.state](needs, open)) === 'waits') return { againInMs: WAIT_MS }
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error)
          if (!signal.aborted)
            await change(records, open.id, { trouble: message.slice(0, 500) }).catch(() => undefined)
          throw error
        }
      }
    },
  })
}

type Needs = ErasureNeeds & ErasuresOptions & Required<Pick<ErasuresOptions, 'afterStep'>>
type Turn = (needs: Needs, open: Open) => Promise<'more' | 'waits'>

const STATES: Readonly<Record<ErasureState, Turn>> = {
  waits: waitForWhatArrived,
  deletes: deleteEverywhere,
  purges: purgeFiles,
  done: async () => 'more',
}

/** What was acknowledged before it was asked for is stored first: then all of it is in one place. */
async function waitForWhatArrived({ records, log, afterStep }: Needs, open: Open): Promise<'more' | 'waits'> {
  if (!open.afterPositions) {
    await change(records, open.id, { after_positions: JSON.stringify(await log.ends()) })
    afterStep('begun')
    return 'more'
  }
  const states = await records.selectFrom('pipeline_state').select(['log_partition', 'position']).execute()
  const positions = new Map(states.map((row) => [row.log_partition, row.position]))
  for (const [partition, end] of Object.entries(open.afterPositions))
    // A log that was just rolled ends behind its last record.
    if ((positions.get(Number(partition)) ?? 0) < end && (await log.hasWaiting(Number(partition))))
      return 'waits'
  const held = await records
    .selectFrom('held_event')
    .select('id')
    .where('project_id', 'in', open.projectIds)
    .where('first_ms', '<=', open.requestedMs)
    .executeTakeFirst()
  if (held) return 'waits'
  // A chunk that was read before the deletion would be written again after it; no new one is planned meanwhile.
  if (await isReplacing(records, open.projectIds)) return 'waits'
  await change(records, open.id, { state: 'deletes' })
  afterStep('stored')
  return 'more'
}

async function deleteEverywhere(needs: Needs, open: Open): Promise<'more' | 'waits'> {
  const counts: Record<string, number> = { ...open.counts }
  for (const { name, run } of ERASURE_STEPS) {
    if (needs.signal.aborted) return 'more'
    const end = await run(needs, open)
    needs.afterStep(name)
    // A table that is looked at again tells of the same rows.
    for (const [kind, count] of Object.entries(end.counts))
      counts[kind] = (PERSON_TABLES as readonly string[]).includes(kind)
        ? Math.max(count, counts[kind] ?? 0)
        : count + (counts[kind] ?? 0)
    await change(needs.records, open.id, { counts: JSON.stringify(counts) })
    if (end.waits) return 'waits'
  }
  await change(needs.records, open.id, { state: 'purges' })
  needs.afterStep('deleted')
  return 'more'
}

/** Until no file has a byte of it: blobs, parts of tables, segments of the log, pages of the records. */
async function purgeFiles(needs: Needs, open: Open): Promise<'more' | 'waits'> {
  const { records, telemetry, log, clock, logger, afterStep } = needs
  await sweepAttachments(needs)
  let left = 0
  for (const table of [...PERSON_TABLES, 'event_index'] as const) left += await telemetry.purge(table)
  if (log.segments) {
    const from = open.logFrom ?? (await log.segments.roll())
    if (open.logFrom === undefined) await change(records, open.id, { log_from: from })
    afterStep('segment closed')
    if ((await log.segments.keptFrom()) < from) return 'waits'
  }
  if (left > 0) return 'waits'
  afterStep('files purged')
  // The row itself names the person: that goes before the pages are purged, and the end is told after it.
  await change(records, open.id, { person: '' })
  afterStep('forgotten')
  await purgeRecords(records)
  afterStep('records purged')
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    await tx
      .updateTable('erasure')
      .set({ state: 'done', finished_ms: atMs, trouble: '' })
      .where('id', '=', open.id)
      .execute()
    await writeAuditOf(tx, {
      orgId: open.orgId,
      actor: open.actor,
      action: 'person.erased',
      subject: open.scope,
      detail: { erasure: open.id, personHash: open.hash, counts: open.counts },
      atMs,
    })
  })
  afterStep('done')
  logger.info({ erasure: open.id, counts: open.counts }, 'everything of a person is erased')
  return 'more'
}

async function readOpen(records: Records): Promise<Open | undefined> {
  const row = await records
    .selectFrom('erasure')
    .selectAll()
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    orgId: row.org_id,
    scope: row.scope,
    hash: row.person_hash,
    actor: row.actor,
    state: row.state,
    requestedMs: row.requested_ms,
    projectIds: JSON.parse(row.projects) as number[],
    // Forgotten once everything of it is gone.
    person: JSON.parse(row.person || '{}') as Person,
    afterPositions:
      row.after_positions === '' ? undefined : (JSON.parse(row.after_positions) as LogPositions),
    logFrom: row.log_from ?? undefined,
    counts: JSON.parse(row.counts) as Counts,
  }
}

type Change = {
  readonly person?: ''
  readonly state?: ErasureState
  readonly counts?: string
  readonly after_positions?: string
  readonly log_from?: number
  readonly trouble?: string
}

const change = async (records: Records, id: number, values: Change): Promise<void> => {
  await records
    .updateTable('erasure')
    .set({ trouble: '', ...values })
    .where('id', '=', id)
    .execute()
}
