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
export type FinishReason =
  /** T1. */
  | 'idleTimeout'
  /** T2. */
  | 'finalTimeout'
  /** T3: one child was all that was still waited for. */
  | 'heartbeatFailed'
  /** The page was hidden or left. */
  | 'documentHidden'
  /** Another trace took its place. */
  | 'cancelled'
  /** The callback of `startSpan` that it was made for is done. */
  | 'externalFinish'

/**
 * Is told of children: `(child)` began, `(child, endMs)` ended, or is over already when it is first seen. Without a
 * child, the timer stops.
 */
export type IdleTimer = (child?: unknown, endMs?: number) => void

/** Times in milliseconds of `performance.now()`. `end` is called once, unless the timer was stopped. */
export function startIdleTimer(
  startMs: number,
  now: () => number,
  end: (reason: FinishReason) => void,
): IdleTimer {
  const waits = new Map<unknown, number>()
  // A page that starts us late still has its entries taken in.
  const finalAt = Math.max(startMs + FINAL_MS, now() + IDLE_MS)
  let idleAt = now()
  let timer: ReturnType<typeof setTimeout> | undefined

  const tell: IdleTimer = (child, endMs) => {
    clearTimeout(timer)
    if (!child) return
    if (endMs === undefined) waits.set(child, now() + CHILD_MS)
    else {
      waits.delete(child)
      idleAt = Math.max(idleAt, endMs + IDLE_MS)
    }
    const waitAt = Math.max(...waits.values())
    const at = Math.min(Math.max(idleAt, waitAt), finalAt)
    timer = setTimeout(
      end,
      at - now(),
      at === finalAt ? 'finalTimeout' : waitAt > idleAt ? 'heartbeatFailed' : 'idleTimeout',
    )
  }

  tell(end, now())
  return tell
}
