/**
 * Commits one batch to every store, exactly once by construction (guarantee G2). Each step may be interrupted and the
 * whole repeated: telemetry drops what carries a token it has seen, blobs and dead letters are written over, and the
 * counts move in the same transaction as the position. Between the two transactions the batch is marked as in flight,
 * so that after a crash the very same stretch of the log is committed again, not a longer one under other tokens.
 */
import { type Clock, SondeError } from '@sonde/base'
import type { LogReader } from '@sonde/log'
import {
  addSpanUsage,
  type Blobs,
  encodeCountedIdRow,
  encodeIndexRow,
  type NewcomerLimits,
  noteOwners,
  type Records,
  type Telemetry,
  type TelemetryRow,
  withIssueId,
  withLeftOut,
  writeTransaction,
} from '@sonde/stores'
import { isFound, thinFound } from '../detect/thin-found.ts'
import type { ProcessedEvent, ProcessedRows } from '../process/processed.ts'
import { type Batch, batchToken } from './batch-queue.ts'
import {
  type PlacedDead,
  type PlacedItem,
  readGivenUp,
  storeDeadRecords,
  writeDeadRows,
} from './dead-rows.ts'
import { countDiscarded, discardedOf } from './discard-events.ts'
import { findDuplicates, findAlreadyStored, followRedirects, type Named } from './find-duplicates.ts'
import { holdEvents } from './held-events.ts'
import { insertRows } from './insert-rows.ts'
import { alikeOf, chooseLeftOut } from './leave-out.ts'
import { userMemoryOf } from './left-out-users.ts'
import { limitSeries, seriesMemoryOf } from './limit-series.ts'
import { noteCheckIns } from './note-check-ins.ts'
import { firstSeenIn } from './note-first-seen.ts'
import { noteSpikes } from './note-spikes.ts'
import { ACCEPTED, deadOutcome, type EventEnd, eventOutcome, outcomeRows } from './outcomes.ts'
import { type HeldItems, markInflight, moveTo, placeKey, readPosition } from './pipeline-state.ts'
import { isAnyHeld } from './project-holds.ts'
import { releaseMemoryOf, releasesIn, recordReleases } from './record-releases.ts'
import { countEvents, resolveIssues } from './resolve-issues.ts'
import { countedId, openSpikeSampling, spikeMemoryOf } from './sample-spikes.ts'
import { attachmentOutcome, placeAttachments, writeAttachments } from './store-attachments.ts'
import { placeRecordings, writeRecordings } from './store-recordings.ts'
import { insertItems, rowOutcomes, rowsWithoutProject, storedSpans } from './store-rows.ts'
import { openThinning, thinMemoryOf } from './thin-issues.ts'

export type CommitStores = {
  readonly log: Pick<LogReader, 'commit'>
  readonly records: Records
  readonly telemetry: Telemetry
  readonly blobs: Blobs
  readonly clock: Clock
  /** How many issues and releases a project may make anew in a minute. */
  readonly newcomers?: NewcomerLimits
  /** What the attachments of one organization may take. Default: anything. */
  readonly attachmentQuotaBytes?: number
  /** Where several processes share the log: that the partition is still this one's. */
  readonly owned?: Owned
  /** Called after each step; tests throw here to stand for a crash. */
  readonly afterStep?: (step: CommitStep) => void | Promise<void>
}
/** Both throw when the partition is another process's: its owner repeats the batch. */
export type Owned = { check(): void; fence(tx: Records): Promise<void> }
const ALWAYS: Owned = { check: () => undefined, fence: async () => undefined }

export const COMMIT_STEPS = [
  'checked',
  'marked',
  'events',
  'rows',
  'outcomes',
  'counted',
  'consumed',
] as const
export type CommitStep = (typeof COMMIT_STEPS)[number]

/** What ends with its batch: it is stored, or it gets another outcome here. */
type Committable = Named & (ProcessedEvent | ProcessedRows)

export type Committed = {
  readonly events: number
  readonly duplicates: number
  readonly dead: number
  readonly projects: readonly number[]
  readonly issues: readonly number[]
  readonly created: readonly number[]
  readonly regressed: readonly number[]
}

