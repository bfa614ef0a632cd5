/**
 * Processed records between reading and committing. While a batch is being committed the next one gathers here, so
 * batches are small when little is going on and large when much is. The first record after a quiet moment is taken at
 * once; those that follow it closely wait for each other, because what a batch costs hardly depends on its size.
 */
import type { LogRecord } from '@sonde/log'
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

export type BatchLimits = {
  readonly maxRecords: number
  readonly maxBytes: number
  /** From one batch to the next, unless the next is full before. */
  readonly minGapMs?: number
  /** Of the log. */
  readonly partition?: number
}

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
  { maxRecords, maxBytes, minGapMs = 0, partition = FIRST_PARTITION }: BatchLimits,
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
  const isFull = (): boolean => entries.length >= maxRecords || bytes >= maxBytes
  const gapMs = (): number => (isFull() ? 0 : takenMs + minGapMs - nowMs())

  return {
    push(more) {
      entries.push(...more)
      bytes += sizeOf(more)
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
      bytes = 0
      changed()
      return { partition, from, to: taken.at(-1)?.processed.next ?? from, entries: taken }
    },
    close() {
      closed = true
      changed()
    },
  }
}

function sizeOf(entries: readonly BatchEntry[]): number {
  return entries.reduce((sum, { record }) => sum + record.bytes.length, 0)
}
