/** Structured logging: one JSON line per fact, through pino. */
import { pino, type Logger as PinoLogger } from 'pino'

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  child(bindings: Record<string, unknown>): Logger
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export function createLogger(role: string, level: LogLevel = 'info'): Logger {
  // Standard output is for people: the address, the sign-in, the answer of a command.
  return pino(
    { level, base: { role }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
}

export const silentLogger: Logger = pino({ level: 'silent' })
