/** Statements to one address, with its own settings and its own words for what fails. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { bindParameters } from '../bind-parameters.ts'
import { engineError, insertError, queryName } from '../engine-error.ts'
import { PARQUET_SETTINGS } from '../parquet-settings.ts'
import { ROW_COLUMNS } from '../rows.ts'
import type { Telemetry, TelemetryRow } from '../telemetry.ts'

export type Connection = Pick<Telemetry, 'insert' | 'query' | 'command' | 'writeParquet' | 'close'> &
  Required<Pick<Telemetry, 'insertNative'>> & {
    /** The answer to a statement that takes no FORMAT. */
    readonly text: (sql: string) => Promise<string>
  }
export type DescribeError = typeof engineError

/** Later than the server gives up. */
const REQUEST_MS = 35_000

/** Of an export: between two pieces of its answer. */
const EXPORT_PIECE_MS = 600_000

const INSERT_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  // One batch is one block for each shard, so that its token stands for the same rows when it is repeated.
  input_format_parallel_parsing: 0,
  max_insert_block_size: '1000000',
}

export function connect(
  url: string,
  settings: ClickHouseSettings,
  describe: DescribeError = engineError,
): Connection {
  const client = createClient({
    url,
    application: 'sonde',
    // Its log quotes what the server quotes: values of rows and queries.
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: REQUEST_MS,
    clickhouse_settings: settings,
  })
  const exporting = () =>
    createClient({
      url,
      application: 'sonde',
      log: { level: ClickHouseLogLevel.OFF },
      request_timeout: EXPORT_PIECE_MS,
      clickhouse_settings: { ...settings, ...PARQUET_SETTINGS },
    })
  return {
    async writeParquet(path, sql, params) {
      const one = exporting()
      try {
        const { stream } = await one.exec({ query: `${bindParameters(sql, params)} FORMAT Parquet` })
        await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        throw describe(error, 'export telemetry', queryName(sql))
      } finally {
        await one.close()
      }
    },
    async insert(table, rows, token) {
      if (rows.length === 0) return
      try {
        await client.insert({
          table,
          columns: [...ROW_COLUMNS[table]] as [string, ...string[]],
          values: Readable.from(linesOf(rows), { objectMode: false }),
          format: 'TabSeparated',
          clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
        })
      } catch (error) {
        throw insertError(error, rows.length, table, describe)
      }
    },
    async insertNative(table, rows, token) {
      const query = `INSERT INTO ${table} (${ROW_COLUMNS[table].join(', ')}) FORMAT Native`
      try {
        const { stream } = await client.exec({
          query,
          values: Readable.from([rows], { objectMode: false }),
          clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
        })
        await text(stream)
      } catch (error) {
        throw describe(error, 'insert into telemetry', table)
      }
    },
    async query<Row>(sql: string, params?: Readonly<Record<string, unknown>>) {
      const query = bindParameters(sql, params)
      try {
        const result = await client.query({ query, format: 'JSONEachRow' })
        return await result.json<Row>()
      } catch (error) {
        throw describe(error, 'query telemetry', queryName(sql))
      }
    },
    async command(sql, params) {
      const query = bindParameters(sql, params)
      try {
        await client.command({ query })
      } catch (error) {
        throw describe(error, 'run a telemetry command', queryName(sql))
      }
    },
    async text(sql) {
      try {
        const { stream } = await client.exec({ query: sql })
        return await text(stream)
      } catch (error) {
        throw describe(error, 'ask the ClickHouse server', queryName(sql))
      }
    },
    close: () => client.close(),
  }
}

function* linesOf(rows: readonly TelemetryRow[]): Generator<TelemetryRow> {
  for (const row of rows) {
    yield row
    yield '\n'
  }
}