/** `held`: somebody holds a project of it; nothing was stored, and it is to be tried again a little later. */
export async function commitBatch(stores: CommitStores, batch: Batch): Promise<Committed | 'held'> {
  const {
    records,
    telemetry,
    blobs,
    clock,
    log,
    newcomers = {},
    owned = ALWAYS,
    afterStep = () => undefined,
  } = stores
  const token = batchToken(batch)
  const { partition } = batch
  const nowMs = clock.nowMs()
  const events = batch.entries.flatMap(({ processed }) => processed.events)
  const limited = await limitSeries(
    telemetry,
    seriesMemoryOf(records),
    batch.entries.flatMap(({ processed }) => processed.rows),
    nowMs,
  )
  const { items } = limited
  const dead = batch.entries.flatMap(({ record, processed }) =>
    processed.dead.map((item): PlacedDead => ({ ...item, position: record.position })),
  )
  const { inflight } = await readPosition(records, partition, batch.from)
  const found = await findDuplicates<Committable>(telemetry, partition, [...events, ...items], inflight?.held)
  const duplicates = new Map<Committable, EventEnd>([...found].map((item) => [item, DUPLICATE]))
  await storeDeadRecords(blobs, batch, dead)
  const files = await placeAttachments(stores, batch, inflight?.held)
  const recordings = await placeRecordings(stores, partition, without(items, duplicates), inflight?.held)
  const alreadyStored = inflight ? await findAlreadyStored(telemetry, batch, events) : NONE_STORED
  const spikeMemory = spikeMemoryOf(records)
  const counted = spikeMemory.count(inflight ? [] : without(events, duplicates))
  const thinMemory = thinMemoryOf(records)
  const userMemory = userMemoryOf(records)
  await afterStep('checked')

  const marked = await writeTransaction(records, async (tx) => {
    await owned.fence(tx)
    const { position, inflight: before } = await readPosition(tx, partition, batch.from)
    // An earlier attempt counted the batch and failed afterwards: counting it again would double it.
    if (position === batch.to) return undefined
    if (position !== batch.from) throw anotherConsumer(batch, position)
    const projectIds = new Set(events.map(({ projectId }) => projectId))
    // Whoever holds one waits for a batch that was begun before.
    if (!before && (await isAnyHeld(tx, projectIds))) return 'held'
    const ends = new Map(duplicates)
    const isGivenUp = await readGivenUp(tx, batch)
    for (const item of [...events, ...items]) if (isGivenUp(item)) ends.set(item, GIVEN_UP)
    for (const item of recordings.refused) ends.set(item, REPLAY_LIMIT)
    for (const item of await rowsWithoutProject(tx, without(items, ends))) ends.set(item, PROJECT_GONE)
    await writeRecordings(tx, partition, recordings.placed, (item) => ends.has(item), nowMs)
    await writeDeadRows(tx, batch, dead, nowMs)
    const issues = await followRedirects(tx, alreadyStored)
    const dropped = before
      ? new Set(events.filter((event) => before.held.get(placeKey(event)) === 'discarded'))
      : await discardedOf(tx, without(events, ends))
    for (const event of dropped) ends.set(event, DISCARDED)
    const isHeld = before && ((event: ProcessedEvent) => before.held.get(placeKey(event)) === 'new_issues')
    const resolved = await resolveIssues(tx, without(events, ends), nowMs, issues, {
      perMinute: newcomers.issue,
      isHeld,
    })
    const { issueOf } = resolved
    const spikes = await openSpikeSampling(tx, counted, nowMs)
    const thinning = await openThinning(tx, thinMemory, before ? new Map() : issueOf)
    const left = await chooseLeftOut(tx, { issueOf, before: before?.held, spikes, thinning })
    const held: HeldItems = new Map([
      ...[...left.reasonOf].map(([event, reason]) => [placeKey(event), reason] as const),
      ...[...left.waiting].map((event) => [placeKey(event), 'held_back'] as const),
      ...[...resolved.held].map((event) => [placeKey(event), 'new_issues'] as const),
      ...[...dropped].map((event) => [placeKey(event), 'discarded'] as const),
      ...files.refused.map((each) => [placeKey(each), 'attachment_quota'] as const),
      ...recordings.refused.map((each) => [placeKey(each), 'replay_limit'] as const),
    ])
    await markInflight(tx, batch, held, projectIds)
    const withEvent = new Map([
      ...[...resolved.held].filter(isSent).map(({ position: at }) => [at, HELD] as const),
      ...[...left.reasonOf.keys(), ...left.waiting, ...dropped]
        .filter(isSent)
        .map(({ position: at }) => [at, EVENT_DROPPED] as const),
    ])
    const endOf = ({ position: at }: PlacedItem) => withEvent.get(at)
    const attached = await writeAttachments(tx, batch, files.placed, { isGivenUp, endOf, nowMs })
    return {
      attached,
      dropped,
      ends,
      left,
      received: spikes.received,
      thinned: thinning.counted,
      ...resolved,
    }
  })
  if (marked === 'held') return marked
  if (!marked) {
    await log.commit(batch.to)
    return NOTHING_NEW
  }
  const { ends, issueOf, projectGone, created, attached, dropped, held, left } = marked
  spikeMemory.remember(counted, marked.received)
  thinMemory.remember(marked.thinned)
  for (const event of held) ends.set(event, HELD)
  for (const [event, reason] of left.reasonOf) ends.set(event, reason === 'spike' ? LEFT_OUT : THINNED)
  for (const event of left.waiting) ends.set(event, STORED_LATER)
  for (const event of projectGone) ends.set(event, PROJECT_GONE)
  const thinned = thinFound(without(events, ends), issueOf)
  for (const event of thinned.keys()) ends.set(event, LEFT_OUT)
  await afterStep('marked')

  // The stores of rows know no owners: who was frozen for longer than the lease must not begin. Who begins in time and
  // freezes within inserts what the next owner inserts, under the same tokens.
  owned.check()
  const leftOut = new Map([
    ...left.countedWith,
    ...Map.groupBy(thinned.keys(), (event) => thinned.get(event) ?? event),
  ])
  const rowOf = (event: ProcessedEvent): TelemetryRow => {
    const row = withIssueId(event.row, issueOf.get(event) ?? 0)
    const others = leftOut.get(event)
    if (!others) return row
    const users = userMemory.untold(alikeOf(event, issueOf.get(event) ?? 0), others)
    return withLeftOut(row, others.length, users)
  }
  // Skip rows that are already stored. The deduplication token cannot be trusted here: if the first attempt was split,
  // its halves used different tokens.
  const missing = without(events, ends).filter((event) => !alreadyStored.has(event))
  const refusedEvents = await insertRows(telemetry, 'events', missing, rowOf, token)
  for (const [event, others] of left.countedWith)
    userMemory.remember(alikeOf(event, issueOf.get(event) ?? 0), others)
  await afterStep('events')
  const refusedItems = await insertItems(telemetry, without(items, ends), token)
  const refused = [...refusedEvents, ...refusedItems]
  const refusedDead = refused.map(({ item, error }) => refusedLetter(item, error))
  for (const { item } of refused) ends.set(item, GIVEN_UP)
  await storeDeadRecords(blobs, batch, refusedDead)
  await afterStep('rows')

  const stored = without(events, ends)
  const indexed = [
    ...[...stored, ...thinned.keys()].map((event) => indexRow(partition, event, issueOf.get(event) ?? 0)),
    ...without(items, ends).map((item) => indexRow(partition, item, NO_ISSUE)),
  ]
  // Sent again, they are not counted again.
  const countedOnly = [...left.reasonOf.keys(), ...left.waiting]
  const countedIds = countedOnly.map(({ projectId, eventId, receivedMs }) =>
    encodeCountedIdRow({ projectId, id: countedId(eventId), receivedMs }),
  )

  const outcomes = [
    ...batch.entries.flatMap(({ processed }) => processed.outcomes),
    ...limited.outcomes,
    ...attached,
    ...files.refused.map((each) => attachmentOutcome(each, NO_ROOM)),
    ...[...dead, ...refusedDead].map(deadOutcome),
    ...events.filter(isSent).flatMap((event) => {
      const end = ends.get(event) ?? ACCEPTED
      return end === GIVEN_UP ? [] : [eventOutcome(event, end)]
    }),
    ...items.flatMap((item) => {
      const end = ends.get(item) ?? ACCEPTED
      return end === GIVEN_UP ? [] : rowOutcomes(item, end)
    }),
  ]
  // None needs another, and what an insert takes is most of all waiting for the disk.
  await together([
    telemetry.insert('event_index', indexed, token),
    telemetry.insert('counted_ids', countedIds, token),
    telemetry.insert('outcomes', outcomeRows(outcomes), token),
  ])
  await afterStep('outcomes')

  const seen = releaseMemoryOf(records).unknown(
    releasesIn([...stored, ...countedOnly], without(items, ends)),
    nowMs,
  )
  const firstSeen = firstSeenIn(records, stored, issueOf)
  const done = await writeTransaction(records, async (tx) => {
    await owned.fence(tx)
    const now = await readPosition(tx, partition, batch.from)
    // Another process took the partition over and has repeated the batch.
    if (now.position === batch.to) return undefined
    if (now.position !== batch.from || now.inflight?.to !== batch.to)
      throw anotherConsumer(batch, now.position)
    await writeDeadRows(tx, batch, refusedDead, nowMs)
    const unlisted = await recordReleases(tx, seen, newcomers.release)
    const { regressed, ownable } = await countEvents(tx, stored, issueOf, firstSeen, nowMs, leftOut)
    await noteOwners(tx, ownable, records, nowMs)
    const inSpikes = [...left.reasonOf].flatMap(([event, reason]) => (reason === 'spike' ? [event] : []))
    await noteSpikes(tx, inSpikes, stored)
    await holdEvents(tx, partition, left, (alike, others) => userMemory.untold(alike, others))
    await countDiscarded(tx, dropped)
    await noteCheckIns(tx, without(items, ends))
    await addSpanUsage(tx, without(items, ends).map(storedSpans))
    await moveTo(tx, partition, batch.to)
    return { regressed, unlisted }
  })
  if (!done) {
    await log.commit(batch.to)
    return NOTHING_NEW
  }
  const { regressed, unlisted } = done
  releaseMemoryOf(records).remember(
    seen.filter((release) => !unlisted.has(release)),
    nowMs,
  )
  firstSeen.remember()
  for (const [alike, others] of left.held) userMemory.remember(alike, others)
  await afterStep('counted')
  await log.commit(batch.to)
  await afterStep('consumed')

  return {
    events: stored.length,
    duplicates: [...ends.values()].filter((end) => end === DUPLICATE).length,
    dead: dead.length + refusedDead.length,
    projects: [...new Set(stored.map((event) => event.projectId))],
    issues: [...new Set(stored.map((event) => issueOf.get(event) ?? 0))],
    created,
    regressed,
  }
}

