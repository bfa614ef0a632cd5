/** What a node writes of itself beside the columns that are asked for, and how long its row counts. */
import type { OperatorProcess } from '@sonde/web/server'
import type { PartReport } from './report.ts'

export type NodeFigures = {
  /** Why it is not ready; empty: it is. */
  readonly trouble: string
  readonly processes: readonly OperatorProcess[]
  /** Of its app process, as far as they speak for themselves. */
  readonly parts: readonly PartReport[]
  /** Of the file system with its data folder; not there where the system does not say. */
  readonly freeBytes?: number
  readonly sizeBytes?: number
}

/** Long enough to be seen on the morning after. */
export const FORGET_AFTER_MS = 24 * 3_600_000
