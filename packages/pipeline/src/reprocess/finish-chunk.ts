/** Replaces the rows of a chunk that is planned, and moves what is counted of them. */
import { type Records, requestOwners, writeTransaction } from '@sonde/stores'
import { shiftSnooze } from '../moves/snoozes.ts'
import type { ReadAnew } from './gather-events.ts'
import { type IssueFigures, readIssueFigures } from './issue-figures.ts'
import {
  type Emptied,
  keyOf,
  type Chunk,
  type ChunkItem,
  type Moves,
  type OpenReprocessing,
  type ReprocessingCursor,
  type ReprocessingNeeds,
  saveCursor,
  type StepEnd,
} from './reprocessing-cursor.ts'
import { deleteRows, replaceRows } from './stored-chunk.ts'

/** `processed`: as it was planned a moment ago; undefined when an earlier chunk is taken up again. */
export async function finishChunk(
  needs: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  cursor: ReprocessingCursor,
  chunk: Chunk,
  processed: ReadonlyMap<string, ReadAnew> | undefined,
  created: readonly number[],
): Promise<StepEnd> {
  const { records, telemetry, onChange, afterStep } = needs
  const { projectId } = chunk
  const { lot: _, ...onward } = cursor
  if (await isGone(records, projectId)) return forget(needs, reprocessing, onward, projectId)
  const present = await replaceRows(needs, chunk, `repair:${reprocessing.id}:${cursor.lots}`, processed)
  const deltas = deltasOf(present)
  const touched = [...deltas.keys()]
  const known = {
    processed: new Map(present.flatMap((item) => namesOf(item, processed))),
    unchanged: await lastEventsBeside(records, touched, chunk),
  }
  const figures = await readIssueFigures(telemetry, projectId, touched, known)
  const moves = movesOf(present, cursor.moves)
  const emptied = moves
    .filter(({ from }) => !figures.has(from))
    .map(({ from, into }): Emptied => ({ issueId: from, intoId: mostOf(into) }))
  const moved = present.filter(({ from, to }) => from !== to).length
  const current = moves.find(({ from }) => from === cursor.place?.after?.issueId)
  const { moves: __, ...rest } = onward
  await writeTransaction(records, async (tx) => {
    await moveCounts(tx, deltas, figures)
    // Their frames have real paths now: rules and commits may find whom they did not before.
    await requestOwners(tx, touched)
    await saveCursor(
      tx,
      reprocessing.id,
      { ...rest, ...(current && { moves: current }), emptied },
      { changed: present.length, moved },
    )
  })
  await afterStep('counted')
  // The project was deleted while its rows were being replaced: the deletion of its rows may already be over.
  if (await isGone(records, projectId)) await removeRows(needs, projectId)
  onChange({ projects: [projectId], issues: touched, created, regressed: [] })
  return 'more'
}

const namesOf = (item: ChunkItem, processed: ReadonlyMap<string, ReadAnew> | undefined) => {
  const now = processed?.get(keyOf(item))
  return now ? [[item.eventId, now.issue] as const] : []
}

/** Events that issues are called after, of those that the chunk did not change. */
async function lastEventsBeside(
  records: Records,
  issueIds: readonly number[],
  chunk: Chunk,
): Promise<ReadonlySet<string>> {
  if (issueIds.length === 0) return new Set()
  const rows = await records.selectFrom('issue').select('last_event_id').where('id', 'in', issueIds).execute()
  const changed = new Set(chunk.items.map(({ eventId }) => eventId))
  return new Set(rows.map((row) => row.last_event_id).filter((id) => !changed.has(id)))
}

/** Added to what earlier chunks took from the issue that is still in hand. */
function movesOf(items: readonly ChunkItem[], before: Moves | undefined): readonly Moves[] {
  const all = Map.groupBy(
    items.filter(({ from, to }) => from !== to),
    ({ from }) => from,
  )
  return [...all].map(([from, own]) => {
    const into: Record<string, number> = before?.from === from ? { ...before.into } : {}
    for (const { to } of own) into[to] = (into[to] ?? 0) + 1
    return { from, into }
  })
}

