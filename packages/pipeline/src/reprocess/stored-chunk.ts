/** The rows of a chunk in telemetry: which are there, and taking the old ones away. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '@sonde/base'
import {
  encodeEventRow,
  encodeIndexRow,
  FIRST_PARTITION,
  type QueryParams,
  type Telemetry,
  type TelemetryTable,
  withIssueId,
} from '@sonde/stores'
import { type ReadAnew, type Reprocess, type ScannedEvent, toScrub, WHOLE } from './gather-events.ts'
import { keyOf, type Chunk, type ChunkItem, type ChunkRow } from './reprocessing-cursor.ts'
import type { ReprocessingStep } from './reprocessing-step.ts'

type Engine = Pick<Telemetry, 'query'>
type Deleting = { readonly telemetry: Pick<Telemetry, 'deleteRows'>; readonly signal: AbortSignal }

/** Revisions of each row of the chunk that are there, by `keyOf`. */
export async function storedRevisions(
  telemetry: Engine,
  chunk: Chunk,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await telemetry.query<
    Pick<ChunkItem, 'eventId' | 'logPartition' | 'logPosition' | 'itemIndex' | 'revision'>
  >(
    `SELECT toString(event_id) AS eventId, log_partition AS logPartition, log_position AS logPosition, item_index AS itemIndex, revision
     FROM events WHERE ${IN_LOT}`,
    paramsOf(chunk, chunk.items),
  )
  const found = Map.groupBy(rows, keyOf)
  return new Map([...found].map(([key, same]) => [key, same.map(({ revision }) => revision)]))
}

/** Which rows of `event_index` name the new place already. */
export async function indexedAnew(telemetry: Engine, chunk: Chunk): Promise<ReadonlySet<string>> {
  const rows = await telemetry.query<
    Pick<ChunkItem, 'eventId' | 'logPartition' | 'logPosition' | 'itemIndex' | 'revision'>
  >(
    `SELECT toString(event_id) AS eventId, log_partition AS logPartition, log_position AS logPosition, item_index AS itemIndex, revision
     FROM event_index WHERE ${IN_INDEX}`,
    paramsOf(chunk, chunk.items),
  )
  const revisionOf = new Map(chunk.items.map((item) => [keyOf(item), item.revision]))
  return new Set(rows.filter((row) => row.revision > (revisionOf.get(keyOf(row)) ?? Infinity)).map(keyOf))
}

/** Whole, as they were before the chunk. */
async function readOldRows(
  telemetry: Engine,
  chunk: Chunk,
  items: readonly ChunkItem[],
): Promise<readonly ScannedEvent[]> {
  const rows = await telemetry.query<ScannedEvent>(
    `SELECT ${WHOLE} FROM events WHERE ${IN_LOT}`,
    paramsOf(chunk, items),
  )
  const wanted = new Map(items.map((item) => [keyOf(item), item.revision]))
  return rows.filter((row) => wanted.get(keyOf(row)) === row.revision)
}

// Queries read around what is deleted at once; how long the engine takes to say so depends on what else it merges.
const LOOK_AGAIN_MS = 20
const LONGEST_PAUSE_MS = 500
const GIVE_UP_MS = 120_000

/**
 * Deletes the rows of before and waits until nobody sees them. Idempotent.
 */
export async function deleteOldRows(
  needs: Deleting,
  table: 'events' | 'event_index',
  chunk: Chunk,
  items: readonly ChunkItem[],
): Promise<void> {
  // Nearly always there is one revision.
  for (const [revision, same] of Map.groupBy(items, (item) => item.revision)) {
    const where = `${table === 'events' ? IN_LOT : IN_INDEX} AND revision <= {revision:UInt32}`
    await deleteRows(needs, table, where, { ...paramsOf(chunk, same), revision })
  }
}

/** Rejects when `signal` ended it: the next start goes on. */
export async function deleteRows(
  { telemetry, signal }: Deleting,
  table: TelemetryTable,
  where: string,
  params: QueryParams,
): Promise<void> {
  const untilMs = performance.now() + GIVE_UP_MS
  for (let pauseMs = LOOK_AGAIN_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const left = await telemetry.deleteRows(table, where, params)
    if (left === 0) return
    if (performance.now() > untilMs) throw stillThere(table, left)
    await sleep(pauseMs, undefined, { signal })
  }
}

const NAMED = `event_id IN {events:Array(FixedString(32))} AND log_position IN {positions:Array(UInt64)}
  AND log_partition IN {partitions:Array(UInt32)}`
const IN_INDEX = `project_id = {project:UInt32} AND ${NAMED}`
export const IN_LOT = `project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
  AND timestamp >= {oldest:DateTime64(3, 'UTC')} AND timestamp <= {newest:DateTime64(3, 'UTC')} AND ${NAMED}`

export function paramsOf({ projectId }: Chunk, items: readonly ChunkItem[]): QueryParams {
  const times = items.map(({ timestampMs }) => timestampMs)
  return {
    project: projectId,
    issues: [...new Set(items.flatMap(({ from, to }) => [from, to]))],
    oldest: times.reduce((a, b) => Math.min(a, b), Infinity),
    newest: times.reduce((a, b) => Math.max(a, b), 0),
    events: items.map(({ eventId }) => eventId),
    positions: [...new Set(items.map(({ logPosition }) => logPosition))],
    partitions: [...new Set(items.map(({ logPartition }) => logPartition ?? FIRST_PARTITION))],
  }
}

