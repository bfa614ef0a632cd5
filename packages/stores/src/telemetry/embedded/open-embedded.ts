/**
 * ClickHouse inside this process (chDB). Exactly one thread of one process may open a folder. Statements run on
 * libuv's threads, never on the event loop; a connection runs one at a time and a statement that waits for its
 * connection would occupy a thread meanwhile, so waiting happens here. One connection writes, two read.
 */
import { join } from 'node:path'
import { createClient, type ClickHouseClientConfigOptions } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { bindParameters } from '../bind-parameters.ts'
import { deleteRows } from '../delete-rows.ts'
import { engineError, insertError, queryName } from '../engine-error.ts'
import { ROW_COLUMNS } from '../rows.ts'
import type { Telemetry } from '../telemetry.ts'
import { concatRows } from './concat-rows.ts'
import { connectionArgs, querySettings } from './connection-args.ts'
import { consoleTables } from './console-tables.ts'
import { createEmbeddedConsole } from './embedded-console.ts'
import { flushInsert } from './flush-insert.ts'
import { leavingNothing } from './leaving-nothing.ts'
import { openSession } from './open-session.ts'
import { createPool } from '@sonde/base'

// libuv has four threads by default, and the log's files need one too.
const READERS = 2
// The client carries its own copy of the types that chdb takes from `@clickhouse/client-common`; they are the same.
type ClientConnection = NonNullable<ClickHouseClientConfigOptions['connection']>

export async function openEmbedded(
  dir: string,
  maxMemoryBytes: number,
  consoleEntry?: URL,
  consoleSeconds?: number,
): Promise<Telemetry> {
  const session = openSession(dir, connectionArgs(maxMemoryBytes))
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
  const writer = createPool([session])
  for (const client of clients) await client.command({ query: querySettings(maxMemoryBytes) })

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

  let closing: Promise<void> | undefined
  const engine: Telemetry = {
    console,
    async insert(table, rows, token) {
      if (rows.length === 0) return
      try {
        await writer.use(async (one) =>
          one.insert({
            table,
            values: await concatRows(rows),
            columns: ROW_COLUMNS[table],
            format: 'TabSeparated',
            settings: { insert_deduplication_token: token, ...INSERT_SETTINGS },
          }),
        )
        await flushInsert(await tableDir(table))
      } catch (error) {
        throw insertError(error, rows.length, table)
      }
    },
    async query<Row>(sql: string, params?: Readonly<Record<string, unknown>>) {
      const query = bindParameters(sql, params)
      try {
        return await readers.use((client) =>
          leavingNothing(client, async () => {
            const result = await client.query({ query, format: 'JSONEachRow' })
            return await result.json<Row>()
          }),
        )
      } catch (error) {
        throw engineError(error, 'query telemetry', queryName(sql))
      }
    },
    async command(sql, params) {
      const query = bindParameters(sql, params)
      try {
        await readers.use((client) => leavingNothing(client, () => client.command({ query })))
      } catch (error) {
        throw engineError(error, 'run a telemetry command', queryName(sql))
      }
    },
    deleteRows: (table, where, params) => deleteRows(engine, table, where, params),
    close() {
      closing ??= (async () => {
        await console.close()
        await Promise.all([writer.idle(), readers.idle()])
        for (const client of clients) await client.close()
        session.close()
      })()
      return closing
    },
  }
  return engine
}

const INSERT_SETTINGS = {
  // The text is ours and small; splitting it over threads costs more than it gains on two cores.
  input_format_parallel_parsing: 0,
  // One batch, one block, one part per week of `received`: what a token stands for is then always cut the same way.
  max_insert_block_size: 1_000_000,
} as const
