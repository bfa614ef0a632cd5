/**
 * The console against a ClickHouse server. Each statement carries its limits as settings of the request, `readonly` among
 * them, so the account needs no profile of its own; one statement at a time, as embedded. When the time is over the
 * request is given up, and the server ends the statement where it next looks.
 */
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { createPool } from '@sonde/base'
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
import { engineError, engineErrorCode, queryName } from '../engine-error.ts'
import type { Telemetry } from '../telemetry.ts'

/** A server has more memory than a process that embeds the engine; the share of it is what one statement may have. */
const SERVER_MEMORY_BYTES = 4 * 1024 ** 3

export type ConsoleAccount = Pick<Telemetry, 'query'> & {
  readonly everywhere: (sql: string) => Promise<void>
  /** ` ON CLUSTER …`, or nothing. */
  readonly onCluster: string
  /** `system.tables`, or all servers' together, and the expression that tells them apart. */
  readonly tables: { readonly from: string; readonly server: string }
}

/** `settings`: how the account reads. */
export function createServerConsole(
  url: string,
  settings: ClickHouseSettings,
  account: ConsoleAccount,
): TelemetryConsole {
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
                ...settings,
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

/** On every server: a query within a statement may be answered where the rows lie. */
async function makeDatabase(
  { query, everywhere, onCluster, tables }: ConsoleAccount,
  database: ConsoleDatabase,
): Promise<void> {
  const { name, prefix, views } = database
  const nodes = await query<{ views: number }>(
    `SELECT countIf(database = {name:String}) AS views FROM ${tables.from} GROUP BY ${tables.server}
     SETTINGS skip_unavailable_shards = 1`,
    { name },
  )
  if (views.length > 0 && nodes.every((node) => node.views === views.length)) return
  const [current] = await query<{ home: string }>('SELECT currentDatabase() AS home')
  const found = await query<{ name: string }>(
    'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})',
    { prefix },
  )
  const statements = consoleDatabaseStatements(database, current?.home ?? HOME, onCluster)
  for (const statement of statements) await everywhere(statement)
  for (const old of found)
    if (old.name !== name) await everywhere(`DROP DATABASE IF EXISTS ${old.name}${onCluster}`)
}
const HOME = 'default'

function inDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(database)}`
  return changed.href
}
