/** Chooses the issues of the next events that are different, and notes them before anything is touched. */
import {
  areEventsOnTheirWay,
  isErasing,
  openMoves,
  readHashes,
  type Records,
  writeTransaction,
} from '@sonde/stores'
import { createIssue } from '../commit/resolve-issues.ts'
import { rememberHash } from '../moves/remember-hash.ts'
import { copySnooze } from '../moves/snoozes.ts'
import type { IssueFields } from '../process/processed.ts'
import { finishChunk } from './finish-chunk.ts'
import { type ChangedEvent, issuesThatStay } from './gather-events.ts'
import {
  keyOf,
  type Chunk,
  type ChunkItem,
  type OpenReprocessing,
  type ReprocessingCursor,
  type ReprocessingNeeds,
  saveCursor,
  type StepEnd,
} from './reprocessing-cursor.ts'
import { isSameScan, PAST_ALL, type Scan, scanAfter } from './scans.ts'

export async function planChunk(
  needs: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  cursor: ReprocessingCursor,
  scans: readonly Scan[],
  scan: Scan,
): Promise<StepEnd> {
  const { records, telemetry, clock, gather, afterStep } = needs
  const { projectId } = scan
  const here: ReprocessingCursor = isSameScan(scan, cursor.place)
    ? cursor
    : { ...cursor, place: placeOfScan(scan) }
  const { changed, seen, occupied, last } = await gather(needs, scan, here)
  await afterStep('read')
  const next = last ? undefined : scanAfter(scans, scan)
  const place = last ? { ...placeOfScan(scan), after: placeOf(last) } : next ? placeOfScan(next) : PAST_ALL
  const { kept: before, ...reached } = { ...here, place }
  // If this chunk ends inside an issue, remember whether that issue kept its id, so the next chunk decides the same way.
  const keeps = last && (before === last.issueId || occupied.has(last.issueId))
  const onward: ReprocessingCursor = { ...reached, ...(keeps && { kept: last.issueId }) }
  if (changed.length === 0) {
    await saveCursor(records, reprocessing.id, onward, { seen })
    return 'more'
  }
  const issueIds = [...new Set(changed.map(({ event }) => event.issueId))]
  const others = await issuesThatStay(telemetry, scan, here, issueIds)
  const taken = others.union(occupied)
  const planned = await writeTransaction(records, async (tx) => {
    // Events are on their way to another issue, where they are counted already.
    if ((await openMoves(tx, projectId)).length > 0) return 'waits'
    // What is deleted of a person must not be written again.
    if (await isErasing(tx, projectId)) return 'waits'
    if (await areEventsOnTheirWay(tx, [projectId])) return 'waits'
    const regrouped = changed.map(({ event, now }) => ({
      ...event,
      hashesBefore: event.hashes,
      hashes: now.hashes,
      issue: now.issue,
    }))
    const chosen = await chooseIssues(tx, projectId, regrouped, { kept: before, taken }, clock.nowMs())
    // Its scans are not made any more: the next step goes on behind it.
    if (chosen === 'project_gone') {
      await saveCursor(tx, reprocessing.id, onward)
      return undefined
    }
    const chunk: Chunk = {
      projectId,
      items: itemsOf(changed, chosen.issueIds),
      ...(scan.kind === 'scrub' && { scrubs: true }),
    }
    const cursorNow: ReprocessingCursor = {
      ...onward,
      ...(last && chosen.kept === last.issueId && { kept: chosen.kept }),
      lot: chunk,
      lots: here.lots + 1,
    }
    await saveCursor(tx, reprocessing.id, cursorNow, { seen })
    return { chunk, cursor: cursorNow, created: chosen.created }
  })
  if (planned === 'waits') return planned
  await afterStep('planned')
  if (!planned) return 'more'
  const processed = new Map(changed.map(({ event, now }) => [keyOf(event), now]))
  return finishChunk(needs, reprocessing, planned.cursor, planned.chunk, processed, planned.created)
}

const placeOf = ({ issueId, timestampMs, eventId }: ChangedEvent['event']) => ({
  issueId,
  timestampMs,
  eventId,
})
const placeOfScan = ({ kind, part, projectId }: Scan) => ({ kind, part, projectId })

