/** How the web vitals of a project or of one route changed against the window before, as long as this one. */
import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import type { AnyScope } from '../scope-projects.ts'
import { type Change, percentileEstimate, relativeChange } from './change-interval.ts'
import { WEIGHT } from './performance-filter.ts'
import { gridLevels } from './quantile-grid.ts'
import { EFFECTIVE_SAMPLES } from './transaction-measures.ts'
import { VITAL_ROWS, vitalConditions } from './vital-conditions.ts'
import type { VitalOverviewInput } from './vital-overview.ts'

export type VitalChange = {
  readonly name: VitalName
  /** Relative, of the 75th percentile. */
  readonly change: Change
  /** Visits that were measured, in this window and in the one before. */
  readonly samples: readonly [now: number, before: number]
}

const LEVEL = 0.75

/** Of those that anyone told in both windows; the method: docs/internals/performance-changes.md. One pass over both. */
export async function vitalChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  input: VitalOverviewInput,
): Promise<readonly VitalChange[]> {
  const { fromMs, toMs } = input
  const where = await vitalConditions(deps, scope, { ...input, fromMs: Math.max(0, 2 * fromMs - toMs) })
  if (where === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT name, timestamp >= {split:DateTime64(3)} AS isNow, count() AS samples,
       ${EFFECTIVE_SAMPLES} AS effective,
       quantilesBFloat16Weighted(${gridLevels(LEVEL).join(', ')})(value, ${WEIGHT}) AS values
     FROM ${VITAL_ROWS} WHERE ${where.sql} GROUP BY name, isNow`,
    { ...where.params, split: fromMs },
  )
  return VITAL_NAMES.flatMap((name) => {
    const [now, before] = [1, 0].map((isNow) => rows.find((row) => row.name === name && row.isNow === isNow))
    if (!now || !before) return []
    const [a, b] = [now, before].map(({ values, effective }) =>
      percentileEstimate({ level: LEVEL, values }, effective),
    )
    return [{ name, change: relativeChange(a, b), samples: [now.samples, before.samples] as const }]
  })
}

type Row = {
  readonly name: VitalName
  readonly isNow: 0 | 1
  readonly samples: number
  readonly effective: number
  readonly values: readonly number[]
}
