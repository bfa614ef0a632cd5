/** A ClickHouse server by URL: `http://user:password@host:8123/database`. */
import { Readable } from 'node:stream'
import { createClient } from '@clickhouse/client'
import { bindParameters } from '../bind-parameters.ts'
import { engineError } from '../engine-error.ts'
import type { Telemetry } from '../telemetry.ts'

export function openServer(url: string): Telemetry {
  const client = createClient({
    url,
    application: 'sonde',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_execution_time: 30 },
  })
  return {
    async insert(table, rows, token) {
      if (rows.length === 0) return
      const lines = rows.values().map((row) => `${row}\n`)
      try {
        await client.insert({
          table,
          values: Readable.from(lines, { objectMode: false }),
          format: 'JSONEachRow',
          clickhouse_settings: {
            insert_deduplication_token: token,
            async_insert: 0,
            input_format_skip_unknown_fields: 0,
          },
        })
      } catch (error) {
        throw engineError(error, `insert ${rows.length} rows`, table)
      }
    },
    async query<Row>(sql: string, params?: Readonly<Record<string, unknown>>) {
      const query = bindParameters(sql, params)
      try {
        const result = await client.query({ query, format: 'JSONEachRow' })
        return await result.json<Row>()
      } catch (error) {
        throw engineError(error, 'query telemetry', sql)
      }
    },
    async command(sql, params) {
      const query = bindParameters(sql, params)
      try {
        await client.command({ query })
      } catch (error) {
        throw engineError(error, 'run a telemetry command', sql)
      }
    },
    close: () => client.close(),
  }
}
