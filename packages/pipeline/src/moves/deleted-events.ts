/**
 * Chosen events are deleted, and had back within a day. Their issues change in one transaction; their rows follow (`hide-events.ts`):
 * from `events` to `deleted_events`, which no query of people reads, or back.
 */
import {
  type Counted,
  countedEvents,
  hideEvents,
  isErasing,
  openMoves,
  readHashes,
  type Records,
  type Telemetry,
} from '@sonde/stores'
import { paramsOf, IN_LOT } from '../reprocess/stored-chunk.ts'
import { figuresOfEvents, leftFigures, mergedFigures, readIssue, ruledPriority } from './merge-state.ts'
import { shiftSnooze } from './snoozes.ts'
import { compareAll } from './take-out.ts'

/** A row of `events`, or of `deleted_events`. */
export type DeletedItem = {
  readonly eventId: string
  readonly logPartition: number
  readonly logPosition: number
  readonly itemIndex: number
  readonly timestampMs: number
  readonly receivedMs: number
  readonly revision: number
  /** Its issue, and the one that it goes back to; 0: that is gone, and the event goes with it. */
  readonly from: number
  readonly to: number
}

type Needs = { readonly records: Records; readonly telemetry: Pick<Telemetry, 'query'> }
type Stored = Omit<DeletedItem, 'to'> & { readonly hashes: readonly string[] }
type DeletionPlan = {
  readonly items: readonly DeletedItem[]
  /** By issue: what goes, and what is left of it that is stored. */
  readonly issues: ReadonlyMap<number, { readonly gone: Counted; readonly left: Counted | undefined }>
}

export type DeleteEventsInput = {
  readonly projectId: number
  readonly eventIds: readonly string[]
  readonly actor: string
}
export type DeletedEvents = {
  readonly deletionId: number
  readonly issues: readonly number[]
  /** With those that a spike left out. */
  readonly events: number
}

/** While nothing of the project is in flight. */
export async function planDeletion(
  { telemetry }: Needs,
  { projectId, eventIds }: DeleteEventsInput,
): Promise<DeletionPlan> {
  const places = await telemetry.query<{ issueId: number }>(
    `SELECT DISTINCT issue_id AS issueId FROM event_index
     WHERE project_id = {project:UInt32} AND event_id IN {events:Array(FixedString(32))}`,
    { project: projectId, events: eventIds },
  )
  const issueIds = places.map(({ issueId }) => issueId)
  if (issueIds.length === 0) return { items: [], issues: new Map() }
  const items = await readItems(telemetry, 'events', projectId, issueIds, eventIds)
  const chosen = { table: 'events', projectId, issueIds, eventIds } as const
  const gone = await countedEvents(telemetry, chosen)
  const left = await countedEvents(telemetry, { ...chosen, others: true })
  return {
    items: items.map(({ hashes: _hashes, ...item }) => ({ ...item, to: item.from })),
    issues: new Map([...gone].map(([id, counted]) => [id, { gone: counted, left: left.get(id) }])),
  }
}

const readItems = (
  telemetry: Needs['telemetry'],
  table: 'events' | 'deleted_events',
  projectId: number,
  issueIds: readonly number[],
  eventIds: readonly string[],
): Promise<readonly Stored[]> =>
  telemetry.query<Stored>(
    `SELECT toString(event_id) AS eventId, log_partition AS logPartition, log_position AS logPosition,
       item_index AS itemIndex, toUnixTimestamp64Milli(timestamp) AS timestampMs,
       toUnixTimestamp64Milli(received) AS receivedMs, revision, issue_id AS from, hashes
     FROM ${table} WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND event_id IN {events:Array(FixedString(32))} ORDER BY timestamp, event_id`,
    { project: projectId, issues: issueIds, events: eventIds },
  )

/** In the transaction. Counts go down at once, and what the issue is called follows what is left. */
export async function deleteEventsIn(
  tx: Records,
  { projectId, actor }: DeleteEventsInput,
  { items, issues }: DeletionPlan,
  atMs: number,
): Promise<DeletedEvents | 'gone' | 'moving'> {
  if ((await openMoves(tx, projectId)).length > 0 || (await isErasing(tx, projectId))) return 'moving'
  if (items.length === 0) return 'gone'
  let events = 0
  for (const [id, { gone, left }] of issues) {
    const issue = await readIssue(tx, id)
    if (!issue) continue
    const compare = await compareAll(tx, [issue], { projectId, gone, left })
    const rest = leftFigures(issue, figuresOfEvents(gone, compare), left && figuresOfEvents(left, compare))
    const event_count = Math.max(0, issue.event_count - gone.events)
    await tx
      .updateTable('issue')
      .set({ ...rest, ...ruledPriority({ ...issue, ...rest }), event_count })
      .where('id', '=', id)
      .execute()
    await shiftSnooze(tx, id, -gone.events)
    // What it was without others is not known any more: a part of it is gone.
    await tx.updateTable('issue_merge_base').set({ figures: '' }).where('issue_id', '=', id).execute()
    events += gone.events
  }
  const issueIds = [...issues.keys()]
  const what = { projectId, issueIds, count: events, items: JSON.stringify(items) }
  const deletionId = await hideEvents(tx, { actor, atMs }, what)
  return deletionId === undefined ? 'gone' : { deletionId, issues: issueIds, events }
}

