/** How rows of an insight page run over time: counts for a small chart beside each, and the change since the period before. */
import type { Grant } from '@sonde/access'
import {
  type Change,
  MIN_COMPARED_SAMPLES,
  percentileEstimate,
  rateEstimate,
  relativeChange,
  shareChange,
} from '../performance/change-interval.ts'
import { performanceConditions } from '../performance/performance-filter.ts'
import { gridLevels, quantileAt } from '../performance/quantile-grid.ts'
import type { TransactionChange } from '../performance/transaction-changes.ts'
import type { TransactionPoint } from '../performance/transaction-series.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import { KIND_SQL, timesSql } from './insight-measures.ts'
import { type InsightFilter, insightSums } from './insight-rows.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>
type ProjectGrant = Grant<'event:read', 'org' | 'project'>
/** The names of a page's rows: they narrow what is read. */
type Named = InsightFilter & { readonly names: readonly string[] }

const SPARK_BUCKETS = 24

export type InsightSparks = Pick<BucketWindow, 'stepMs' | 'fromMs' | 'toMs'> & {
  /** By name; a name without spans is absent. */
  readonly counts: Readonly<Record<string, readonly number[]>>
}

/** Counted up from what was sampled, one number a bucket. */
export async function insightSparks(
  deps: Deps,
  grant: ProjectGrant,
  { names, ...filter }: Named,
): Promise<InsightSparks> {
  const { fromMs, toMs, stepMs, startsMs } = bucketWindow({ ...filter, buckets: SPARK_BUCKETS })
  const shown = { ...filter, fromMs, toMs }
  const where = await performanceConditions(deps, grant, shown)
  const sums =
    where === undefined || names.length === 0
      ? undefined
      : await insightSums(deps, shown, where, {
          by: { name: () => KIND_SQL[filter.kind].key },
          sums: ['counted'],
          steps: { firstMs: fromMs, stepMs },
          names,
        })
  const rows = sums
    ? await deps.telemetry.query<{ name: string; bucket: number; n: number }>(
        `SELECT name, bucket, sum(counted) AS n FROM (${sums.sql}) GROUP BY name, bucket`,
        sums.params,
      )
    : []
  const counts = new Map<string, number[]>()
  for (const { name, bucket, n } of rows) {
    const own = counts.get(name) ?? startsMs.map(() => 0)
    if (bucket in own) own[bucket] = Math.round(n)
    counts.set(name, own)
  }
  return { fromMs, toMs, stepMs, counts: Object.fromEntries(counts) }
}

const LEVELS = { p50: 0.5, p75: 0.75, p95: 0.95 } as const
type Level = keyof typeof LEVELS
export type InsightChange = Pick<TransactionChange, 'changes' | 'samples'> & { readonly name: string }

/**
 * Of percentiles and the failure rate, against the period before that is as long. Rows of one person are taken as
 * independent of each other: a statement that runs again and again says little of who waits.
 */
export async function insightChanges(
  deps: Deps,
  grant: ProjectGrant,
  { names, measures, ...filter }: Named & { readonly measures: readonly Level[] },
): Promise<readonly InsightChange[]> {
  const { fromMs, toMs } = filter
  const shown = { ...filter, fromMs: Math.max(0, 2 * fromMs - toMs) }
  const where = await performanceConditions(deps, grant, shown)
  if (where === undefined || names.length === 0) return []
  const { key, timed } = KIND_SQL[filter.kind]
  const levels = measures.flatMap((measure) => gridLevels(LEVELS[measure]))
  const sums = await insightSums(deps, filter, where, {
    by: { name: () => key, op: () => 'op' },
    sums: ['sampled', 'counted', 'squares', 'failed', 'levels'],
    splitMs: fromMs,
    names,
  })
  const rows = await deps.telemetry.query<WindowRow>(
    `SELECT name, isNow, sum(sampled) AS samples, pow(sum(counted), 2) / sum(squares) AS effective,
       quantilesBFloat16WeightedMerge(${levels.join(', ')})(levels) AS values, sum(failed) / sum(counted) AS failureRate
     FROM (${sums.sql}) WHERE ${timed} GROUP BY name, isNow`,
    sums.params,
  )
  return names.flatMap((name) => {
    const [now, before] = [1, 0].map((isNow) => rows.find((row) => row.name === name && row.isNow === isNow))
    return now ? [changeOf(measures, now, before)] : []
  })
}

