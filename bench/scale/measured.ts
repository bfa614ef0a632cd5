/**
 * What `npm run bench -- --distributed` measured at full load: processor seconds for an error of 3,026 bytes. Two cores of a
 * shared machine, November 2026, eight partitions, one server of each engine.
 */
export const MEASURED = {
  /** `ingest`, for an event. */
  acceptSec: 179e-6,
  /** The NATS server, for an event: written once, read once, deleted. */
  logSec: 88e-6,
  /**
   * Pipeline, PostgreSQL and ClickHouse: 156 ms for a batch of 267. By profiles a fifth of a millisecond of it is each event's,
   * the rest comes with every batch.
   */
  batchSec: 0.1,
  inBatchSec: 200e-6,
} as const
