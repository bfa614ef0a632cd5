/**
 * Processed records between reading and committing. While a batch is being committed the next one gathers here, so
 * batches are small when little is going on and large when much is. The first record after a quiet moment is taken at
 * once; those that follow it closely wait for each other, because what a batch costs hardly depends on its size.
 */
import { freeMemory } from '@sonde/base'
import type { LogReader, LogRecord } from '@sonde/log'
import { FIRST_PARTITION } from '@sonde/stores'
import type { ProcessedRecord } from '../process/processed.ts'

/** A stretch of the log, processed, that is committed as one. */
export type Batch = {
  /** Of the log. */
  readonly partition: number
  /** Log positions `[from, to)`. They name the batch in every store, so a repeated batch must have the same. */
  readonly from: number
  readonly to: number
  readonly entries: readonly BatchEntry[]
}
export type BatchEntry = { readonly record: LogRecord; readonly processed: ProcessedRecord }

/**
 * What names the batch's rows in telemetry: the same token again inserts nothing. The first partition is not named, as
 * in earlier versions: a batch that was in flight during the upgrade is repeated under the token that it had.
 */
export function batchToken({ partition, from, to }: Omit<Batch, 'entries'>): string {
  return partition === FIRST_PARTITION ? `log:${from}-${to}` : `log/${partition}:${from}-${to}`
}

/** Once it is committed, nobody looks at its bytes again: neither at its records nor at its rows, which threads packed. */
export function freeBatch(log: Pick<LogReader, 'free'>, { entries }: Pick<Batch, 'entries'>): void {
  log.free?.(entries.map(({ record }) => record))
  freeMemory(entries.flatMap(({ processed }) => rowsOf(processed)))
}

const rowsOf = ({ events, rows }: ProcessedRecord): Uint8Array[] =>
  [...events.map(({ row }) => row), ...rows.flatMap((item) => Object.values(item.rows))].filter(
    (row) => typeof row !== 'string',
  )

export type BatchLimits = {
  readonly maxRecords: number
  readonly maxBytes: number
  /** From one batch to the next, unless the next is full before. */
  readonly minGapMs?: number
  /** Of the log. */
  readonly partition?: number
  /** What the queues of a process hold together; by default each counts alone. */
  readonly together?: QueueMemory
}

/** `maxBytes` holds for the sum of all that share it; each may hold what it read last on top. */
export type QueueMemory = { bytes: number; queues: number; readonly wake: Set<() => void> }
export const queueMemory = (): QueueMemory => ({ bytes: 0, queues: 0, wake: new Set() })
// What a batch costs hardly depends on its size: with many partitions their batches come less often.
const LONGEST_GAP_MS = 1_000

export type BatchQueue = {
  /** Resolves at once; `room` says when to go on. */
  push(entries: readonly BatchEntry[]): void
  /** Resolves when there is room for more, or when the queue is closed. */
  room(): Promise<void>
  /** Everything that gathered; undefined once the queue is closed. `from` is where the batch before ended. */
  take(from: number): Promise<Batch | undefined>
  /** What was not taken is left to the next start. */
  close(): void
}

/** `nowMs` never goes back. */
export function createBatchQueue(
  { maxRecords, maxBytes, minGapMs = 0, partition = FIRST_PARTITION, together = queueMemory() }: BatchLimits,
  nowMs: () => number = () => performance.now(),
): BatchQueue {
  let entries: BatchEntry[] = []
  let bytes = 0
  let closed = false
  let takenMs = Number.NEGATIVE_INFINITY
  let wake: (() => void)[] = []
  const changed = (): void => {
    const waiting = wake
    wake = []
    for (const resolve of waiting) resolve()
  }
  const change = (): Promise<void> => new Promise((resolve) => wake.push(resolve))
  const changeWithin = async (ms: number): Promise<void> => {
    const timer = setTimeout(changed, ms)
    await change()
    clearTimeout(timer)
  }
  const isClosed = (): boolean => closed
  const isFull = (): boolean =>
    entries.length >= maxRecords || (entries.length > 0 && together.bytes >= maxBytes)
  const sharedGapMs = (): number => Math.max(minGapMs, Math.min(LONGEST_GAP_MS, minGapMs * together.queues))
  const gapMs = (): number => (isFull() ? 0 : takenMs + sharedGapMs() - nowMs())
  const free = (): void => {
    together.bytes -= bytes
    bytes = 0
    for (const wakeOne of together.wake) wakeOne()
  }
  together.queues++
  together.wake.add(changed)

  return {
    push(more) {
      if (closed) return
      entries.push(...more)
      bytes += sizeOf(more)
      together.bytes += sizeOf(more)
      changed()
    },
    async room() {
      while (isFull() && !isClosed()) await change()
    },
    async take(from) {
      while (entries.length === 0 && !isClosed()) await change()
      while (gapMs() > 0 && !isClosed()) await changeWithin(gapMs())
      if (closed) return undefined
      takenMs = nowMs()
      const taken = entries
      entries = []
      free()
      return { partition, from, to: taken.at(-1)?.processed.next ?? from, entries: taken }
    },
    close() {
      if (closed) return
      closed = true
      together.queues--
      free()
      together.wake.delete(changed)
    },
  }
}

function sizeOf(entries: readonly BatchEntry[]): number {
  return entries.reduce((sum, { record }) => sum + record.bytes.length, 0)
}
