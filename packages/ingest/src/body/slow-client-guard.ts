/**
 * Gives up bodies that trickle in (slow loris). One timer looks at all open bodies once a second, while there are any: a
 * timer per request would cost every request for the sake of the rare slow one.
 */
import { type Clock, steadyMs } from '@sonde/base'

export type GuardedBody = {
  /** By `steadyMs`. */
  readonly startedMs: number
  /** As they came over the wire; `Infinity` excuses the sender for now. */
  receivedBytes(): number
  giveUp(): void
}

export type SlowClientGuard = {
  watch(body: GuardedBody): void
  unwatch(body: GuardedBody): void
  stop(): void
}

export type TransferRateRules = {
  readonly minBodyBytesPerSec: number
  readonly slowAfterMs: number
  readonly maxBodyMs: number
}

const LOOK_EVERY_MS = 1_000

export function startSlowClientGuard(rules: TransferRateRules, clock: Clock): SlowClientGuard {
  const open = new Set<GuardedBody>()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const atMs = steadyMs(clock)
    for (const body of open) if (isTooSlow(body, atMs, rules)) body.giveUp()
    if (open.size === 0) stop()
  }
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    watch(body) {
      open.add(body)
      timer ??= setInterval(look, Math.min(LOOK_EVERY_MS, rules.slowAfterMs)).unref()
    },
    unwatch: (body) => void open.delete(body),
    stop,
  }
}

function isTooSlow(body: GuardedBody, atMs: number, rules: TransferRateRules): boolean {
  const tookMs = atMs - body.startedMs
  if (tookMs > rules.maxBodyMs) return true
  return tookMs > rules.slowAfterMs && body.receivedBytes() < (rules.minBodyBytesPerSec * tookMs) / 1_000
}
