/**
 * Shutdown as the start in reverse: whoever starts a part pushes its stop; the parts that came last stop first.
 */
import type { Logger } from './logger.ts'

export type Stop = () => Promise<void> | void

export type StopStack = {
  push(name: string, stop: Stop): void
  /** Stops everything pushed so far. A part that fails to stop is logged and does not keep the others. Idempotent. */
  stopAll(): Promise<void>
}

export function createStopStack(logger: Logger): StopStack {
  const running: { name: string; stop: Stop }[] = []
  let stopping: Promise<void> | undefined

  async function unwind(): Promise<void> {
    for (let next = running.pop(); next; next = running.pop()) {
      const startedMs = performance.now()
      try {
        await next.stop()
        logger.debug({ part: next.name, ms: performance.now() - startedMs }, 'stopped')
      } catch (error) {
        logger.error({ err: error, part: next.name }, 'a part failed to stop')
      }
    }
  }

  return {
    push: (name, stop) => void running.push({ name, stop }),
    stopAll: () => (stopping ??= unwind()),
  }
}
