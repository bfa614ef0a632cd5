/** Transactions over time: how many, how long, how many failed, and which releases began meanwhile. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import { deployMarkers, firstSeenReleases, type ReleaseMarker, withDeploys } from '../series/markers.ts'
import { transactionConditions, type TransactionFilter, transactionSums } from './transaction-windows.ts'

export type TransactionSeriesInput = TransactionFilter & {
  /** At most so many points, 60 unless told. */
  readonly buckets?: number | undefined
}
export type TransactionPoint = {
  /** Counted up from what was sampled; `samples` were stored. */
  readonly count: number
  readonly samples: number
  /** Milliseconds. */
  readonly p50: number
  readonly p75: number
  readonly p95: number
  /** Share of one. */
  readonly failureRate: number
}
/** `fromMs`/`toMs` are the asked window widened to whole buckets. */
export type TransactionSeries = BucketWindow & {
  /** One per element of `startsMs`; undefined where nothing happened. */
  readonly points: readonly (TransactionPoint | undefined)[]
  readonly total: number
  /** Oldest first: releases whose first transaction within twice the window's length lies in the window. */
  readonly markers: readonly ReleaseMarker[]
}

/** Throws `SondeError` (`invalid`) for a window without length. */
export async function transactionSeries(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { buckets, ...filter }: TransactionSeriesInput,
): Promise<TransactionSeries> {
  const window = bucketWindow({ fromMs: filter.fromMs, toMs: filter.toMs, buckets })
  const shown = { ...filter, fromMs: window.fromMs, toMs: window.toMs }
  const [rows, markers] = await Promise.all([
    pointsOf(deps, grant, shown, window.stepMs),
    releasesOf(deps, grant, shown),
  ])
  const points: (TransactionPoint | undefined)[] = window.startsMs.map(() => undefined)
  for (const { bucket, times, ...row } of rows) {
    const [p50, p75, p95] = times
    points[bucket] = { ...row, count: Math.round(row.count), p50, p75, p95 }
  }
  const total = points.reduce((sum, point) => sum + (point?.count ?? 0), 0)
  return { ...window, points, total, markers }
}

type Row = Pick<TransactionPoint, 'count' | 'samples' | 'failureRate'> & {
  readonly bucket: number
  readonly times: readonly [number, number, number]
}

async function pointsOf(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: TransactionFilter,
  stepMs: number,
): Promise<readonly Row[]> {
  const sums = await transactionSums(deps, grant, filter, {
    by: {},
    sums: ['sampled', 'counted', 'levels', 'failed'],
    steps: { firstMs: filter.fromMs, stepMs },
  })
  if (sums === undefined) return []
  return deps.telemetry.query<Row>(
    `SELECT bucket, sum(counted) AS count, sum(sampled) AS samples,
       quantilesBFloat16WeightedMerge(0.5, 0.75, 0.95)(levels) AS times, sum(failed) / count AS failureRate
     FROM (${sums.sql}) GROUP BY bucket`,
    sums.params,
  )
}

/**
 * A release came out when it came out, whichever route, browser or country is looked at; only the environment is a place
 * of its own. One that was there in the window before did not begin in this one.
 */
async function releasesOf(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { fromMs, toMs, environment, release }: TransactionFilter,
): Promise<readonly ReleaseMarker[]> {
  const where = await transactionConditions(deps, grant, {
    fromMs: Math.max(0, 2 * fromMs - toMs),
    toMs,
    ...(environment && { environment }),
    ...(release && { release }),
  })
  if (where === undefined) return []
  const [firstSeen, deploys] = await Promise.all([
    firstSeenReleases(deps.telemetry, { table: 'spans', ...where }, { fromMs, toMs }),
    deployMarkers(deps, await projectIdsOf(deps, grant), { fromMs, toMs, environment }),
  ])
  return withDeploys(
    firstSeen,
    release?.length ? deploys.filter((deploy) => release.includes(deploy.release)) : deploys,
  )
}
