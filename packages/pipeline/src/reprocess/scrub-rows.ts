/**
 * Applies a project's scrubbing rules to stored rows that are no events: spans, logs and the other tables of `row-kinds.ts`. Rows
 * that change are noted, written anew with a higher revision, then the old ones are deleted. It may be interrupted anywhere
 * and called again: the new rows have a token that names the chunk, and until they are there nothing is deleted.
 */
import {
  isErasing,
  lineOf,
  readProjectSettings,
  type Records,
  withCells,
  writeTransaction,
} from '@sonde/stores'
import { DEFAULT_SCRUB_SETTINGS, type ScrubSettings } from '../scrub/settings.ts'
import { keyOf, rowIdOf, scrubbedColumns, type ScrubbedTable } from '../scrub/stored/row-kinds.ts'
import { scrubRow, type StoredCells } from '../scrub/stored/scrub-row.ts'
import { positionParams, positionsIn } from './gather-events.ts'
import {
  type OpenReprocessing,
  type ReprocessingCursor,
  type ReprocessingNeeds,
  type RowChunk,
  type RowPlace,
  saveCursor,
  type StepEnd,
} from './reprocessing-cursor.ts'
import { isSameScan, PAST_ALL, type Scan, scanAfter, scrubbedTableOf } from './scans.ts'
import { deleteRows } from './stored-chunk.ts'

/** A deletion costs the same for ten rows and for thousands; ids of so many fit into its statement. */
const MAX_CHANGED = 2_000
/** Then the place is noted, so that a stop costs no more than this. */
const MAX_SEEN = 50_000
/** Rows of a page; of the texts of a chunk so many are in memory. */
const PAGE = { first: 256, min: 16, max: 4_096, bytes: 2 * 1024 * 1024 }
const MAX_BYTES = 8 * 1024 * 1024

type Row = StoredCells & { readonly id: string; readonly position: number; readonly keys: readonly string[] }

/** Reads on from where the cursor is until enough rows are different. */
export async function planRows(
  needs: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  cursor: ReprocessingCursor,
  scans: readonly Scan[],
  scan: Scan,
): Promise<StepEnd> {
  const { records, throttle, afterStep } = needs
  const { projectId } = scan
  if (await isErasing(records, projectId)) return 'waits'
  const table = scrubbedTableOf(scan)
  const settings = await scrubSettingsOf(records, projectId)
  const changed: Row[] = []
  let after = isSameScan(scan, cursor.place) ? cursor.place?.afterRow : undefined
  let isEnd = false
  let seen = 0
  let bytes = 0
  let limit = PAGE.first
  while (!isEnd && seen < MAX_SEEN && changed.length < MAX_CHANGED && bytes < MAX_BYTES) {
    const rows = Math.min(limit, MAX_CHANGED - changed.length)
    const page = await readPage(needs, table, projectId, cursor, after, rows)
    const found = page.filter((row) => Object.keys(scrubRow(table, row, settings).cells).length > 0)
    changed.push(...found)
    bytes += bytesOf(found)
    seen += page.length
    isEnd = page.length < rows
    const last = page.at(-1)
    if (last) after = { keys: last.keys, id: last.id }
    limit = Math.floor((PAGE.bytes * page.length) / Math.max(1, bytesOf(page)))
    limit = Math.min(PAGE.max, Math.max(PAGE.min, limit))
    await throttle.rest()
  }
  const { kind, part } = scan
  const next = isEnd ? (scanAfter(scans, scan) ?? PAST_ALL) : { kind, part, projectId }
  const place = {
    kind: next.kind,
    part: next.part,
    projectId: next.projectId,
    ...(!isEnd && after && { afterRow: after }),
  }
  const onward: ReprocessingCursor = { ...cursor, place }
  if (changed.length === 0) {
    await saveCursor(records, reprocessing.id, onward, { seen })
    return 'more'
  }
  const rows: RowChunk = {
    table,
    projectId,
    ids: changed.map(({ id }) => id),
    positions: [...new Set(changed.map(({ position }) => position))],
  }
  const planned = { ...onward, rows, lots: cursor.lots + 1 }
  const isPlanned = await writeTransaction(records, async (tx) => {
    // What is deleted of a person must not be written again.
    if (await isErasing(tx, projectId)) return false
    await saveCursor(tx, reprocessing.id, planned, { seen })
    return true
  })
  if (!isPlanned) return 'waits'
  await afterStep('rows_planned')
  return finishRows(needs, reprocessing, planned, rows)
}

