/**
 * The console beside the embedded engine: statements run one at a time in a process of their own, which reads the store's
 * parts (`console-tables.ts`). It is ended when the time is over, and with it whatever an expression was computing; the
 * next statement starts another. Without statements there is none.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createPool } from '@sonde/base'
import {
  CONSOLE_ENDED,
  CONSOLE_LIMITS,
  CONSOLE_TOOK_TOO_LONG,
  consoleAnswer,
  consoleDatabaseStatements,
  ConsoleError,
  formatStatement,
  type TelemetryConsole,
} from '../console.ts'
import type { ConsoleReply, ConsoleRequest, OpenConsole } from './console-messages.ts'

/** Ends what runs. */
export type EmbeddedConsole = TelemetryConsole & { close(): Promise<void> }

export type EmbeddedConsoleOptions = {
  readonly dir: string
  readonly maxMemoryBytes: number
  /** Statements that make the tables. */
  readonly tables: () => Promise<readonly string[]>
  /** The bundle's file; by default the source beside this one. */
  readonly entry?: URL | undefined
  readonly seconds?: number | undefined
}

/** Who writes statements writes several; starting takes half a second, and it holds some 80 MB. */
const IDLE_MS = 60_000
/**
 * The engine looks at its clock between blocks of rows; a single expression may take hours, and ends with its process.
 */
const GRACE_SECONDS = 0.5
/** What the engine calls the database of tables that were made without naming one. */
const HOME = 'default'

export function createEmbeddedConsole({
  dir,
  maxMemoryBytes,
  tables,
  entry = new URL('./console-process.ts', import.meta.url),
  seconds = CONSOLE_LIMITS.seconds,
}: EmbeddedConsoleOptions): EmbeddedConsole {
  const turns = createPool(['turn'])
  let child: ConsoleChild | undefined
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  const living = async (): Promise<ConsoleChild> => {
    clearTimeout(idle)
    if (child && !child.hasEnded()) return child
    await child?.end()
    child = await startConsoleChild(entry, { dir, maxMemoryBytes, seconds, tables: await tables() })
    // Closed while it started.
    if (isClosed) await child.end()
    return child
  }
  return {
    use: ({ name, prefix, views }, job) =>
      turns.use(async () => {
        if (isClosed) throw new ConsoleError(CONSOLE_ENDED, 'the console is closed', undefined)
        const one = await living()
        const late = setTimeout(() => void one.end(CONSOLE_TOOK_TOO_LONG), (seconds + GRACE_SECONDS) * 1000)
        try {
          const make = consoleDatabaseStatements({ name, views }, HOME)
          await one.ask({ kind: 'use', database: name, prefix, make })
          return await job({
            format: (text) => one.ask({ kind: 'format', sql: formatStatement(text) }),
            run: async (sql) => consoleAnswer(await one.ask({ kind: 'run', sql })),
          })
        } finally {
          clearTimeout(late)
          idle = setTimeout(() => void one.end(), IDLE_MS).unref()
        }
      }),
    async close() {
      isClosed = true
      clearTimeout(idle)
      await child?.end()
      await turns.idle()
      await child?.end()
    },
  }
}

/** The process of the console as this one sees it: requests in, answers out, until either ends it. */
type ConsoleChild = {
  /** Throws `ConsoleError`, also when the process ends before it answered. */
  ask(request: ConsoleQuestion): Promise<string>
  /** At once, in the middle of a statement too. What is asked fails with `code`. Resolves when its memory is free. */
  end(code?: number): Promise<void>
  readonly hasEnded: () => boolean
}
type ConsoleQuestion = ConsoleRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never

/** Loading the parts of a year takes a second or two; a minute would be a disk that hangs. */
const START_WITHIN_MS = 20_000
/** Of our environment only what a loader needs: secrets stand in it. */
const ENVIRONMENT = ['PATH', 'HOME', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH']

async function startConsoleChild(entry: URL, open: OpenConsole): Promise<ConsoleChild> {
  // What a process left that was ended.
  await rm(open.dir, { recursive: true, force: true })
  await mkdir(open.dir, { recursive: true, mode: 0o700 })
  const env = Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]]))
  const child = fork(fileURLToPath(entry), [], {
    env,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const asked = new Map<number, { resolve: (text: string) => void; reject: (error: ConsoleError) => void }>()
  let ids = 0
  let ended: Promise<void> | undefined

  const failAll = (code: number): void => {
    for (const { reject } of asked.values()) reject(new ConsoleError(code, WORDS[code] ?? '', undefined))
    asked.clear()
  }
  const wait = (id: number): Promise<string> =>
    new Promise((resolve, reject) => asked.set(id, { resolve, reject }))
  const end = (code = CONSOLE_ENDED): Promise<void> => {
    failAll(code)
    ended ??= gone(child).then(() => rm(open.dir, { recursive: true, force: true }))
    return ended
  }
  child.on('message', (reply: ConsoleReply) => {
    const waiting = asked.get(reply.id)
    asked.delete(reply.id)
    if ('text' in reply) waiting?.resolve(reply.text)
    else waiting?.reject(new ConsoleError(reply.code ?? CONSOLE_ENDED, reply.message, undefined))
  })
  // Without this an error of sending would end our process; what waits is told below.
  child.on('error', () => void end())
  child.once('exit', () => void end())

  const isOpen = wait(0)
  child.send(open)
  const late = setTimeout(() => void end(), START_WITHIN_MS)
  try {
    await isOpen
  } catch (error) {
    await end()
    throw error
  } finally {
    clearTimeout(late)
  }
  return {
    ask(request) {
      const answer = wait(++ids)
      if (ended) failAll(CONSOLE_ENDED)
      else child.send({ ...request, id: ids })
      return answer
    },
    end,
    hasEnded: () => ended !== undefined,
  }
}

const WORDS: Readonly<Record<number, string>> = {
  [CONSOLE_ENDED]: 'the engine of the console ended',
  [CONSOLE_TOOK_TOO_LONG]: 'the statement took too long',
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
