/**
 * A bounded look at many events. `events` is ordered by issue, so its newest rows lie everywhere and its first rows
 * are its oldest issues: neither end tells frequencies. Taken are whole blocks of neighbouring rows, every n-th of
 * each part (`_part_offset`), so that every issue counts by its size and the other blocks are not even read.
 */
import type { QueryParams } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type EventSample = {
  /** For `WHERE`; `params` go with it. */
  readonly sql: string
  readonly params: QueryParams
  /** Each row stands for so many; 1: everything is read. */
  readonly step: number
}

// A block is two or three granules of 2 MiB of payload each: smaller ones read mostly edges.
const BLOCK_ROWS = 2_048
const DAY_MS = 86_400_000

/**
 * `maxRows`: how many rows may be read of the weeks (partitions) that the period touches; about 1 ms a thousand for a
 * tag's value. Counting them is an index look-up (5 ms a million).
 */
export async function eventSample(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  {
    projectIds,
    sinceMs,
    maxRows,
  }: {
    readonly projectIds: readonly number[]
    readonly sinceMs: number
    readonly maxRows: number
  },
): Promise<EventSample> {
  // An event is received after it happened, or a little before by a clock that is ahead.
  const receivedMs = Math.max(0, sinceMs - DAY_MS)
  const params = { projects: projectIds, since: sinceMs, received: receivedMs }
  const [row] = await telemetry.query<{ n: number }>(
    `SELECT count() AS n FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND _partition_value.1 >= toMonday({received:DateTime64(3)})`,
    params,
  )
  const step = Math.max(1, Math.ceil((row?.n ?? 0) / maxRows))
  const blocks = step === 1 ? '' : `AND intDiv(_part_offset, ${BLOCK_ROWS}) % ${step} = 0`
  return {
    sql: `project_id IN {projects:Array(UInt32)} AND received >= {received:DateTime64(3)}
      AND timestamp >= {since:DateTime64(3)} ${blocks}`,
    params,
    step,
  }
}