const itemsOf = (changed: readonly ChangedEvent[], issueIds: readonly number[]): ChunkItem[] =>
  changed.map(({ event }, at) => {
    const {
      eventId,
      logPartition,
      logPosition,
      itemIndex,
      timestampMs,
      receivedMs,
      revision,
      issueId: from,
      leftOut,
    } = event
    const to = issueIds[at] ?? from
    const place = {
      eventId,
      logPartition,
      logPosition,
      itemIndex,
      timestampMs,
      receivedMs,
      revision,
      from,
      to,
    }
    return leftOut > 0 ? { ...place, leftOut } : place
  })

/**
 * Which issue each event belongs to now. Ingest's rule (the issue that has any of its hashes, else a new one), with one
 * exception: an issue keeps its id for what its events are now, as long as it stands for no other readable error.
 */
type Regrouped = {
  readonly eventId: string
  /** Where it is. */
  readonly issueId: number
  readonly hashes: readonly string[]
  readonly hashesBefore: readonly string[]
  readonly issue: IssueFields
}

type ChosenIssues = {
  /** In the order of the events. */
  readonly issueIds: readonly number[]
  readonly created: readonly number[]
  /** The last issue that stands for what its events are now. */
  readonly kept: number | undefined
}

/** In the transaction that notes the plan. `taken`: issues with readable events that are not looked at. */
async function chooseIssues(
  tx: Records,
  projectId: number,
  events: readonly Regrouped[],
  { kept, taken }: { readonly kept: number | undefined; readonly taken: ReadonlySet<number> },
  nowMs: number,
): Promise<ChosenIssues | 'project_gone'> {
  const project = await tx
    .selectFrom('project')
    .select('issue_counter')
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (!project) return 'project_gone'
  const known = await readHashes(tx, projectId, events)
  const occupied = new Set(taken)
  if (kept !== undefined) occupied.add(kept)
  let lastKept = kept
  let counter = project.issue_counter
  const created: number[] = []
  const issueIds: number[] = []
  const merged = await mergedByPeople(tx, projectId)
  for (const event of events) {
    let issueId = event.hashes.map((hash) => known.get(hash)).find((id) => id !== undefined)
    // People said that its errors are one.
    if (issueId === undefined && merged.has(event.issueId)) issueId = event.issueId
    if (issueId === undefined && !occupied.has(event.issueId) && (await exists(tx, event.issueId)))
      issueId = event.issueId
    if (issueId === undefined) {
      issueId = await createIssue(tx, { projectId, ...event }, ++counter, nowMs)
      await inheritDecision(tx, event.issueId, issueId)
      // Its events are counted, and left out of what it waits for, once they are there.
      await copySnooze(tx, event.issueId, issueId, 0, nowMs)
      created.push(issueId)
    }
    if (issueId === event.issueId) {
      occupied.add(issueId)
      lastKept = issueId
    }
    issueIds.push(issueId)
    for (const hash of event.hashes) {
      if (known.has(hash)) continue
      await tx.insertInto('issue_hash').values({ project_id: projectId, hash, issue_id: issueId }).execute()
      known.set(hash, issueId)
      if (merged.has(issueId)) await rememberHash(tx, projectId, event.hashesBefore, hash)
    }
  }
  if (counter !== project.issue_counter)
    await tx.updateTable('project').set({ issue_counter: counter }).where('id', '=', projectId).execute()
  return { issueIds, created, kept: lastKept }
}

/** Issues that others were merged into. */
async function mergedByPeople(tx: Records, projectId: number): Promise<ReadonlySet<number>> {
  const rows = await tx
    .selectFrom('issue_merge')
    .select('into_issue_id')
    .where('project_id', '=', projectId)
    .distinct()
    .execute()
  return new Set(rows.map((row) => row.into_issue_id))
}

async function exists(tx: Records, id: number): Promise<boolean> {
  return (await tx.selectFrom('issue').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Decisions about the old issue hold for the issues split from it: nobody is notified again of what was archived. */
async function inheritDecision(tx: Records, from: number, to: number): Promise<void> {
  const row = await tx
    .selectFrom('issue')
    .select(['status', 'substatus', 'resolved_in', 'resolved_release', 'regressed_release'])
    .where('id', '=', from)
    .executeTakeFirst()
  if (row) await tx.updateTable('issue').set(row).where('id', '=', to).execute()
}
