/**
 * ClickHouse inside this process (chDB). Exactly one thread of one process may open a folder. Statements run on
 * libuv's threads, never on the event loop; a connection runs one at a time and a statement that waits for its
 * connection would occupy a thread meanwhile, so waiting happens here. Two connections write, each to another table, two read.
 */
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client'
import { createMutex, createPool, freeMemory, type Logger, type Mutex, silentLogger } from '@sonde/base'
import { Session } from 'chdb'
import { createChdbConnection } from 'chdb/connection'
import { bindParameters } from '../bind-parameters.ts'
import { deleteRows } from '../delete-rows.ts'
import { engineError, insertError, queryName } from '../engine-error.ts'
import { PARQUET_SETTINGS } from '../parquet-settings.ts'
import { OWN_PARTS, partsStatement } from '../parts.ts'
import { purgeDeleted } from '../purge-deleted.ts'
import { ROW_COLUMNS } from '../rows.ts'
import { TELEMETRY_TABLES, type TelemetryTable } from '../tables/tables.ts'
import type { Telemetry, TelemetryRow, TelemetryWeek } from '../telemetry.ts'
import {
  connectionArgs,
  NO_MERGES,
  querySettings,
  TABLE_SETTINGS,
  withTableSettings,
} from './connection-args.ts'
import { watchDamage } from './damaged-parts.ts'
import { drained } from './drained.ts'
import { createEmbeddedConsole } from './embedded-console.ts'
import { flushInsert, openSession } from './open-session.ts'

// Of libuv's threads the log's files need some too: `UV_THREADPOOL_SIZE` of the back.
const READERS = 2
// The client carries its own copy of the types that chdb takes from `@clickhouse/client-common`; they are the same.
type ClientConnection = NonNullable<ClickHouseClientConfigOptions['connection']>

export async function openEmbedded(
  dir: string,
  maxMemoryBytes: number,
  consoleEntry?: URL,
  consoleSeconds?: number,
  keepsParts = false,
  logger: Logger = silentLogger,
): Promise<Telemetry> {
  const settings = keepsParts ? { ...TABLE_SETTINGS, ...NO_MERGES } : TABLE_SETTINGS
  const session = withTableSettings(settings, (more) =>
    openSession(dir, [...connectionArgs(maxMemoryBytes), ...more]),
  )
  const sessions = [session, new Session(dir)]
  const connect = () =>
    createClient({ connection: createChdbConnection({ path: dir }) as unknown as ClientConnection })
  const clients = Array.from({ length: READERS }, connect)
  const console = createEmbeddedConsole({
    dir: join(dir, 'console'),
    maxMemoryBytes,
    tables: () => consoleTables(engine),
    entry: consoleEntry,
    seconds: consoleSeconds,
  })
  const readers = createPool(clients)
  const writers = createPool(sessions)
  for (const client of clients) await client.command({ query: querySettings(maxMemoryBytes) })

  /** One insert at a time for each table: see `forgetOrphanedTokens`. */
  const turns = new Map<string, Mutex>()
  const inTurn = async (table: string, insert: () => Promise<void>): Promise<void> => {
    const turn = turns.get(table) ?? createMutex()
    turns.set(table, turn)
    await turn.run(insert)
  }
  const tableDirs = new Map<string, string>()
  const tableDir = async (table: string): Promise<string> => {
    const known = tableDirs.get(table)
    if (known !== undefined) return known
    const rows = await engine.query<{ dir: string }>(
      'SELECT data_paths[1] AS dir FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
      { table },
    )
    const found = rows[0]?.dir ?? ''
    tableDirs.set(table, found)
    return found
  }

  const exporting = createMutex()
  let exporter: Session | undefined
  let closing: Promise<void> | undefined
  const engine: Telemetry = {
    console,
    async insert(table, rows, token) {
      if (rows.length === 0) return
      try {
        await inTurn(table, async () => {
          await writers.use((one) => insertInto(one, table, rows, token))
          await flushInsert(await tableDir(table))
        })
      } catch (error) {
        throw insertError(error, rows.length, table)
      }
    },
    async query<Row>(sql: string, params?: Readonly<Record<string, unknown>>) {
      const query = bindParameters(sql, params)
      try {
        return await readers.use((client) =>
          drained(client, async () => {
            const result = await client.query({ query, format: 'JSONEachRow' })
            return await result.json<Row>()
          }),
        )
      } catch (error) {
        damage.noticed(error)
        throw engineError(error, 'query telemetry', queryName(sql))
      }
    },
    async command(sql, params) {
      const query = bindParameters(sql, params)
      try {
        await readers.use((client) => drained(client, () => client.command({ query })))
      } catch (error) {
        damage.noticed(error)
        throw engineError(error, 'run a telemetry command', queryName(sql))
      }
    },
    async readNative(sql, params) {
      try {
        return await writers.use(async (one) => {
          const result = await one.queryAsync(bindParameters(sql, params), { format: 'Native' })
          return result.bytes()
        })
      } catch (error) {
        throw engineError(error, 'read telemetry', queryName(sql))
      }
    },
    async writeParquet(path, sql, params) {
      // A connection of its own: screens must not wait for it.
      exporter ??= new Session(dir)
      const one = exporter
      const limits = { ...PARQUET_SETTINGS, max_memory_usage: Math.floor(maxMemoryBytes * 0.6) }
      try {
        await exporting.run(() =>
          one.queryAsync(
            `${bindParameters(sql, params)} INTO OUTFILE ${quoted(path)} FORMAT Parquet
             SETTINGS ${Object.entries(limits)
               .map(([name, value]) => `${name} = ${typeof value === 'string' ? quoted(value) : value}`)
               .join(', ')}`,
          ),
        )
      } catch (error) {
        damage.noticed(error)
        throw engineError(error, 'export telemetry', queryName(sql))
      }
    },
    deleteRows: (table, where, params, how) => deleteRows(engine, table, where, params, how),
    purge: (table) => purgeDeleted(engine, table),
    parts: (table) => engine.query<TelemetryWeek>(partsStatement(OWN_PARTS), { table }),
    damagedParts: () => damage.list(),
    close() {
      closing ??= (async () => {
        await console.close()
        await damage.close()
        await Promise.all([writers.idle(), readers.idle(), exporting.run(async () => exporter?.close())])
        for (const client of clients) await client.close()
        for (const one of sessions) one.close()
      })()
      return closing
    },
  }
  const damage = watchDamage(engine, logger)
  return engine
}

