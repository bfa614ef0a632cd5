/**
 * The durable log between ingest and pipeline. One writer process, one consumer process; either may
 * die at any time. Positions are opaque, strictly increasing integers (< 2^53); `0` is the beginning.
 */
export type LogRecord = {
  readonly position: number
  /** The position after this record: what `commit` takes once it is consumed. */
  readonly next: number
  readonly bytes: Uint8Array
}

export type LogWriter = {
  /**
   * Resolves only when the bytes are on disk (or acknowledged by the broker): guarantee G1. Appends of
   * concurrent callers share one flush. Throws `UnavailableError` when they cannot be made durable (disk full,
   * I/O error, too much waiting); then none of the bytes will be read later, and a later append may work.
   */
  append(bytes: Uint8Array): Promise<void>
  /** Flushes what waits, then refuses further appends. */
  close(): Promise<void>
}

export type LogReader = {
  /**
   * The records from `from` on, oldest first, at least one unless `signal` aborts (then none). Bounded by
   * `maxRecords` and, once one record is in it, by `maxBytes`. Does not move anything: reading twice gives the same.
   * `from` older than what is kept: starts at the oldest record that is. Waits while nothing is there.
   */
  read(from: number, limit: ReadLimit, signal: AbortSignal): Promise<LogRecord[]>
  /** Everything before `position` is consumed and may be deleted. Idempotent; durable before it resolves. */
  commit(position: number): Promise<void>
  /** Where a consumer without a better memory should start. */
  committed(): number
  /** What waits after `committed()`. Cheap: looks at file sizes, reads no records. */
  depth(): Promise<LogDepth>
  close(): Promise<void>
}

export type ReadLimit = { readonly maxRecords: number; readonly maxBytes: number; readonly to?: number }
export type LogDepth = { readonly bytes: number; readonly oldestMs: number | undefined }
