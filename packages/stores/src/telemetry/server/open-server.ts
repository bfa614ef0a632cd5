/** A ClickHouse server by URL: `http://user:password@host:8123/database`. */
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { createPool } from '@sonde/base'
import { bindParameters } from '../bind-parameters.ts'
import {
  checkResultSize,
  CONSOLE_LIMITS,
  CONSOLE_TOOK_TOO_LONG,
  consoleAnswer,
  type ConsoleDatabase,
  consoleDatabaseStatements,
  ConsoleError,
  consoleSettings,
  formatStatement,
  type TelemetryConsole,
} from '../console.ts'
import { deleteRows } from '../delete-rows.ts'
import { engineError, engineErrorCode, insertError, queryName } from '../engine-error.ts'
import { READ_SETTINGS } from '../read-settings.ts'
import { ROW_COLUMNS } from '../rows.ts'
import type { Telemetry, TelemetryRow } from '../telemetry.ts'

// As embedded. What a query may have besides is for the server's own profile to say.
const MAX_QUERY_SECONDS = 30
const MAX_QUERY_BYTES = 2 * 1024 ** 3

export function openServer(url: string): Telemetry {
  const client = createClient({
    url,
    application: 'sonde',
    // Its log quotes what the server quotes: values of rows and queries.
    log: { level: ClickHouseLogLevel.OFF },
    // Later than the server gives up.
    request_timeout: (MAX_QUERY_SECONDS + 5) * 1000,
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      max_execution_time: MAX_QUERY_SECONDS,
      max_memory_usage: String(MAX_QUERY_BYTES),
      ...READ_SETTINGS,
    },
  })
  const engine: Telemetry = {
    console: createServerConsole(url, {
      query: (sql, params) => engine.query(sql, params),
      command: (sql, params) => engine.command(sql, params),
    }),
    async insert(table, rows, token) {
      if (rows.length === 0) return
      try {
        await client.insert({
          table,
          columns: [...ROW_COLUMNS[table]] as [string, ...string[]],
          values: Readable.from(linesOf(rows), { objectMode: false }),
          format: 'TabSeparated',
          clickhouse_settings: {
            insert_deduplication_token: token,
            async_insert: 0,
          },
        })
      } catch (error) {
        throw insertError(error, rows.length, table)
      }
    },
    async query<Row>(sql: string, params?: Readonly<Record<string, unknown>>) {
      const query = bindParameters(sql, params)
      try {
        const result = await client.query({ query, format: 'JSONEachRow' })
        return await result.json<Row>()
      } catch (error) {
        throw engineError(error, 'query telemetry', queryName(sql))
      }
    },
    async command(sql, params) {
      const query = bindParameters(sql, params)
      try {
        await client.command({ query })
      } catch (error) {
        throw engineError(error, 'run a telemetry command', queryName(sql))
      }
    },
    deleteRows: (table, where, params) => deleteRows(engine, table, where, params),
    close: () => client.close(),
  }
  return engine
}

function* linesOf(rows: readonly TelemetryRow[]): Generator<TelemetryRow> {
  for (const row of rows) {
    yield row
    yield '\n'
  }
}

/*
 * The console against a ClickHouse server. Each statement carries its limits as settings of the request, `readonly` among
 * them, so the account needs no profile of its own; one statement at a time, as embedded. When the time is over the
 * request is given up, and the server ends the statement where it next looks.
 */
/** A server has more memory than a process that embeds the engine; the share of it is what one statement may have. */
const SERVER_MEMORY_BYTES = 4 * 1024 ** 3

function createServerConsole(url: string, account: Pick<Telemetry, 'query' | 'command'>): TelemetryConsole {
  const turns = createPool(['turn'])
  return {
    use: (database, job) =>
      turns.use(async () => {
        await makeDatabase(account, database)
        const client = createClient({
          url: inDatabase(url, database.name),
          application: 'sonde-console',
          log: { level: ClickHouseLogLevel.OFF },
        })
        const over = AbortSignal.timeout(CONSOLE_LIMITS.wallSeconds * 1000)
        const read = async (query: string, format: 'JSONCompact' | 'TabSeparatedRaw'): Promise<string> => {
          try {
            const result = await client.query({
              query,
              format,
              abort_signal: over,
              clickhouse_settings: {
                cancel_http_readonly_queries_on_client_close: 1,
                ...consoleSettings(SERVER_MEMORY_BYTES),
              },
            })
            return await result.text()
          } catch (error) {
            if (over.aborted)
              throw new ConsoleError(CONSOLE_TOOK_TOO_LONG, 'the statement took too long', error)
            const code = engineErrorCode(error)
            if (code === undefined)
              throw engineError(error, 'run a statement of the console', queryName(query))
            throw new ConsoleError(code, (error as Error).message, error)
          }
        }
        try {
          return await job({
            format: async (text) => (await read(formatStatement(text), 'TabSeparatedRaw')).replace(/\n$/, ''),
            run: async (sql) => consoleAnswer(checkResultSize(await read(sql, 'JSONCompact'))),
          })
        } finally {
          await client.close()
        }
      }),
  }
}

async function makeDatabase(
  { query, command }: Pick<Telemetry, 'query' | 'command'>,
  database: ConsoleDatabase,
): Promise<void> {
  const { name, prefix } = database
  const [current] = await query<{ home: string }>('SELECT currentDatabase() AS home')
  const found = await query<{ name: string }>(
    'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})',
    { prefix },
  )
  for (const statement of consoleDatabaseStatements(database, current?.home ?? HOME)) await command(statement)
  for (const old of found) if (old.name !== name) await command(`DROP DATABASE IF EXISTS ${old.name}`)
}
const HOME = 'default'

function inDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(database)}`
  return changed.href
}