const INSERT_SETTINGS = {
  // The text is ours and small; splitting it over threads costs more than it gains on two cores.
  input_format_parallel_parsing: 0,
  // One batch, one block, one part per week of `received`: what a token stands for is then always cut the same way.
  max_insert_block_size: 1_000_000,
} as const

async function insertInto(
  session: Session,
  table: TelemetryTable,
  rows: readonly TelemetryRow[],
  token: string,
): Promise<void> {
  const values = await concatRows(rows)
  try {
    await session.insert({
      table,
      values,
      columns: ROW_COLUMNS[table],
      format: 'TabSeparated',
      settings: { insert_deduplication_token: token, ...INSERT_SETTINGS },
    })
  } finally {
    freeMemory([values])
  }
}

/**
 * Rows to the bytes of one insert, a newline after each, without building the joined string in between. A batch has
 * megabytes; the event loop gets its turn after each slice, since this process also answers screens.
 */
const SLICE_LENGTH = 1024 * 1024

async function concatRows(rows: readonly TelemetryRow[]): Promise<Buffer> {
  const length = rows.reduce((sum, row) => sum + byteLength(row) + 1, 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  let turnAt = SLICE_LENGTH
  for (const row of rows) {
    if (typeof row === 'string') at += bytes.write(row, at)
    else {
      bytes.set(row, at)
      at += row.length
    }
    bytes[at++] = 0x0a
    if (at < turnAt) continue
    turnAt = at + SLICE_LENGTH
    await nextTurn()
  }
  return bytes
}

const byteLength = (row: TelemetryRow): number =>
  typeof row === 'string' ? Buffer.byteLength(row) : row.length

/**
 * The store's tables as another process may read them: the same definition over the same parts, on a disk that cannot be
 * written, looked through for new parts every second. A part that was merged away stays on disk for eight minutes, so
 * none goes from under a statement (`old_parts_lifetime`).
 * https://clickhouse.com/docs/operations/settings/merge-tree-settings#refresh_parts_interval
 */
const REFRESH_SEC = 1

async function consoleTables({ query }: Pick<Telemetry, 'query'>): Promise<readonly string[]> {
  const rows = await query<{ definition: string; path: string }>(
    `SELECT create_table_query AS definition, data_paths[1] AS path FROM system.tables
     WHERE database = currentDatabase() AND name IN {names:Array(String)}`,
    { names: [...TELEMETRY_TABLES] },
  )
  return rows.map(
    ({ definition, path }) =>
      `${definition}, disk = disk(type = object_storage, object_storage_type = local, metadata_type = plain,
        path = ${quoted(path)}, readonly = 1), table_disk = 1, refresh_parts_interval = ${REFRESH_SEC}`,
  )
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