/** Throws what the first that failed threw, once all have ended: nothing goes on while the batch is tried again. */
async function together(inserts: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(inserts)
  await Promise.all(inserts)
}

const NOTHING_NEW: Committed = {
  events: 0,
  duplicates: 0,
  dead: 0,
  projects: [],
  issues: [],
  created: [],
  regressed: [],
}

const DUPLICATE: EventEnd = { outcome: 'invalid', reason: 'duplicate_event' }
/** The project made as many issues as a minute may. What it has already goes on. */
const HELD: EventEnd = { outcome: 'rate_limited', reason: 'new_issues' }
/** Counted with its issue: its project sends far more than usual. */
const LEFT_OUT: EventEnd = { outcome: 'filtered', reason: 'spike' }
/** Counted with its issue, which came many times that day. */
const THINNED: EventEnd = { outcome: 'filtered', reason: 'thinned' }
/** Waits for others like it, and is stored within a minute. */
const STORED_LATER: EventEnd = { outcome: 'accepted', reason: '' }
/** Somebody deleted their issue and wants no more of it. */
const DISCARDED: EventEnd = { outcome: 'filtered', reason: 'discarded_hash' }
const EVENT_DROPPED: EventEnd = { outcome: 'filtered', reason: 'event_dropped' }
const NO_ROOM: EventEnd = { outcome: 'rate_limited', reason: 'attachment_quota' }
/** Endless recordings end somewhere. */
const REPLAY_LIMIT: EventEnd = { outcome: 'invalid', reason: 'replay_limit' }
const PROJECT_GONE: EventEnd = { outcome: 'invalid', reason: 'project_gone' }
/** Counted with its dead letter, not a second time as an event. */
const GIVEN_UP: EventEnd = { outcome: 'failed', reason: 'digest_error' }