type WindowRow = {
  readonly name: string
  readonly isNow: number
  readonly samples: number
  readonly effective: number
  readonly values: readonly number[]
  readonly failureRate: number
}

function changeOf(measures: readonly Level[], now: WindowRow, before: WindowRow | undefined): InsightChange {
  const grids = measures.map((measure, index) => {
    const level = LEVELS[measure]
    const from = measures.slice(0, index).reduce((sum, each) => sum + gridLevels(LEVELS[each]).length, 0)
    const gridOf = (row: WindowRow) => ({
      level,
      values: row.values.slice(from, from + gridLevels(level).length),
    })
    return [measure, gridOf] as const
  })
  const isEnough = Math.min(now.effective, before?.effective ?? 0) >= MIN_COMPARED_SAMPLES
  const few: Change = { kind: 'few' }
  const percentiles = grids.map(([measure, gridOf]) => [
    measure,
    {
      change:
        before && isEnough
          ? relativeChange(
              percentileEstimate(gridOf(now), now.effective),
              percentileEstimate(gridOf(before), before.effective),
            )
          : few,
      before: before && quantileAt(gridOf(before), LEVELS[measure]),
    },
  ])
  const failures = {
    change:
      before && isEnough
        ? shareChange(
            rateEstimate(now.failureRate, now.effective),
            rateEstimate(before.failureRate, before.effective),
          )
        : few,
    before: before?.failureRate,
  }
  return {
    name: now.name,
    changes: { ...Object.fromEntries(percentiles), failureRate: failures },
    samples: [now.samples, before?.samples ?? 0],
  }
}

export type InsightSeries = BucketWindow & {
  readonly points: readonly (TransactionPoint | undefined)[]
  readonly total: number
  readonly markers: readonly []
}

/** One group over time, as the charts of a transaction are; a group of queues is timed where messages are processed. */
export async function insightSeries(
  deps: Deps,
  grant: ProjectGrant,
  { name, ...filter }: InsightFilter & { readonly name: string },
): Promise<InsightSeries> {
  const window = bucketWindow({ ...filter, buckets: 60 })
  const shown = { ...filter, fromMs: window.fromMs, toMs: window.toMs }
  const where = await performanceConditions(deps, grant, shown)
  const sums =
    where === undefined
      ? undefined
      : await insightSums(deps, shown, where, {
          by: { op: () => 'op' },
          sums: ['sampled', 'counted', 'failed', 'levels'],
          steps: { firstMs: window.fromMs, stepMs: window.stepMs },
          names: [name],
        })
  const rows = sums
    ? await deps.telemetry.query<PointRow>(
        `SELECT bucket, sum(counted) AS count, sum(sampled) AS samples,
           ${timesSql(KIND_SQL[filter.kind], [0.5, 0.75, 0.95])} AS times, sum(failed) / count AS failureRate
         FROM (${sums.sql}) GROUP BY bucket`,
        sums.params,
      )
    : []
  const points: (TransactionPoint | undefined)[] = window.startsMs.map(() => undefined)
  for (const { bucket, times, ...row } of rows) {
    const [p50, p75, p95] = times.map((ms) => (Number.isFinite(ms) ? ms : 0))
    points[bucket] = { ...row, count: Math.round(row.count), p50: p50 ?? 0, p75: p75 ?? 0, p95: p95 ?? 0 }
  }
  return {
    ...window,
    points,
    total: points.reduce((sum, point) => sum + (point?.count ?? 0), 0),
    markers: [],
  }
}

type PointRow = Pick<TransactionPoint, 'count' | 'samples' | 'failureRate'> & {
  readonly bucket: number
  readonly times: readonly (number | null)[]
}
