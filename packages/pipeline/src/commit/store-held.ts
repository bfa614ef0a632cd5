/**
 * Stores the events that waited for others like them, and counts them with those. May be cut anywhere and is done again: what
 * is in telemetry by then is not inserted a second time, and is counted where it is.
 */
import type { Bus, Clock, Logger, Tracer } from '@sonde/base'
import { type RecordsWatch, type RunningJob, startJob } from '@sonde/jobs'
import {
  encodeIndexRow,
  mergedInto,
  noteOwners,
  readHashes,
  type Records,
  type Telemetry,
  withIssueId,
  withLeftOut,
  writeTransaction,
} from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'
import type { ReprocessingChange } from '../reprocess/reprocessing-cursor.ts'
import { deleteRows } from '../reprocess/stored-chunk.ts'
import type { HeldEvent } from './held-events.ts'
import { insertRows } from './insert-rows.ts'
import { firstSeenIn } from './note-first-seen.ts'
import { holdProject } from './project-holds.ts'
import { countEvents } from './resolve-issues.ts'

/** A chart is late by so much, and a row is one of a half minute. */
const WAITS_MS = 30_000
const LOOK_EVERY_MS = 5_000
/** Where so many wait they are stored at the next look: their users are written anew with each batch. */
const MOST_WAITING = 5_000
const AT_ONCE = 500
/** Counters of earlier days are never asked again. */
const KEPT_DAYS_MS = 2 * 86_400_000

export type StoreHeldOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly logger: Logger
  readonly bus?: Bus
  readonly watch?: RecordsWatch
  readonly tracer?: Tracer
  /** Once they can be queried. */
  readonly onChange?: (change: ReprocessingChange) => void
  /** Tests shorten it. */
  readonly waitsMs?: number
  readonly lookEveryMs?: number
  /** Only tests of crashes need it. */
  readonly afterStep?: (step: StoreHeldStep) => void | Promise<void>
}
export const STORE_HELD_STEPS = ['closed', 'events', 'event_index', 'counted'] as const
export type StoreHeldStep = (typeof STORE_HELD_STEPS)[number]

export function startStoreHeld(options: StoreHeldOptions): RunningJob {
  const { records, clock, waitsMs = WAITS_MS, lookEveryMs = LOOK_EVERY_MS } = options
  const dueMs = (): number => clock.nowMs() - waitsMs
  return startJob(options, {
    name: 'held-events',
    lookEveryMs,
    dueMs: () => nextHeldMs(records, waitsMs),
    async run(signal) {
      for (const projectId of await dueProjects(records, dueMs()))
        while (!signal.aborted && (await storeSome(options, projectId, dueMs(), signal)));
      await records
        .deleteFrom('issue_day')
        .where('day_ms', '<', clock.nowMs() - KEPT_DAYS_MS)
        .execute()
      return 'done'
    },
  })
}

/** As `Job.dueMs`. */
async function nextHeldMs(records: Records, waitsMs: number): Promise<number | undefined> {
  const row = await records
    .selectFrom('held_event')
    .select((eb) => [eb.fn.min('first_ms').as('first'), eb.fn.max('others').as('others')])
    .executeTakeFirst()
  if (typeof row?.first !== 'number') return undefined
  return row.others >= MOST_WAITING ? 0 : row.first + waitsMs
}

async function dueProjects(records: Records, dueMs: number): Promise<readonly number[]> {
  const rows = await records
    .selectFrom('held_event')
    .select('project_id')
    .distinct()
    .where((eb) => eb.or([eb('first_ms', '<=', dueMs), eb('others', '>=', MOST_WAITING)]))
    .execute()
  return rows.map((row) => row.project_id)
}

type Held = {
  readonly id: number
  readonly event: HeldEvent
  readonly others: number
  readonly users: readonly number[]
  readonly lastMs: number
}

