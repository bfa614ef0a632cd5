/** Puts the rows of a batch into a table; an item that the store refuses for its content is found and left out. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Logger } from '@sonde/base'
import { RefusedRows, type Telemetry, type TelemetryRow, type TelemetryTable } from '@sonde/stores'

export type Refused<Item> = { readonly item: Item; readonly error: Error }

/**
 * Halves that are inserted apart have tokens of their own, made from where they lie in the batch; the same rows are
 * refused each time, so a repeated batch is cut in the same way.
 */
export async function insertRows<Item>(
  telemetry: Pick<Telemetry, 'insert'>,
  table: TelemetryTable,
  items: readonly Item[],
  rowOf: (item: Item) => TelemetryRow,
  token: string,
): Promise<Refused<Item>[]> {
  if (items.length === 0) return []
  try {
    await telemetry.insert(table, items.map(rowOf), token)
    return []
  } catch (error) {
    if (!(error instanceof RefusedRows)) throw error
    const [only] = items
    if (items.length === 1 && only !== undefined) return [{ item: only, error }]
    const half = Math.ceil(items.length / 2)
    const first = await insertRows(telemetry, table, items.slice(0, half), rowOf, `${token}:0`)
    return [...first, ...(await insertRows(telemetry, table, items.slice(half), rowOf, `${token}:1`))]
  }
}

/** Repeats what fails until it works or the pipeline stops. Nothing is skipped: the log keeps what waits. */
export type Backoff = {
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
  readonly onTrouble: (trouble: Backoff | undefined) => void
}

/** Undefined when `signal` ended it. */
export async function retry<T>(
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
      // The first attempt, then ever fewer: an hour of errors must not fill the disk with log lines.
      if (Number.isInteger(Math.log2(attempts)))
        logger.error({ err: error, operation, attempts }, 'trying again')
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10))
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
    }
  }
}