function without<Item extends Committable>(
  items: readonly Item[],
  ends: ReadonlyMap<Committable, EventEnd>,
): Item[] {
  return items.filter((item) => !ends.has(item))
}

/** What detectors found was not received: it has no outcome. */
const isSent = (event: ProcessedEvent): boolean => !isFound(event)

const NO_ISSUE = 0
const NONE_STORED: ReadonlyMap<ProcessedEvent, number> = new Map()

/** Made here: a dozen digits cost less to write than to hand over from a thread. */
function indexRow(logPartition: number, item: Committable, issueId: number): string {
  const { projectId, eventId, receivedMs, position: logPosition, itemIndex } = item
  const timestampMs = 'issue' in item ? item.issue.timestampMs : item.timestampMs
  const at = { timestampMs, receivedMs, logPartition, logPosition, itemIndex, revision: 0 }
  const row = encodeIndexRow({ projectId, eventId, ...at })
  return withIssueId(row, issueId)
}

function anotherConsumer(batch: Batch, position: number): SondeError {
  return new SondeError('conflict', `the records are at ${position}, this batch begins at ${batch.from}`, {
    operation: 'commit a batch',
    subject: batchToken(batch),
    hint: 'another pipeline works on the same records: run one of them only',
  })
}

function refusedLetter(item: Committable, error: Error): PlacedDead {
  const { position, projectId, keyId, receivedMs, itemIndex, category } = item
  const at = { position, projectId, keyId, receivedMs, itemIndex, category }
  return {
    ...at,
    itemType: 'issue' in item ? 'event' : category,
    reason: 'store_refused',
    detail: error.message.slice(0, 500),
  }
}
