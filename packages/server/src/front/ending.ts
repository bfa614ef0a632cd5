/**
 * How a start ends. From the first signal on `/readyz` says so and connections are not kept; a load balancer gets its time
 * to notice, in which everything is answered as before; then the parts stop. A second signal ends all waiting.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export type Ending = {
  readonly isEnding: () => boolean
  /** Aborts when nothing shall be waited for any more. */
  readonly hurried: AbortSignal
  begin(): void
  /** Resolves when the load balancer had its time, at once without one. */
  drained(): Promise<void>
  hurry(): void
}

export function createEnding(drainMs: number): Ending {
  const hurry = new AbortController()
  let isEnding = false
  return {
    isEnding: () => isEnding,
    hurried: hurry.signal,
    begin() {
      isEnding = true
    },
    async drained() {
      if (drainMs > 0) await sleep(drainMs, undefined, { signal: hurry.signal }).catch(() => undefined)
    },
    hurry: () => hurry.abort(),
  }
}
