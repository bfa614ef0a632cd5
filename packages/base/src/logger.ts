/** Structured logging through pino: one JSON line per fact, with the request or job that it is about. */
import { pino, type Logger as PinoLogger } from 'pino'
import { createProblemList, type LoggedProblem } from './problem-list.ts'
import { readableLines } from './readable-lines.ts'
import { currentScope } from './scope.ts'

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  child(bindings: Record<string, unknown>): Logger
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** `auto`: text where a person watches, else JSON. */
export const LOG_FORMATS = ['auto', 'json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** The log of a process: what writes it, and what an operator sees and changes of it while it runs. */
export type ProcessLog = {
  readonly logger: Logger
  readonly level: () => LogLevel
  /** Until another call. */
  setLevel(level: LogLevel): void
  /** Warnings and errors since the start, alike ones together, latest first. */
  readonly problems: () => readonly LoggedProblem[]
  /** How many lines of warnings, and of errors, were written since the start. */
  readonly counts: () => { readonly warnings: number; readonly errors: number }
}

export function createProcessLog(role: string, level: LogLevel, format: LogFormat = 'json'): ProcessLog {
  const problems = createProblemList()
  const counts = { warnings: 0, errors: 0 }
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY)
  // Standard output is for people: the address, the sign-in, the answer of a command.
  const file = pino.destination({ fd: 2, sync: true })
  const logger = pino(
    {
      level,
      base: { role },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: scopeFields,
      // Behind what the line says: patterns of its beginning stay right.
      mixinMergeStrategy: (line, fields) => ({ ...line, ...fields }),
      hooks: {
        logMethod(args, method, levelNumber) {
          if (levelNumber >= WARN) {
            problems.add(pino.levels.labels[levelNumber] ?? '', args)
            counts[levelNumber === WARN ? 'warnings' : 'errors']++
          }
          method.apply(this, args)
        },
      },
    },
    isText ? readableLines((text) => file.write(text)) : file,
  )
  return {
    logger,
    level: () => logger.level as LogLevel,
    setLevel(wanted) {
      logger.level = wanted
    },
    problems: problems.list,
    counts: () => ({ ...counts }),
  }
}

export const createLogger = (role: string, level: LogLevel = 'info'): Logger =>
  createProcessLog(role, level).logger

/** https://github.com/pinojs/pino/blob/main/docs/api.md#level-string */
const WARN = 40

function scopeFields(): Record<string, string> {
  const { requestId, span } = currentScope() ?? {}
  if (requestId === undefined && span === undefined) return NO_FIELDS
  return {
    ...(requestId !== undefined && { requestId }),
    ...(span && { traceId: span.traceId, spanId: span.spanId }),
  }
}
const NO_FIELDS = {}

export const silentLogger: Logger = pino({ level: 'silent' })
