/**
 * When a page-load or navigation trace ends by itself. Upstream's tracing has the same three times:
 * https://docs.sentry.io/platforms/javascript/tracing/instrumentation/automatic-instrumentation/
 */

/** Fact T1: the trace ends this long after its last child ended. */
export const IDLE_MS = 1000
/** Fact T2: and then at the latest, whatever still runs. */
export const FINAL_MS = 30_000
/** Fact T3: a child that takes longer is not waited for any more. */
export const CHILD_MS = 15_000

/** Why a trace ended, by the protocol's words (`sentry.idle_span_finish_reason`). */
export const FINISH_REASONS = [
  /** T1. */
  'idleTimeout',
  /** T2. */
  'finalTimeout',
  /** T3: one child was all that was still waited for. */
  'heartbeatFailed',
  /** The page was hidden or left. */
  'documentHidden',
  /** Another trace took its place. */
  'cancelled',
  /** The callback of `startSpan` that it was made for is done. */
  'externalFinish',
] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

export type IdleTimer = {
  /** Something runs, and is waited for up to T3. */
  open(child: unknown): void
  /** It ended at `endMs`. Also for what was never opened: entries that are seen when they are over. */
  close(child: unknown, endMs: number): void
  stop(): void
}

/** `now` in the milliseconds of `performance.now()`. `end` is called once, unless `stop` came first. */
export function startIdleTimer(now: () => number, end: (reason: FinishReason) => void): IdleTimer {
  const waits = new Map<unknown, number>()
  const finalAt = now() + FINAL_MS
  let idleAt = now() + IDLE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function arm(): void {
    clearTimeout(timer)
    let at = idleAt
    let reason: FinishReason = 'idleTimeout'
    for (const untilMs of waits.values()) {
      if (untilMs > at) {
        at = untilMs
        reason = 'heartbeatFailed'
      }
    }
    if (at >= finalAt) {
      at = finalAt
      reason = 'finalTimeout'
    }
    timer = setTimeout(end, at - now(), reason)
  }

  arm()
  return {
    open(child) {
      waits.set(child, now() + CHILD_MS)
      arm()
    },
    close(child, endMs) {
      waits.delete(child)
      idleAt = Math.max(idleAt, endMs + IDLE_MS)
      arm()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
