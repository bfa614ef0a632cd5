/** The engine in the process of the console: one connection that makes views, and one that only reads. */
import { createClient, type ClickHouseClientConfigOptions } from '@clickhouse/client'
import { Session } from 'chdb'
import { createChdbConnection } from 'chdb/connection'
import { checkResultSize, consoleSettings } from '../console.ts'
import { connectionArgs } from './connection-args.ts'
import type { ConsoleRequest, OpenConsole } from './console-messages.ts'
import { leavingNothing } from './leaving-nothing.ts'

type ClientConnection = NonNullable<ClickHouseClientConfigOptions['connection']>

export async function openConsoleEngine({ dir, maxMemoryBytes, seconds, tables }: OpenConsole) {
  // Caches and two statements at their limit: the second is the memory that the first has not yet given back.
  const session = new Session(dir, { connectionArgs: connectionArgs(Math.floor(maxMemoryBytes / 2)) })
  for (const table of tables) session.query(table)
  const reader = createClient({
    connection: createChdbConnection({ path: dir }) as unknown as ClientConnection,
  })
  await reader.command({ query: `SET ${settingsText(maxMemoryBytes, seconds)}` })
  /** By prefix. */
  const made = new Map<string, string>()

  const read = (sql: string, format: 'JSONCompact' | 'TabSeparatedRaw'): Promise<string> =>
    leavingNothing(reader, async () => (await reader.query({ query: sql, format })).text())

  return {
    async handle(request: ConsoleRequest): Promise<string> {
      if (request.kind === 'run') return checkResultSize(await read(request.sql, 'JSONCompact'))
      if (request.kind === 'format') return (await read(request.sql, 'TabSeparatedRaw')).replace(/\n$/, '')
      const { database, prefix, make } = request
      const before = made.get(prefix)
      if (before !== database) {
        for (const statement of make) session.query(statement)
        made.set(prefix, database)
      }
      await reader.command({ query: `USE ${database}` })
      if (before !== undefined && before !== database) session.query(`DROP DATABASE IF EXISTS ${before}`)
      return ''
    },
  }
}

/** `limit` is a keyword too, hence the backquotes. */
const settingsText = (maxMemoryBytes: number, seconds: number): string =>
  Object.entries(consoleSettings(maxMemoryBytes, seconds))
    .map(([name, value]) => `\`${name}\` = ${typeof value === 'string' ? `'${value}'` : value}`)
    .join(', ')
