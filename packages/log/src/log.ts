/**
 * The durable log between ingest and pipeline. It has one or more partitions, fixed in number. The embedded log has one
 * partition, one writer process and one consumer process; a broker takes any number of writers, and one consumer for each
 * partition. Any of them may die at any time. Positions are opaque, strictly increasing integers (< 2^53) of one partition;
 * `0` is the beginning. A consumer compares positions and hands back what it got (`position`, `next`); it never computes
 * one: the next record's position may be greater than `next`. Records of a partition come in the order in which `append` was
 * called; with a broker, one that is larger than its messages or had to be sent again may come later.
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
   * An append that neither resolved nor rejected because the process died may or may not be read later; so may one that a
   * broker took without being able to say so.
   * `bytes` may be empty and must not change until it settles (they are not copied). `more`: the same record goes on
   * with these, so that nobody has to join a head and a body first. `projectId` chooses the partition: all records of a
   * project lie in one, where the same event that came twice is noticed. By default 0.
   */
  append(bytes: Uint8Array, more?: Uint8Array, projectId?: number): Promise<void>
  /** Which partition a project's records go to just now. Absent: there is one. */
  partitionOf?(projectId: number): number
  /**
   * What was appended before and is consumed can go from the disk: later records come to lie apart from it. Returns where those
   * begin. Throws when they cannot. Absent: what is consumed goes by itself.
   */
  roll?(): Promise<number>
  /** From memory: looked at for every health check and every scrape of the metrics. */
  stats(): LogWriterStats
  /** Refuses further appends (`UnavailableError`), flushes what waits. Idempotent. */
  close(): Promise<void>
}

/** Counters since the start, and what is now. */
export type LogWriterStats = {
  readonly records: number
  /** Flushes: `records / groups` is how many requests shared one. */
  readonly groups: number
  readonly bytes: number
  /** Appends that were answered with `UnavailableError`. */
  readonly refused: number
  readonly waitingRecords: number
  readonly waitingBytes: number
  readonly durablePosition: number
  /** False from a failed flush until one succeeds again. */
  readonly accepting: boolean
}

export type LogReader = {
  /** Which partition of the log it reads: positions are compared within it alone. Absent: 0, the embedded log's only one. */
  readonly partition?: number
  /**
   * The records from `from` on, oldest first, at least one unless `signal` aborts (then none). Bounded by
   * `maxRecords` and, once one record is in it, by `maxBytes`. Does not move anything: reading twice gives the same.
   * `from` older than what is kept: starts at the oldest record that is. Waits while nothing is there.
   * With `to`: only records whose position is before it, and none at all, without waiting, once nothing readable
   * is left there; a batch that was read before is thus read again exactly, by its first position and last `next`.
   * Bytes that were damaged on disk are skipped and reported, never returned. The returned bytes are the caller's.
   */
  read(from: number, limit: ReadLimit, signal: AbortSignal): Promise<LogRecord[]>
  /**
   * Gives the memory of all records of one or more `read`s back at once: their bytes are empty afterwards. Need not be called.
   * Absent: the reader does not own it alone.
   */
  free?(records: readonly LogRecord[]): void
  /**
   * Everything before `position` is consumed and may be deleted. Idempotent; durable before it resolves. An older
   * position than the committed one changes nothing.
   */
  commit(position: number): Promise<void>
  /** Where a consumer without a better memory should start: the highest position that was committed, 0 before. */
  committed(): Promise<number>
  /** What waits after `committed()`. Cheap: looks at file sizes, reads no records. */
  depth(): Promise<LogDepth>
  /** A `read` that waits returns none; later calls throw. Idempotent. */
  close(): Promise<void>
}

/** The consumer's side of all partitions. */
export type LogReaders = {
  /** One for each partition, in their order. A reader that nobody reads with costs nothing. */
  readonly readers: readonly LogReader[]
  /** Other processes can have the same open: who reads a partition must be agreed upon elsewhere. */
  readonly isShared: boolean
  /** The end of a partition: the `next` of its newest record at least. */
  end(partition: number): Promise<number>
  /** Nothing before it is on the disk any more. Absent: what is consumed goes by itself. */
  keptFrom?(): Promise<number>
  /**
   * From soon on, all projects of a partition lie on one of these shards of telemetry, and `partition % shards` is the same
   * for all partitions of a shard. What is in the log stays where it is. Idempotent. Absent: one partition has all projects.
   */
  placeBy?(shards: ShardWeights): Promise<void>
  close(): Promise<void>
}

/**
 * How many of every so many projects each shard gets, in their order: a project is on the one where `projectId % (their sum)`
 * falls. Whole numbers from 1 on.
 */
export type ShardWeights = readonly number[]

/** `maxRecords` ≥ 1. `to`: see `read`. */
export type ReadLimit = { readonly maxRecords: number; readonly maxBytes: number; readonly to?: number }
/** `bytes`: about what waits on disk, 0 when nothing does. `oldestMs`: when the oldest of it was appended (Unix ms). */
export type LogDepth = { readonly bytes: number; readonly oldestMs: number | undefined }
