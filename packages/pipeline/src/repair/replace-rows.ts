/**
 * Puts the new rows of a lot in and takes the old ones out. What is there decides what is done, so it may be interrupted
 * anywhere and done again; the plan (which issue) stays as it was noted.
 */
import { createHash } from 'node:crypto'
import { encodeEventRow, encodeIndexRow, type Telemetry, withIssueId } from '@sonde/stores'
import type { ReadAnew, Redigest } from './redigest.ts'
import { keyOf, type Lot, type LotItem, type LotRow } from './repair-cursor.ts'
import type { RepairStep } from './repair-steps.ts'
import { deleteOldRows, indexedAnew, readOldRows, storedRevisions } from './stored-lot.ts'

type Needs = {
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly redigest: Redigest
  readonly signal: AbortSignal
  readonly afterStep: (step: RepairStep) => void | Promise<void>
}

/** Returns the items that are there now: others vanished meanwhile (their age, or somebody deleted them). */
export async function replaceRows(
  needs: Needs,
  lot: Lot,
  name: string,
  /** As they were just digested, by `keyOf`; undefined when a lot of before is taken up again. */
  digested: ReadonlyMap<string, ReadAnew> | undefined,
): Promise<readonly LotItem[]> {
  const { telemetry, afterStep } = needs
  const stored = digested ? new Map<string, readonly number[]>() : await storedRevisions(telemetry, lot)
  const isNew = (item: LotItem): boolean =>
    (stored.get(keyOf(item)) ?? []).some((revision) => revision > item.revision)
  const there = lot.items.filter(isNew)
  const missing = lot.items.filter((item) => !isNew(item))
  const rows = digested ? rowsOf(missing, digested) : await digestAgain(needs, lot, missing)
  await insert(telemetry, 'events', rows, name)
  await afterStep('events')

  const present = [...there, ...rows.map(({ item }) => item)]
  const moved = present.filter(({ from, to }) => from !== to)
  const indexed = digested ? new Set<string>() : await indexedAnew(telemetry, lot)
  const entries = moved.filter((item) => !indexed.has(keyOf(item)))
  await insert(
    telemetry,
    'event_index',
    entries.map((item) => ({ item, row: indexRow(lot.projectId, item) })),
    name,
  )
  await afterStep('event_index')

  // In this order an event can be found by its id at any moment.
  if (moved.length > 0) await deleteOldRows(needs, 'event_index', lot, moved)
  await afterStep('index_deleted')
  if (present.length > 0) await deleteOldRows(needs, 'events', lot, present)
  await afterStep('events_deleted')
  return present
}

function rowsOf(items: readonly LotItem[], digested: ReadonlyMap<string, ReadAnew>): readonly LotRow[] {
  return items.flatMap((item) => {
    const found = digested.get(keyOf(item))
    if (!found) return []
    const row = encodeEventRow({ ...found.fields, revision: item.revision + 1 })
    return [{ item, row: withIssueId(row, item.to) }]
  })
}

/** The files may be others than when the lot was planned: the content follows them, the issue the plan. */
async function digestAgain(needs: Needs, lot: Lot, items: readonly LotItem[]): Promise<readonly LotRow[]> {
  if (items.length === 0) return []
  const old = await readOldRows(needs.telemetry, lot, items)
  const results = await needs.redigest(old)
  const found = old.flatMap((event, at) => {
    const result = results[at]
    return result?.ok ? [[keyOf(event), result] as const] : []
  })
  return rowsOf(items, new Map(found))
}

/** The same rows have the same token; those of an attempt that stored a part of them have another. */
async function insert(
  telemetry: Needs['telemetry'],
  table: 'events' | 'event_index',
  rows: readonly LotRow[],
  name: string,
): Promise<void> {
  if (rows.length === 0) return
  const keys = createHash('sha256')
  for (const { item } of rows) keys.update(`${keyOf(item)}:${item.revision}\n`)
  await telemetry.insert(
    table,
    rows.map(({ row }) => row),
    `${name}:${keys.digest('hex').slice(0, 32)}`,
  )
}

function indexRow(projectId: number, item: LotItem): string {
  const { eventId, timestampMs, receivedMs, logPosition, itemIndex, revision } = item
  const at = { timestampMs, receivedMs, logPosition, itemIndex, revision: revision + 1 }
  return withIssueId(encodeIndexRow({ projectId, eventId, ...at }), item.to)
}
