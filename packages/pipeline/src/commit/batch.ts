/** A stretch of the log, digested, that is committed as one. */
import type { LogRecord } from '@sonde/log'
import type { DigestedRecord } from '../digest/digested.ts'

export type Batch = {
  /** Log positions `[from, to)`. They name the batch in every store, so a repeated batch must have the same. */
  readonly from: number
  readonly to: number
  readonly entries: readonly BatchEntry[]
}
export type BatchEntry = { readonly record: LogRecord; readonly digested: DigestedRecord }

/** What names the batch's rows in telemetry: the same token again inserts nothing. */
export function batchToken({ from, to }: Batch): string {
  return `log:${from}-${to}`
}
