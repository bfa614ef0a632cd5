/** The rows of a lot in telemetry: which are there, and taking the old ones away. */
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '@sonde/base'
import type { QueryParams, Telemetry, TelemetryTable } from '@sonde/stores'
import { WHOLE, type ScannedEvent } from './read-page.ts'
import { keyOf, type Lot, type LotItem } from './repair-cursor.ts'

type Engine = Pick<Telemetry, 'query'>
type Deleting = { readonly telemetry: Pick<Telemetry, 'deleteRows'>; readonly signal: AbortSignal }

/** Revisions of each row of the lot that are there, by `keyOf`. */
export async function storedRevisions(
  telemetry: Engine,
  lot: Lot,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await telemetry.query<Pick<LotItem, 'eventId' | 'logPosition' | 'itemIndex' | 'revision'>>(
    `SELECT toString(event_id) AS eventId, log_position AS logPosition, item_index AS itemIndex, revision
     FROM events WHERE ${IN_LOT}`,
    paramsOf(lot, lot.items),
  )
  const found = Map.groupBy(rows, keyOf)
  return new Map([...found].map(([key, same]) => [key, same.map(({ revision }) => revision)]))
}

/** Which rows of `event_index` name the new place already. */
export async function indexedAnew(telemetry: Engine, lot: Lot): Promise<ReadonlySet<string>> {
  const rows = await telemetry.query<Pick<LotItem, 'eventId' | 'logPosition' | 'itemIndex' | 'revision'>>(
    `SELECT toString(event_id) AS eventId, log_position AS logPosition, item_index AS itemIndex, revision
     FROM event_index WHERE ${IN_INDEX}`,
    paramsOf(lot, lot.items),
  )
  const revisionOf = new Map(lot.items.map((item) => [keyOf(item), item.revision]))
  return new Set(rows.filter((row) => row.revision > (revisionOf.get(keyOf(row)) ?? Infinity)).map(keyOf))
}

/** Whole, as they were before the lot. */
export async function readOldRows(
  telemetry: Engine,
  lot: Lot,
  items: readonly LotItem[],
): Promise<readonly ScannedEvent[]> {
  const rows = await telemetry.query<ScannedEvent>(
    `SELECT ${WHOLE} FROM events WHERE ${IN_LOT}`,
    paramsOf(lot, items),
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
  lot: Lot,
  items: readonly LotItem[],
): Promise<void> {
  // Nearly always there is one revision.
  for (const [revision, same] of Map.groupBy(items, (item) => item.revision)) {
    const where = `${table === 'events' ? IN_LOT : IN_INDEX} AND revision <= {revision:UInt32}`
    await deleteRows(needs, table, where, { ...paramsOf(lot, same), revision })
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

const NAMED = `event_id IN {events:Array(FixedString(32))} AND log_position IN {positions:Array(UInt64)}`
const IN_INDEX = `project_id = {project:UInt32} AND ${NAMED}`
const IN_LOT = `project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
  AND timestamp >= {oldest:DateTime64(3, 'UTC')} AND timestamp <= {newest:DateTime64(3, 'UTC')} AND ${NAMED}`

function paramsOf({ projectId }: Lot, items: readonly LotItem[]): QueryParams {
  const times = items.map(({ timestampMs }) => timestampMs)
  return {
    project: projectId,
    issues: [...new Set(items.flatMap(({ from, to }) => [from, to]))],
    oldest: times.reduce((a, b) => Math.min(a, b), Infinity),
    newest: times.reduce((a, b) => Math.max(a, b), 0),
    events: items.map(({ eventId }) => eventId),
    positions: [...new Set(items.map(({ logPosition }) => logPosition))],
  }
}

const stillThere = (table: string, rows: number): UnavailableError =>
  new UnavailableError(`${rows} replaced rows are still in ${table}`, {
    operation: 'delete rows that were replaced',
    subject: table,
    retryAfterSec: 10,
    hint: 'the engine is busy merging or out of memory or disk: it goes on by itself once it is not',
  })
