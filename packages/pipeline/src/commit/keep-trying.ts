/** Repeats what fails until it works or the pipeline stops. Nothing is skipped: the log keeps what waits. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Logger } from '@sonde/base'

export type Trouble = {
  readonly operation: string
  readonly message: string
  readonly sinceMs: number
  readonly attempts: number
}

const FIRST_PAUSE_MS = 100
// A store that comes back is noticed within this; the log takes what arrives meanwhile.
const LONGEST_PAUSE_MS = 5000

type Needs = {
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Undefined once it works again. */
  readonly onTrouble: (trouble: Trouble | undefined) => void
}

/** Undefined when `signal` ended it. */
export async function keepTrying<T>(
  operation: string,
  attempt: () => Promise<T>,
  { clock, logger, signal, onTrouble }: Needs,
): Promise<T | undefined> {
  const sinceMs = clock.nowMs()
  for (let attempts = 1; ; attempts++) {
    try {
      const result = await attempt()
      if (attempts > 1) {
        onTrouble(undefined)
        logger.info({ operation, attempts }, 'it works again')
      }
      return result
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      onTrouble({ operation, message, sinceMs, attempts })
      // The first, then ever rarer: an hour of trouble must not fill the disk with its description.
      if (Number.isInteger(Math.log2(attempts)))
        logger.error({ err: error, operation, attempts }, 'trying again')
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10))
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
    }
  }
}