/** True: there may be more. Holds the project meanwhile, so that nobody changes which issue its events belong to. */
async function storeSome(
  { records, telemetry, clock, onChange, afterStep = () => undefined }: StoreHeldOptions,
  projectId: number,
  dueMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const hold = await holdProject(records, projectId, signal)
  if (!hold) return false
  try {
    const { held, wasClosed } = await close(records, projectId, dueMs)
    if (held.length === 0) return false
    await afterStep('closed')
    const events = held.map(({ event }) => event)
    const there = wasClosed ? await storedAmong(telemetry, projectId, events) : new Map<string, number>()
    const known = await readHashes(records, projectId, events)
    const into = await mergedInto(records, [...there.values()])
    const issueOf = new Map<ProcessedEvent, number>()
    for (const event of events) {
      const stored = there.get(event.eventId)
      const issueId =
        stored === undefined
          ? event.hashes.map((hash) => known.get(hash)).find((id) => id !== undefined)
          : (into.get(stored) ?? stored)
      // Its issue was deleted meanwhile: its events go with it.
      if (issueId !== undefined) issueOf.set(event, issueId)
    }
    const belonging = held.filter(({ event }) => issueOf.has(event))
    const missing = belonging.filter(({ event }) => !there.has(event.eventId))
    const token = `held:${held.map(({ id }) => id).join(',')}`
    const rowOf = ({ event, others, users }: Held) => {
      const row = withIssueId(event.row, issueOf.get(event) ?? 0)
      return others > 0 ? withLeftOut(row, others, users) : row
    }
    // What the store refuses (a version between had other columns) is counted nowhere; its outcome says that it was taken.
    const refused = new Set(
      (await insertRows(telemetry, 'events', missing, rowOf, token)).map(({ item }) => item),
    )
    await afterStep('events')
    const stored = belonging.filter((each) => !refused.has(each))
    await telemetry.insert(
      'event_index',
      stored.map(({ event }) => indexRow(event, issueOf)),
      token,
    )
    await afterStep('event_index')
    const firstSeen = firstSeenIn(
      records,
      stored.map(({ event }) => event),
      issueOf,
    )
    const isDone = await writeTransaction(records, async (tx) => {
      if (!(await hold.isOurs(tx))) return false
      const leftOut = new Map(stored.map((each) => [each.event, othersOf(each)]))
      const nowMs = clock.nowMs()
      const counted = stored.map(({ event }) => event)
      const { ownable } = await countEvents(tx, counted, issueOf, firstSeen, nowMs, leftOut)
      await noteOwners(tx, ownable, records, nowMs)
      await tx
        .deleteFrom('held_event')
        .where(
          'id',
          'in',
          held.map(({ id }) => id),
        )
        .execute()
      return true
    })
    if (!isDone) return false
    firstSeen.remember()
    await afterStep('counted')
    // The project was deleted meanwhile: the deletion of its rows may already be over.
    if (await isGone(records, projectId))
      for (const table of ['events', 'event_index'] as const)
        await deleteRows({ telemetry, signal }, table, 'project_id = {project:UInt32}', {
          project: projectId,
        })
    onChange?.({ projects: [projectId], issues: [...new Set(issueOf.values())], created: [], regressed: [] })
    return held.length === AT_ONCE
  } finally {
    await hold.release().catch(() => undefined)
  }
}

async function isGone(records: Records, projectId: number): Promise<boolean> {
  const row = await records.selectFrom('project').select('id').where('id', '=', projectId).executeTakeFirst()
  return row === undefined
}

/** From here on they take no others. `wasClosed`: an earlier attempt may have stored some. */
async function close(
  records: Records,
  projectId: number,
  dueMs: number,
): Promise<{ readonly held: readonly Held[]; readonly wasClosed: boolean }> {
  return writeTransaction(records, async (tx) => {
    const rows = await tx
      .selectFrom('held_event')
      .selectAll()
      .where('project_id', '=', projectId)
      .where((eb) => eb.or([eb('first_ms', '<=', dueMs), eb('others', '>=', MOST_WAITING)]))
      .orderBy('held_event.id')
      .limit(AT_ONCE)
      .execute()
    const begun = rows.filter((row) => row.is_closed === 1)
    // Those of an earlier attempt first and alone: their token is the same.
    const chosen = begun.length > 0 ? begun : rows
    const ids = chosen.map(({ id }) => id)
    if (ids.length > 0)
      await tx.updateTable('held_event').set({ is_closed: 1 }).where('id', 'in', ids).execute()
    const held = chosen.map(({ id, event, encoded, others, users, last_ms: lastMs }) => ({
      id,
      event: { ...(JSON.parse(event) as HeldEvent), row: encoded },
      others,
      users: JSON.parse(users) as number[],
      lastMs,
    }))
    return { held, wasClosed: begun.length > 0 }
  })
}

/** Issue of each that is there, by event id. */
async function storedAmong(
  telemetry: Pick<Telemetry, 'query'>,
  projectId: number,
  events: readonly ProcessedEvent[],
): Promise<ReadonlyMap<string, number>> {
  const times = events.map(({ receivedMs }) => receivedMs)
  const rows = await telemetry.query<{ id: string; issue: number }>(
    `SELECT toString(event_id) AS id, argMax(issue_id, revision) AS issue FROM events
     WHERE project_id = {project:UInt32} AND event_id IN {events:Array(FixedString(32))}
       AND received >= {first:DateTime64(3, 'UTC')} AND received <= {last:DateTime64(3, 'UTC')} GROUP BY id`,
    {
      project: projectId,
      events: events.map(({ eventId }) => eventId),
      first: Math.min(...times),
      last: Math.max(...times),
    },
  )
  return new Map(rows.map(({ id, issue }) => [id, issue]))
}

/** As many as count with it, the last of them with its time: the others differ from it in nothing that is counted. */
const othersOf = ({ event, others, lastMs }: Held): readonly ProcessedEvent[] =>
  Array.from({ length: others }, (_, at) =>
    at === 0 ? { ...event, issue: { ...event.issue, timestampMs: lastMs } } : event,
  )

function indexRow(event: HeldEvent, issueOf: ReadonlyMap<ProcessedEvent, number>): string {
  const { projectId, eventId, receivedMs, position: logPosition, itemIndex, issue } = event
  const at = { receivedMs, logPartition: event.partition, logPosition, itemIndex, revision: 0 }
  return withIssueId(
    encodeIndexRow({ projectId, eventId, timestampMs: issue.timestampMs, ...at }),
    issueOf.get(event) ?? 0,
  )
}
