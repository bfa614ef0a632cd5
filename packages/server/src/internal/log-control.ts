/** The log of a process while it runs: `sonde log-level` changes how much is written, the status page shows what went wrong. */
import { type LoggedProblem, LOG_LEVELS, type LogLevel, type ProcessLog, SondeError } from '@sonde/base'
import type { InternalRoute } from '../back/internal-routes.ts'

export type LogLevelState = {
  readonly level: LogLevel
  /** What the process started with, and returns to. */
  readonly configured: LogLevel
  /** Until it returns by itself, from now on; undefined: it does not. */
  readonly forMs: number | undefined
}

export type LogState = LogLevelState & { readonly problems: readonly LoggedProblem[] }
/** What the back asks of the front for the status page. */
export type FrontState = LogState & {
  /** How far this machine's clock is ahead of those of senders; absent: not known. */
  readonly clockAheadMs?: number | undefined
}

export type LogLevelChange = { readonly level: LogLevel; readonly forMs: number | undefined }

/** Longer is forgotten, and then the disk is full of it. */
export const MAX_LEVEL_MS = 7 * 86_400_000

export type LogControl = {
  state(): LogState
  set(change: LogLevelChange): void
  stop(): void
}

export function createLogControl(log: ProcessLog, monotonicMs = () => performance.now()): LogControl {
  const configured = log.level()
  let timer: NodeJS.Timeout | undefined
  let untilMs: number | undefined
  const set = ({ level, forMs }: LogLevelChange): void => {
    clearTimeout(timer)
    const before = log.level()
    log.setLevel(level)
    untilMs = forMs === undefined ? undefined : monotonicMs() + forMs
    if (forMs !== undefined)
      timer = setTimeout(() => set({ level: configured, forMs: undefined }), forMs).unref()
    if (before !== level) log.logger.warn({ from: before, to: level, forMs }, 'the log level was changed')
  }
  return {
    state: () => ({
      level: log.level(),
      configured,
      forMs: untilMs === undefined ? undefined : Math.max(0, untilMs - monotonicMs()),
      problems: log.problems(),
    }),
    set,
    stop: () => clearTimeout(timer),
  }
}

/** As it is asked for, so that a process that starts again has the level too. Undefined: it has that by itself. */
export const changeFrom = ({ level, configured, forMs }: LogLevelState): string | undefined =>
  level === configured ? undefined : JSON.stringify({ level, forMs } satisfies LogLevelChange)

const JSON_TYPE = 'application/json'
export const LOG_PATH = '/-/log'
export const LOG_LEVEL_PATH = '/-/log-level'

/** `after`: does the same elsewhere. */
export function logRoutes(
  control: LogControl,
  after: (body: string) => Promise<Readonly<Record<string, LogLevelState>>>,
  name: string,
  more: () => Omit<FrontState, keyof LogState> = () => ({}),
): readonly InternalRoute[] {
  const answer = async (body: string): Promise<string> => {
    if (body !== '') control.set(readChange(body))
    const { level, configured, forMs } = control.state()
    return JSON.stringify({ [name]: { level, configured, forMs }, ...(await after(body)) })
  }
  return [
    {
      method: 'GET',
      path: LOG_PATH,
      contentType: JSON_TYPE,
      answer: async () => JSON.stringify({ ...control.state(), ...more() } satisfies FrontState),
    },
    { method: 'POST', path: LOG_LEVEL_PATH, contentType: JSON_TYPE, answer },
  ]
}

function readChange(body: string): LogLevelChange {
  const { level: wanted, forMs } = JSON.parse(body) as Partial<LogLevelChange>
  const level = LOG_LEVELS.find((each) => each === wanted)
  const isTime = forMs === undefined || (forMs > 0 && forMs <= MAX_LEVEL_MS)
  if (level !== undefined && isTime) return { level, forMs }
  throw new SondeError('invalid', 'this is no log level, or no time for one', {
    operation: 'change the log level',
  })
}
