/**
 * The rows of the engine in this process to servers, in pieces of its parts. A piece is a range of one part, and its name is
 * the token under which it is inserted: repeated after whatever happened, it is there once. The parts may not change
 * meanwhile: the engine is opened with `keepsParts`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base'
import { engineErrorCode } from '../telemetry/engine-error.ts'
import { ROW_COLUMNS } from '../telemetry/rows.ts'
import type { Table } from '../telemetry/tables/table.ts'
import { TABLES, TELEMETRY_TABLES, type TelemetryTable } from '../telemetry/tables/tables.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Compared } from './compared.ts'

/** How far a copy came. JSON. */
export type TelemetryCopied = {
  /** Of each part, in rows from its beginning; by `table/part`. */
  readonly rows: Readonly<Record<string, number>>
  /** Where the piece ends that is or was sent: the very same has to come again. */
  readonly sending?: { readonly part: string; readonly end: number }
}

export type Part = {
  readonly table: TelemetryTable
  readonly name: string
  readonly partition: string
  readonly rows: number
  readonly bytes: number
}

export type CopyTelemetry = {
  readonly from: Pick<Telemetry, 'query' | 'readNative'>
  readonly to: Pick<Telemetry, 'query' | 'insertNative'>
  /** Of the move: what another one copies has other tokens. */
  readonly mark: string
  readonly copied: TelemetryCopied
  /** Before each piece, and at the end: has to be kept when it returns, and is `copied` of the next try. */
  readonly save: (copied: TelemetryCopied) => void
  readonly onCopied: (piece: CopiedPiece) => void
  readonly pieceBytes?: number
}
export type CopiedPiece = { readonly part: Part; readonly rows: number; readonly bytes: number }

const OPERATION = 'move the telemetry'
// Uncompressed, by the mean of the part. One piece is sent while the next is read, and the server has it in memory too.
const PIECE_BYTES = 32 * 1024 * 1024
// An insert of more is divided by the server, and tokens stand for undivided ones.
const PIECE_ROWS = 500_000

/** Throws `conflict` for tables that have rows. */
export async function checkTelemetryTarget(
  { query }: Pick<Telemetry, 'query'>,
  place: string,
): Promise<void> {
  for (const table of TELEMETRY_TABLES) {
    const [found] = await query<{ n: number }>(`SELECT count() AS n FROM (SELECT 1 FROM ${table} LIMIT 1)`)
    if (found?.n === 0) continue
    throw new SondeError('conflict', `${OPERATION}: ${place} is not empty: ${table} has rows`, {
      operation: OPERATION,
      subject: place,
      hint: 'make a new database, or drop this one and make it anew if nobody needs what is in it',
    })
  }
}

export async function telemetryParts({ query }: Pick<Telemetry, 'query'>): Promise<readonly Part[]> {
  return query<Part>(
    `SELECT table, name, partition, rows, data_uncompressed_bytes AS bytes FROM system.parts
     WHERE active AND rows > 0 AND database = currentDatabase() AND table IN {names:Array(String)}
     ORDER BY table, partition, min_block_number`,
    { names: TELEMETRY_TABLES },
  )
}

/** Throws `conflict` when parts that were copied before are not there any more. */
export async function copyTelemetry(copy: CopyTelemetry): Promise<void> {
  const { from, to, mark, save, onCopied, pieceBytes = PIECE_BYTES } = copy
  const parts = await telemetryParts(from)
  checkParts(copy.copied, parts)
  const { sending: before } = copy.copied
  let { rows } = copy.copied
  let sent: Promise<void> = Promise.resolve()
  for (const part of parts) {
    const key = keyOf(part)
    for (let first = rows[key] ?? 0; first < part.rows;) {
      const known = before?.part === key && before.end > first ? before.end : undefined
      const piece = await readPiece(from, part, first, { known, pieceBytes })
      await sent
      const { end, bytes } = piece
      save({ rows, sending: { part: key, end } })
      const token = `move ${mark} ${key} ${first}-${end}`
      const send = async (count: number): Promise<void> => {
        // A piece whose rows were all deleted has none to send.
        if (bytes.length > 0) await trying(async () => to.insertNative?.(part.table, bytes, token))
        rows = { ...rows, [key]: end }
        onCopied({ part, rows: count, bytes: bytes.length })
      }
      sent = send(end - first)
      // Awaited with the next piece: until then a failure is nobody's.
      sent.catch(() => undefined)
      first = end
    }
  }
  await sent
  save({ rows })
}

type Cut = { readonly known: number | undefined; readonly pieceBytes: number }

/**
 * Rows of a part differ in size, and large ones lie together: what turns out too large is read again in halves. A piece that was
 * sent before is read as it was then.
 */
async function readPiece(
  { readNative }: CopyTelemetry['from'],
  part: Part,
  first: number,
  { known, pieceBytes }: Cut,
): Promise<{ readonly end: number; readonly bytes: Uint8Array }> {
  const likely = Math.floor((pieceBytes * part.rows) / (part.bytes || 1))
  let end = known ?? Math.min(part.rows, first + Math.max(1, Math.min(PIECE_ROWS, likely)))
  for (;;) {
    const canHalve = known === undefined && end - first > 1
    try {
      const memory = canHalve ? pieceBytes * READ_FACTOR : NO_LIMIT
      const range = { part: part.name, first, end }
      const bytes = (await readNative?.(pieceStatement(part, memory), range)) ?? new Uint8Array()
      if (!canHalve || bytes.length <= pieceBytes * LARGE_FACTOR) return { end, bytes }
    } catch (error) {
      const cause = error instanceof SondeError ? error.cause : undefined
      if (!canHalve || engineErrorCode(cause) !== MEMORY_LIMIT_EXCEEDED) throw error
    }
    end = first + Math.floor((end - first) / 2)
  }
}
// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const MEMORY_LIMIT_EXCEEDED = 241
/** But the engine's own. */
const NO_LIMIT = 0
/** How much larger than usual a piece may be, and what reading it may take: granules are read whole, and copied on the way. */
const LARGE_FACTOR = 2
const READ_FACTOR = 8

