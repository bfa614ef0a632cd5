/**
 * One look a second for all jobs of a process, which asks whether the records changed at all, instead of one of each job that
 * asks for its work: while nothing changes and nothing is due, a job costs a comparison of two numbers.
 */
import { type Clock, steadyMs } from '@sonde/base'

export type RecordsWatch = {
  /** Which records a job sees. Ask before the records: what changes meanwhile is a change then. */
  mark(): string
  /**
   * Resolves when the records are others than at `mark` (not sooner than `gapMs` from now), when `dueMs` is there, when
   * somebody set the clock, after a minute in any case, or when the signal ends. Never throws.
   */
  after(wait: Wait, signal: AbortSignal): Promise<void>
}

type Wait = {
  readonly mark: string
  /** Unix milliseconds; undefined: nothing is due by itself. */
  readonly dueMs: number | undefined
  readonly gapMs: number
}

type Waiting = Wait & { readonly sinceMs: number; readonly done: () => void }

const LOOK_EVERY_MS = 1_000
/** Bounds what is late if a change is ever not seen. */
const ASSURE_MS = 60_000
/** Between two looks. What corrects a clock slowly moves it less. */
const CLOCK_SET_MS = 500

/** `version`: of `OpenRecords`. While it cannot be read everything counts as changed. */
export function watchRecords(
  version: () => string,
  clock: Clock,
  lookEveryMs: number = LOOK_EVERY_MS,
): RecordsWatch {
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let offsetMs = 0
  let failures = 0
  const offset = (): number => clock.nowMs() - steadyMs(clock)
  const mark = (): string => {
    try {
      return version()
    } catch {
      return `unknown ${failures++}`
    }
  }
  const look = (): void => {
    const seen = mark()
    const nowMs = clock.nowMs()
    const atMs = steadyMs(clock)
    const wasSet = Math.abs(offset() - offsetMs) >= CLOCK_SET_MS
    offsetMs = offset()
    for (const each of waiting) {
      // They began to wait just after a look: half a look is no reason to wait for one more.
      const waitedMs = atMs - each.sinceMs + lookEveryMs / 2
      const isDue = each.dueMs !== undefined && each.dueMs <= nowMs
      if (isDue || wasSet || waitedMs >= ASSURE_MS || (seen !== each.mark && waitedMs >= each.gapMs))
        each.done()
    }
  }
  const begin = (): void => {
    if (timer) return
    offsetMs = offset()
    timer = setInterval(look, lookEveryMs)
    timer.unref()
  }
  const end = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    mark,
    after(wait, signal) {
      return new Promise((resolve) => {
        const done = (): void => {
          waiting.delete(entry)
          signal.removeEventListener('abort', done)
          if (waiting.size === 0) end()
          resolve()
        }
        const entry: Waiting = { ...wait, sinceMs: steadyMs(clock), done }
        waiting.add(entry)
        begin()
        signal.addEventListener('abort', done)
        if (signal.aborted) done()
      })
    },
  }
}