const stillThere = (table: string, rows: number): UnavailableError =>
  new UnavailableError(`${rows} replaced rows are still in ${table}`, {
    operation: 'delete rows that were replaced',
    subject: table,
    retryAfterSec: 10,
    hint: 'the engine is busy merging or out of memory or disk: it goes on by itself once it is not',
  })

/**
 * Puts the new rows of a chunk in and takes the old ones out. What is there decides what is done, so it may be interrupted
 * anywhere and done again; the plan (which issue) stays as it was noted.
 */
type Needs = {
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly reprocess: Reprocess
  readonly signal: AbortSignal
  readonly afterStep: (step: ReprocessingStep) => void | Promise<void>
}

/** Returns the items that are there now: others vanished meanwhile (their age, or somebody deleted them). */
export async function replaceRows(
  needs: Needs,
  chunk: Chunk,
  name: string,
  /** As they were just processed, by `keyOf`; undefined when an earlier chunk is taken up again. */
  processed: ReadonlyMap<string, ReadAnew> | undefined,
): Promise<readonly ChunkItem[]> {
  const { telemetry, afterStep } = needs
  const stored = processed ? new Map<string, readonly number[]>() : await storedRevisions(telemetry, chunk)
  const isNew = (item: ChunkItem): boolean =>
    (stored.get(keyOf(item)) ?? []).some((revision) => revision > item.revision)
  const there = chunk.items.filter(isNew)
  const missing = chunk.items.filter((item) => !isNew(item))
  const users = await leftOutUsers(telemetry, chunk, missing)
  const rows = processed
    ? rowsOf(missing, processed, users)
    : await processAgain(needs, chunk, missing, users)
  await insert(telemetry, 'events', rows, name)
  await afterStep('events')

  const present = [...there, ...rows.map(({ item }) => item)]
  const moved = present.filter(({ from, to }) => from !== to)
  const indexed = processed ? new Set<string>() : await indexedAnew(telemetry, chunk)
  const entries = moved.filter((item) => !indexed.has(keyOf(item)))
  await insert(
    telemetry,
    'event_index',
    entries.map((item) => ({ item, row: indexRow(chunk.projectId, item) })),
    name,
  )
  await afterStep('event_index')

  // In this order an event can be found by its id at any moment.
  if (moved.length > 0) await deleteOldRows(needs, 'event_index', chunk, moved)
  await afterStep('index_deleted')
  if (present.length > 0) await deleteOldRows(needs, 'events', chunk, present)
  await afterStep('events_deleted')
  return present
}

/** Of events that others count with, by `keyOf`. */
async function leftOutUsers(
  telemetry: Engine,
  chunk: Chunk,
  items: readonly ChunkItem[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const standing = items.filter(({ leftOut = 0 }) => leftOut > 0)
  if (standing.length === 0) return new Map()
  const rows = await telemetry.query<Parameters<typeof keyOf>[0] & { readonly users: readonly number[] }>(
    `SELECT toString(event_id) AS eventId, log_partition AS logPartition, log_position AS logPosition,
       item_index AS itemIndex, left_out_users AS users
     FROM events WHERE ${IN_LOT} AND notEmpty(left_out_users)`,
    paramsOf(chunk, standing),
  )
  return new Map(rows.map((row) => [keyOf(row), row.users]))
}

function rowsOf(
  items: readonly ChunkItem[],
  processed: ReadonlyMap<string, ReadAnew>,
  users: ReadonlyMap<string, readonly number[]>,
): readonly ChunkRow[] {
  return items.flatMap((item) => {
    const found = processed.get(keyOf(item))
    if (!found) return []
    const row = encodeEventRow({
      ...found.fields,
      revision: item.revision + 1,
      leftOut: item.leftOut,
      leftOutUsers: users.get(keyOf(item)),
    })
    return [{ item, row: withIssueId(row, item.to) }]
  })
}

/** The files may be others than when the chunk was planned: the content follows them, the issue the plan. */
async function processAgain(
  needs: Needs,
  chunk: Chunk,
  items: readonly ChunkItem[],
  users: ReadonlyMap<string, readonly number[]>,
): Promise<readonly ChunkRow[]> {
  if (items.length === 0) return []
  const old = await readOldRows(needs.telemetry, chunk, items)
  const results = await needs.reprocess(chunk.scrubs ? toScrub(old) : old)
  const found = old.flatMap((event, at) => {
    const result = results[at]
    return result?.ok ? [[keyOf(event), result] as const] : []
  })
  return rowsOf(items, new Map(found), users)
}

/**
 * The same rows for the same issues have the same token; those of an attempt that stored a part of them, or whose issue was
 * merged with another meanwhile, have another one.
 */
export async function insert(
  telemetry: Needs['telemetry'],
  table: 'events' | 'event_index',
  rows: readonly ChunkRow[],
  name: string,
): Promise<void> {
  if (rows.length === 0) return
  const keys = createHash('sha256')
  for (const { item } of rows) keys.update(`${keyOf(item)}:${item.revision}:${item.to}\n`)
  await telemetry.insert(
    table,
    rows.map(({ row }) => row),
    `${name}:${keys.digest('hex').slice(0, 32)}`,
  )
}

export function indexRow(projectId: number, item: ChunkItem): string {
  const { eventId, timestampMs, receivedMs, logPartition, logPosition, itemIndex, revision } = item
  const at = { timestampMs, receivedMs, logPartition, logPosition, itemIndex, revision: revision + 1 }
  return withIssueId(encodeIndexRow({ projectId, eventId, ...at }), item.to)
}