/**
 * Waits until what was begun of deleting rows is done, and stops what would merge parts: from then on they stay as they are
 * until the engine is closed. Throws `unavailable` for a deletion that gets nowhere.
 */
export async function holdParts({ query, command }: Pick<Telemetry, 'query' | 'command'>): Promise<void> {
  const untilMs = performance.now() + DELETING_MS
  for (;;) {
    const [left] = await query<{ n: number; reason: string }>(
      `SELECT count() AS n, anyLast(latest_fail_reason) AS reason FROM system.mutations
       WHERE database = currentDatabase() AND NOT is_done`,
    )
    if (!left || left.n === 0) break
    if (performance.now() > untilMs)
      throw new SondeError(
        'unavailable',
        `${OPERATION}: rows that were deleted are still there: ${left.reason}`,
        {
          operation: OPERATION,
          hint: 'start this Sonde as it was until `sonde doctor` finds nothing wrong, then move',
        },
      )
    await sleep(LOOK_EVERY_MS)
  }
  await command('SYSTEM STOP MERGES')
  const merging = 'SELECT count() AS n FROM system.merges WHERE database = currentDatabase()'
  while (((await query<{ n: number }>(merging))[0]?.n ?? 0) > 0) await sleep(LOOK_EVERY_MS)
}
const LOOK_EVERY_MS = 100
const DELETING_MS = 600_000

/** A copy takes hours, and a server may be restarted meanwhile: the same piece again is there once. */
async function trying(insert: () => Promise<void>): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await insert()
    } catch (error) {
      const isPassing = error instanceof SondeError && error.kind === 'unavailable'
      if (!isPassing || pauseMs > LAST_PAUSE_MS) throw error
      await sleep(pauseMs)
    }
  }
}
const FIRST_PAUSE_MS = 500
/** Half a minute together. */
const LAST_PAUSE_MS = 16_000

const keyOf = ({ table, name }: Part): string => `${table}/${name}`

const pieceStatement = ({ table }: Part, maxMemoryBytes: number): string =>
  `SELECT ${ROW_COLUMNS[table].join(', ')} FROM ${table}
   WHERE _part = {part:String} AND _part_offset >= {first:UInt64} AND _part_offset < {end:UInt64}
   SETTINGS max_threads = 1, max_memory_usage = ${Math.floor(maxMemoryBytes)}`

function checkParts({ rows }: TelemetryCopied, parts: readonly Part[]): void {
  const there = new Set(parts.map(keyOf))
  const gone = Object.keys(rows).filter((key) => !there.has(key))
  if (gone.length === 0) return
  throw new SondeError('conflict', `${OPERATION}: it changed since it was interrupted: ${gone[0]} is gone`, {
    operation: OPERATION,
    subject: gone.join(', '),
    hint: 'something else opened the data folder meanwhile: empty the target, delete move.json and begin again',
  })
}

const DAY_MS = 86_400_000
const ABOUT_TO_GO_MS = 3_600_000

/**
 * Rows of each table and week, as queries see them: what replaces each other counts once, and what adds up is added up. Rows
 * that are about to be deleted for their age may be gone on one side, and are left out.
 */
export async function compareTelemetry(
  from: Pick<Telemetry, 'query'>,
  to: Pick<Telemetry, 'query'>,
  { nowMs, retentionDays }: { readonly nowMs: number; readonly retentionDays: number },
): Promise<readonly Compared[]> {
  const compared: Compared[] = []
  for (const table of TELEMETRY_TABLES) {
    const { keepDays = retentionDays }: Table = TABLES[table]
    const sinceMs = nowMs - Math.min(keepDays, retentionDays) * DAY_MS + ABOUT_TO_GO_MS
    const weeks = await weeksOf(from, table)
    const others = (await weeksOf(to, table)).filter((week) => !weeks.includes(week))
    for (const week of [...weeks, ...others].toSorted()) {
      const [own, other] = await Promise.all(
        [from, to].map(async ({ query }) => {
          const [row] = await query<{ n: number }>(countStatement(table), { week, since: sinceMs })
          return row?.n ?? 0
        }),
      )
      compared.push({ what: table, part: week, from: own ?? 0, to: other ?? 0 })
    }
  }
  return compared
}

async function weeksOf({ query }: Pick<Telemetry, 'query'>, table: TelemetryTable): Promise<string[]> {
  const rows = await query<{ week: string }>(
    `SELECT DISTINCT toString(${TABLES[table].partitionBy}) AS week FROM ${table} ORDER BY week`,
  )
  return rows.map(({ week }) => week)
}

function countStatement(table: TelemetryTable): string {
  const { engine, partitionBy, ageColumn } = TABLES[table]
  const sum = /^SummingMergeTree\((\w+)\)$/.exec(engine)?.[1]
  const counted = sum === undefined ? 'count()' : `sum(${sum})`
  const final = /^ReplacingMergeTree\b/.test(engine) ? ' FINAL' : ''
  if (sum === undefined && final === '' && engine !== 'MergeTree')
    throw new Error(`it is not known how rows of ${table} are counted: ${engine}`)
  return `SELECT ${counted} AS n FROM ${table}${final}
    WHERE ${partitionBy} = toDate({week:String}) AND ${ageColumn} >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`
}