export async function finishRows(
  needs: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  cursor: ReprocessingCursor,
  chunk: RowChunk,
): Promise<StepEnd> {
  const { records, telemetry, afterStep, onChange } = needs
  const { table, projectId } = chunk
  const old = `project_id = {project:UInt32} AND log_position IN {positions:Array(UInt64)}
    AND ${rowIdOf(table)} IN {ids:Array(String)}`
  const params = { project: projectId, positions: chunk.positions, ids: chunk.ids }
  if (!chunk.isInserted) {
    const settings = await scrubSettingsOf(records, projectId)
    const rows = await telemetry.query<StoredCells & { readonly line: string; readonly next: number }>(
      `SELECT ${scrubbedColumns(table).join(', ')}, ${lineOf(table)} AS line, revision + 1 AS next FROM ${table}
       WHERE ${old} ORDER BY received, ${rowIdOf(table)}`,
      params,
    )
    const lines = rows.map((row) =>
      withCells(table, row.line, scrubRow(table, row, settings).cells, row.next),
    )
    if (lines.length > 0) await telemetry.insert(table, lines, `scrub:${reprocessing.id}:${cursor.lots}`)
    await afterStep('rows_inserted')
    await saveCursor(records, reprocessing.id, { ...cursor, rows: { ...chunk, isInserted: true } })
    await afterStep('rows_noted')
  }
  await deleteRows(needs, table, old, params)
  await afterStep('rows_deleted')
  const { rows: _, ...onward } = cursor
  await saveCursor(records, reprocessing.id, onward, { changed: chunk.ids.length })
  onChange({ projects: [projectId], issues: [], created: [], regressed: [] })
  return 'more'
}

/** The rules are those that the project has when it is read. */
async function scrubSettingsOf(records: Records, projectId: number): Promise<ScrubSettings> {
  const row = await records
    .selectFrom('project_setting')
    .select('value')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row ? readProjectSettings(row.value).scrub : DEFAULT_SCRUB_SETTINGS
}

async function readPage(
  { telemetry }: ReprocessingNeeds,
  table: ScrubbedTable,
  projectId: number,
  range: ReprocessingCursor,
  after: RowPlace | undefined,
  limit: number,
): Promise<readonly Row[]> {
  const key = keyOf(table)
  const names = key.map(({ name }) => name)
  const beyond = after ? `AND ${beyondOf(table)}` : ''
  return telemetry.query<Row>(
    `SELECT ${rowIdOf(table)} AS id, log_position AS position, [${names.map((name) => `toString(${name})`).join(', ')}] AS keys,
       ${scrubbedColumns(table).join(', ')}
     FROM ${table} WHERE project_id = {project:UInt32} AND ${positionsIn(range)} ${beyond}
     ORDER BY project_id, ${names.join(', ')}, ${rowIdOf(table)} LIMIT {limit:UInt32}`,
    {
      ...positionParams(range),
      project: projectId,
      limit,
      ...(after && { afterId: after.id }),
      ...(after && Object.fromEntries(after.keys.map((value, at) => [`after${at}`, value]))),
    },
  )
}

/** Nested, so that each half is a range of the key; a comparison of tuples would not be. */
function beyondOf(table: ScrubbedTable): string {
  return keyOf(table).reduceRight(
    (rest, { name, type }, at) =>
      `(${name} > {after${at}:${type}} OR (${name} = {after${at}:${type}} AND ${rest}))`,
    `${rowIdOf(table)} > {afterId:String}`,
  )
}

const bytesOf = (rows: readonly StoredCells[]): number =>
  rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0)
