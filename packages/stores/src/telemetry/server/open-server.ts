/** A ClickHouse server by URL: `http://user:password@host:8123/database`. */
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { bindParameters } from '../bind-parameters.ts'
import { deleteRows } from '../delete-rows.ts'
import { engineError, insertError, queryName } from '../engine-error.ts'
import { ROW_COLUMNS } from '../rows.ts'
import { READ_SETTINGS } from '../read-settings.ts'
import type { Telemetry, TelemetryRow } from '../telemetry.ts'
import { createServerConsole } from './server-console.ts'

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
