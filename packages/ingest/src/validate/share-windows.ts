/**
 * Several processes hold one limit: each tells the others, four times a second, what it let in in the windows that changed.
 * Nobody asks before letting in, so what all of them let in within that time can be above the limit:
 * docs/decisions/0040-shared-limits.md. Who cannot reach the others counts alone.
 */
import { randomBytes } from 'node:crypto'
import type { Bus, Clock, Logger, Metrics, TakenWindow } from '@sonde/base'
import type { QuotaWindows } from './quota-windows.ts'

export type WindowSharingOptions = {
  readonly windows: QuotaWindows
  readonly bus: Bus
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** Tests shorten it. */
  readonly everyMs?: number
}

export type SharedWindows = {
  /** Tells what is left to tell. Idempotent. */
  stop(): void
}

/** Half of what is above a limit comes from it, the rest from the network: shorter costs messages, and gains little. */
const EVERY_MS = 250
/** What changed beyond that is told the next time: the work is bounded, and it takes this many projects at once to be late. */
const MAX_TOLD = 5_000
/** About 150 kB. */
const MAX_IN_MESSAGE = 2_000
/** Those that ended since are among them. */
const MAX_OTHERS = 64
/** Of one process, to who asks. */
const MAX_ANSWERED = 20_000

export function shareWindows(options: WindowSharingOptions): SharedWindows {
  const { windows, bus, clock, logger, metrics, everyMs = EVERY_MS } = options
  const { sharing } = windows
  const self = randomBytes(8).toString('hex')
  /** Whoever was heard: this process answers for those that ended. */
  const others = new Set<string>()
  /** Somebody wants to know everything: about this process, and about those of whom nobody told since. */
  let asked: Set<string> | undefined
  let isAlone = false
  sharing.begin()

  const publish = (by: string, taken: readonly TakenWindow[]): void => {
    for (let at = 0; at < taken.length; at += MAX_IN_MESSAGE)
      bus.publish('limits.taken', { by, windows: taken.slice(at, at + MAX_IN_MESSAGE) })
  }
  const tellAll = (about: ReadonlySet<string>): void => {
    const nowMs = clock.nowMs()
    // The newest: windows that began first end first.
    publish(self, sharing.all(undefined, nowMs).slice(-MAX_ANSWERED))
    for (const other of about) {
      const taken = sharing.all(other, nowMs).slice(-MAX_ANSWERED)
      if (taken.length > 0) publish(other, taken)
      else others.delete(other)
    }
    sharing.forgetChanges()
  }
  const tell = (): void => {
    if (!bus.isConnected()) {
      if (!isAlone)
        logger.warn(
          {},
          'other ingest processes cannot be told: limits count for each process alone meanwhile',
        )
      isAlone = true
      // Everything is told once they can be.
      sharing.forgetChanges()
    } else if (asked) {
      const about = asked
      asked = undefined
      tellAll(about)
    } else publish(self, sharing.changed(MAX_TOLD, clock.nowMs()))
  }
  const join = (): void => {
    if (isAlone) logger.info({}, 'limits count what all ingest processes let in again')
    isAlone = false
    bus.publish('limits.ask', { by: self })
    asked ??= new Set()
  }

  const unsubscribe = [
    bus.subscribe('limits.taken', ({ by, windows: taken }) => {
      if (by === self) return
      asked?.delete(by)
      others.add(by)
      const [oldest] = others
      if (oldest !== undefined && others.size > MAX_OTHERS) others.delete(oldest)
      const nowMs = clock.nowMs()
      for (const window of taken) sharing.heard(by, window, nowMs)
    }),
    bus.subscribe('limits.ask', ({ by }) => {
      if (by !== self) asked = others.union(asked ?? new Set())
    }),
    bus.onConnect(join),
  ]
  if (bus.isConnected()) join()
  const timer = setInterval(tell, everyMs)
  timer.unref()
  metrics.observed(
    'sonde_ingest_limits_shared',
    '1 while limits count what all ingest processes let in, 0 while this one counts alone',
    () => (bus.isConnected() ? 1 : 0),
  )
  metrics.observed('sonde_ingest_limits_untold', 'Windows of limits that others were not told of yet', () =>
    sharing.changes(),
  )
  return {
    stop() {
      clearInterval(timer)
      for (const each of unsubscribe) each()
      tell()
    },
  }
}
