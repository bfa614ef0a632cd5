/**
 * Commits one batch to every store, exactly once by construction (guarantee G2). Each step may be interrupted and the
 * whole repeated: telemetry drops what carries a token it has seen, blobs and dead letters are written over, and the
 * counts move in the same transaction as the position. Between the two transactions the batch is marked as in flight,
 * so that after a crash the very same stretch of the log is committed again, not a longer one under other tokens.
 */
import { type Clock, SondeError } from '@sonde/base'
import type { LogReader } from '@sonde/log'
import { type Blobs, encodeIndexRow, type Records, type Telemetry, withIssueId } from '@sonde/stores'
import type { DigestedEvent } from '../digest/digested.ts'
import { type Batch, batchToken } from './batch.ts'
import { countEvents } from './count-events.ts'
import { type PlacedDead, readGivenUp, storeDeadRecords, writeDeadRows } from './dead-rows.ts'
import { findDuplicates } from './find-duplicates.ts'
import { insertEvents } from './insert-events.ts'
import { ACCEPTED, deadOutcome, type EventEnd, eventOutcome, outcomeRows } from './outcomes.ts'
import { markInflight, moveTo, readPosition } from './pipeline-state.ts'
import { resolveIssues } from './resolve-issues.ts'
import { placeAttachments, writeAttachments } from './store-attachments.ts'

export type CommitStores = {
  readonly log: Pick<LogReader, 'commit'>
  readonly records: Records
  readonly telemetry: Telemetry
  readonly blobs: Blobs
  readonly clock: Clock
  /** Called after each step; tests throw here to stand for a crash. */
  readonly afterStep?: (step: CommitStep) => void | Promise<void>
}
export const COMMIT_STEPS = [
  'checked',
  'marked',
  'events',
  'event_index',
  'outcomes',
  'counted',
  'consumed',
] as const
export type CommitStep = (typeof COMMIT_STEPS)[number]

export type Committed = {
  readonly events: number
  readonly duplicates: number
  readonly dead: number
  readonly projects: readonly number[]
  readonly issues: readonly number[]
  readonly created: readonly number[]
  readonly regressed: readonly number[]
}

export async function commitBatch(stores: CommitStores, batch: Batch): Promise<Committed> {
  const { records, telemetry, blobs, clock, log, afterStep = () => undefined } = stores
  const token = batchToken(batch)
  const nowMs = clock.nowMs()
  const events = batch.entries.flatMap(({ digested }) => digested.events)
  const dead = batch.entries.flatMap(({ record, digested }) =>
    digested.dead.map((item): PlacedDead => ({ ...item, position: record.position })),
  )
  const ends = new Map<DigestedEvent, EventEnd>()

  for (const event of await findDuplicates(telemetry, events)) ends.set(event, DUPLICATE)
  await storeDeadRecords(blobs, batch, dead)
  const files = await placeAttachments(stores, batch)
  await afterStep('checked')

  const marked = await records.transaction().execute(async (tx) => {
    const { position } = await readPosition(tx, batch.from)
    // An earlier attempt counted the batch and failed afterwards: counting it again would double it.
    if (position === batch.to) return undefined
    if (position !== batch.from) throw anotherConsumer(batch, position)
    const isGivenUp = await readGivenUp(tx, batch)
    for (const event of events) if (isGivenUp(event)) ends.set(event, GIVEN_UP)
    await writeDeadRows(tx, dead, nowMs)
    await markInflight(tx, batch.from, batch.to)
    const attached = await writeAttachments(tx, files, isGivenUp, nowMs)
    return { attached, ...(await resolveIssues(tx, without(events, ends), nowMs)) }
  })
  if (!marked) {
    await log.commit(batch.to)
    return NOTHING_NEW
  }
  const { issueOf, homeless, created, attached } = marked
  for (const event of homeless) ends.set(event, HOMELESS)
  await afterStep('marked')

  const refused = await insertEvents(telemetry, without(events, ends), issueOf, token)
  const refusedDead = refused.map(({ event, error }) => refusedLetter(event, error))
  for (const { event } of refused) ends.set(event, GIVEN_UP)
  await storeDeadRecords(blobs, batch, refusedDead)
  await afterStep('events')

  const stored = without(events, ends)
  await telemetry.insert('event_index', indexRows(stored, issueOf), token)
  await afterStep('event_index')

  const outcomes = [
    ...batch.entries.flatMap(({ digested }) => digested.outcomes),
    ...attached,
    ...[...dead, ...refusedDead].map(deadOutcome),
    ...events.flatMap((event) => {
      const end = ends.get(event) ?? ACCEPTED
      return end === GIVEN_UP ? [] : [eventOutcome(event, end)]
    }),
  ]
  await telemetry.insert('outcomes', outcomeRows(outcomes), token)
  await afterStep('outcomes')

  const { regressed } = await records.transaction().execute(async (tx) => {
    await writeDeadRows(tx, refusedDead, nowMs)
    const counted = await countEvents(tx, stored, issueOf)
    await moveTo(tx, batch.to)
    return counted
  })
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
const HOMELESS: EventEnd = { outcome: 'invalid', reason: 'project_gone' }
/** Counted with its dead letter, not a second time as an event. */
const GIVEN_UP: EventEnd = { outcome: 'failed', reason: 'digest_error' }

function without(
  events: readonly DigestedEvent[],
  ends: ReadonlyMap<DigestedEvent, EventEnd>,
): DigestedEvent[] {
  return events.filter((event) => !ends.has(event))
}

/** Made here: a dozen digits cost less to write than to hand over from a thread. */
function indexRows(events: readonly DigestedEvent[], issueOf: ReadonlyMap<DigestedEvent, number>): string[] {
  return events.map((event) => {
    const { projectId, eventId, receivedMs, position: logPosition, itemIndex, issue } = event
    const { timestampMs } = issue
    const row = encodeIndexRow({ projectId, eventId, timestampMs, receivedMs, logPosition, itemIndex })
    return withIssueId(row, issueOf.get(event) ?? 0)
  })
}

function anotherConsumer(batch: Batch, position: number): SondeError {
  return new SondeError('conflict', `the records are at ${position}, this batch begins at ${batch.from}`, {
    operation: 'commit a batch',
    subject: batchToken(batch),
    hint: 'another pipeline works on the same records: run one of them only',
  })
}

function refusedLetter(event: DigestedEvent, error: Error): PlacedDead {
  const { position, projectId, keyId, receivedMs, itemIndex, category } = event
  const at = { position, projectId, keyId, receivedMs, itemIndex, category }
  return { ...at, itemType: 'event', reason: 'store_refused', detail: error.message.slice(0, 500) }
}
