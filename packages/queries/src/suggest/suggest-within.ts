/** Where suggestions are taken from. */
import type { Grant } from '@sonde/access'
import type { QueryParams } from '@sonde/stores'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { parsePeriodMs, SearchError } from '../search/search-term.ts'
import { sinceWeek } from '../weeks.ts'

/**
 * A bounded look at many events. `events` is ordered by issue, so its newest rows lie everywhere and its first rows
 * are its oldest issues: neither end tells frequencies. Taken are whole blocks of neighbouring rows, every n-th of
 * each part (`_part_offset`), so that every issue counts by its size and the other blocks are not even read.
 */
type EventSample = {
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
     WHERE project_id IN {projects:Array(UInt32)} AND ${sinceWeek('toMonday({received:DateTime64(3)})')}`,
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

export type SuggestWithin = {
  /** `24h`, `14d`, …; two weeks unless told. */
  readonly statsPeriod?: string | undefined
  /** Only these projects of the grant. */
  readonly projectIds?: readonly number[] | undefined
  /** 1 to 100; 20 unless told. */
  readonly limit?: number | undefined
}

const DEFAULT_PERIOD = '14d'

/** Throws `SearchError` for a period that is none. */
export async function readWithin(
  deps: Pick<QueryDeps, 'records' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { statsPeriod, projectIds, limit = 20 }: SuggestWithin,
) {
  const periodMs = parsePeriodMs(statsPeriod || DEFAULT_PERIOD)
  if (!periodMs) throw new SearchError(`"${statsPeriod}" is not a period`, 0, 'For example 24h or 14d.')
  const visible = await projectIdsOf(deps, grant)
  return {
    projectIds: projectIds?.length ? visible.filter((id) => projectIds.includes(id)) : visible,
    sinceMs: Math.max(0, deps.clock.nowMs() - periodMs),
    limit: Math.min(100, Math.max(1, Math.trunc(limit) || 20)),
  }
}

/**
 * Those that contain the text, in any case; those that begin with it first, else in the given order. A single letter
 * is in nearly every name: with it only beginnings count.
 */
export function containing<Row>(
  rows: readonly Row[],
  text: string,
  nameOf: (row: Row) => string,
): readonly Row[] {
  const wanted = text.toLowerCase()
  const found = rows.filter((row) => nameOf(row).toLowerCase().includes(wanted))
  const begins = (row: Row): boolean => nameOf(row).toLowerCase().startsWith(wanted)
  const others = wanted.length === 1 ? [] : found.filter((row) => !begins(row))
  return [...found.filter((row) => begins(row)), ...others]
}