export type RestoreEventsInput = { readonly projectId: number; readonly deletionId: number }
export type RestoredEvents = { readonly issues: readonly number[]; readonly events: number }
type RestorePlan = DeletionPlan | undefined

/** What is still there of them: age and erasures reach them too. They go to where their fingerprints lead now. */
export async function planRestore(
  { records, telemetry }: Needs,
  { projectId, deletionId }: RestoreEventsInput,
): Promise<RestorePlan> {
  const row = await records
    .selectFrom('event_deletion')
    .select('items')
    .where('id', '=', deletionId)
    .where('project_id', '=', projectId)
    .where('state', '=', 'hidden')
    .executeTakeFirst()
  if (!row) return undefined
  const noted = JSON.parse(row.items) as DeletedItem[]
  const issueIds = [...new Set(noted.map(({ from }) => from))]
  const eventIds = noted.map(({ eventId }) => eventId)
  const stored = await readItems(telemetry, 'deleted_events', projectId, issueIds, eventIds)
  const known = await readHashes(records, projectId, stored)
  const items = stored.map(({ hashes, ...item }) => ({
    ...item,
    to: hashes.map((hash) => known.get(hash)).find((id) => id !== undefined) ?? item.from,
  }))
  const issues = new Map<number, { gone: Counted; left: undefined }>()
  for (const [to, own] of Map.groupBy(items, (item) => item.to)) {
    const ids = own.map(({ eventId }) => eventId)
    const counted = await countedEvents(telemetry, {
      table: 'deleted_events',
      projectId,
      issueIds,
      eventIds: ids,
      asOne: to,
    })
    const gone = counted.get(to)
    if (gone) issues.set(to, { gone, left: undefined })
  }
  return { items, issues }
}

/** In the transaction. */
export async function restoreEventsIn(
  tx: Records,
  { projectId, deletionId }: RestoreEventsInput,
  plan: RestorePlan,
  atMs: number,
): Promise<RestoredEvents | 'gone' | 'moving'> {
  if ((await openMoves(tx, projectId)).length > 0 || (await isErasing(tx, projectId))) return 'moving'
  if (!plan) return 'gone'
  const reached: number[] = []
  let events = 0
  const row = await tx
    .selectFrom('event_deletion')
    .innerJoin('recently_deleted as line', 'line.id', 'event_deletion.id')
    .select('line.id')
    .where('line.id', '=', deletionId)
    .where('state', '=', 'hidden')
    .where('line.purge_ms', '>', atMs)
    .executeTakeFirst()
  if (!row) return 'gone'
  for (const [id, { gone }] of plan.issues) {
    const issue = await readIssue(tx, id)
    if (!issue) continue
    const compare = await compareAll(tx, [issue], { projectId, gone, left: undefined })
    const whole = mergedFigures(issue, figuresOfEvents(gone, compare), compare)
    await tx
      .updateTable('issue')
      .set({
        ...whole,
        ...ruledPriority({ ...issue, ...whole }),
        event_count: issue.event_count + gone.events,
      })
      .where('id', '=', id)
      .execute()
    await shiftSnooze(tx, id, gone.events)
    reached.push(id)
    events += gone.events
  }
  if (reached.length === 0) return 'gone'
  const items = plan.items.map((item) => (reached.includes(item.to) ? item : { ...item, to: 0 }))
  await tx
    .updateTable('event_deletion')
    .set({ state: 'restores', items: JSON.stringify(items), is_copied: 0 })
    .where('id', '=', deletionId)
    .execute()
  await tx.deleteFrom('recently_deleted').where('id', '=', deletionId).execute()
  return { issues: reached, events }
}

export const chunkOf = (projectId: number, items: readonly DeletedItem[]) => ({
  where: IN_LOT,
  params: paramsOf({ projectId, items }, items),
})