/** Where most of its events went. */
const mostOf = (into: Moves['into']): number =>
  Number(Object.entries(into).reduce((a, b) => (b[1] > a[1] ? b : a), ['0', 0])[0])

async function isGone(records: Records, projectId: number): Promise<boolean> {
  const row = await records.selectFrom('project').select('id').where('id', '=', projectId).executeTakeFirst()
  return row === undefined
}

async function forget(
  needs: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  cursor: ReprocessingCursor,
  projectId: number,
): Promise<StepEnd> {
  await removeRows(needs, projectId)
  await saveCursor(needs.records, reprocessing.id, { ...cursor, emptied: [] })
  return 'more'
}

async function removeRows(needs: ReprocessingNeeds, projectId: number): Promise<void> {
  for (const table of ['events', 'event_index'] as const)
    await deleteRows(needs, table, 'project_id = {project:UInt32}', { project: projectId })
}

/** What a chunk changes of its issues. Runs in the transaction that moves the cursor, so that it happens once. */
type Delta = { events: number; readonly lostMs: number[] }

/** By issue: how many came or went, and the times of those that went. */
function deltasOf(items: readonly ChunkItem[]): ReadonlyMap<number, Delta> {
  const deltas = new Map<number, Delta>()
  const of = (id: number): Delta => {
    const known = deltas.get(id) ?? { events: 0, lostMs: [] }
    deltas.set(id, known)
    return known
  }
  for (const { from, to, timestampMs, leftOut = 0 } of items) {
    of(to)
    if (from === to) continue
    of(to).events += 1 + leftOut
    of(from).events -= 1 + leftOut
    of(from).lostMs.push(timestampMs)
  }
  return deltas
}

async function moveCounts(
  tx: Records,
  deltas: ReadonlyMap<number, Delta>,
  figures: ReadonlyMap<number, IssueFigures>,
): Promise<void> {
  for (const [id, delta] of deltas) {
    const issue = await tx.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst()
    if (!issue) continue
    const found = figures.get(id)
    const changes = found ? changesOf(issue, delta, found) : {}
    await tx
      .updateTable('issue')
      // It may pass below zero: events that came meanwhile are counted by their own transaction.
      .set({ ...changes, event_count: issue.event_count + delta.events })
      .where('id', '=', id)
      .execute()
    if (delta.events !== 0) await shiftSnooze(tx, id, delta.events)
  }
}

type IssueRow = {
  readonly first_seen_ms: number
  readonly last_seen_ms: number
  readonly first_release: string
  readonly last_release: string
  readonly is_unhandled: number
}

/**
 * Times widen by what came. Where the first or the last event went, they follow what is stored; else they stay, because
 * retention may have taken the events that they are of.
 */
function changesOf(issue: IssueRow, { lostMs }: Delta, { oldest, newest, isUnhandled }: IssueFigures) {
  const lostFirst = lostMs.some((ms) => ms <= issue.first_seen_ms)
  const lostLast = lostMs.some((ms) => ms >= issue.last_seen_ms)
  const firstSeenMs = lostFirst ? oldest.timestampMs : Math.min(issue.first_seen_ms, oldest.timestampMs)
  const lastSeenMs = lostLast ? newest.timestampMs : Math.max(issue.last_seen_ms, newest.timestampMs)
  const isOldest = oldest.timestampMs <= firstSeenMs
  const isNewest = newest.timestampMs >= lastSeenMs
  const hadUnhandled = lostMs.length === 0 && issue.is_unhandled === 1
  return {
    first_seen_ms: firstSeenMs,
    last_seen_ms: lastSeenMs,
    is_unhandled: isUnhandled || hadUnhandled ? 1 : 0,
    ...((lostFirst || (isOldest && oldest.release !== '')) && { first_release: oldest.release }),
    ...(isNewest && {
      type: newest.type,
      level: newest.level,
      title: newest.title,
      culprit: newest.culprit,
      platform: newest.platform,
      last_event_id: newest.eventId,
      ...newest.payload,
      ...((lostLast || newest.release !== '') && { last_release: newest.release }),
    }),
  }
}
