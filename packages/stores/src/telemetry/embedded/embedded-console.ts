/**
 * The console beside the embedded engine: statements run one at a time in a process of their own, which reads the store's
 * parts (`console-tables.ts`). It is ended when the time is over, and with it whatever an expression was computing; the
 * next statement starts another. Without statements there is none.
 */
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
import { type ConsoleChild, startConsoleChild } from './console-child.ts'
import { createPool } from '@sonde/base'

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
