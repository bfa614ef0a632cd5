/**
 * The console's process: an engine of its own that reads the parts of the store, so that its end frees the console,
 * whatever an expression is computing. Nothing of it writes to the store: its tables lie on a read-only disk.
 */
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client'
import { Session } from 'chdb'
import { createChdbConnection } from 'chdb/connection'
import { checkResultSize, ConsoleError, consoleSettings } from '../console.ts'
import { engineErrorCode } from '../engine-error.ts'
import { connectionArgs } from './connection-args.ts'
import type { ConsoleReply, ConsoleRequest, OpenConsole } from './console-messages.ts'
import { drained } from './drained.ts'

/** The engine in the process of the console: one connection that makes views, and one that only reads. */
type ClientConnection = NonNullable<ClickHouseClientConfigOptions['connection']>

async function openConsoleEngine({ dir, maxMemoryBytes, seconds, tables }: OpenConsole) {
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
    drained(reader, async () => (await reader.query({ query: sql, format })).text())

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

// Signals are for the process that started this one; without it nobody would end a statement.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

giveWay()
process.once('message', (first: OpenConsole) => {
  const opening = openConsoleEngine(first)
  opening.then(
    () => answer({ id: 0, text: '' }),
    (error: unknown) => answer({ id: 0, ...failureOf(error) }),
  )
  process.on('message', (request: ConsoleRequest) => {
    opening
      .then((engine) => engine.handle(request))
      .then(
        (text) => answer({ id: request.id, text }),
        (error: unknown) => answer({ id: request.id, ...failureOf(error) }),
      )
  })
})

function answer(reply: ConsoleReply): void {
  process.send?.(reply)
}

function failureOf(error: unknown): { readonly code: number | undefined; readonly message: string } {
  const code = error instanceof ConsoleError ? error.code : engineErrorCode(error)
  return { code, message: error instanceof Error ? error.message : String(error) }
}

/** The pipeline and the screens go first when processor or memory are short. */
function giveWay(): void {
  try {
    setPriority(10)
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Where it cannot be said, it is a process like others.
  }
}
