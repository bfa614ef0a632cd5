/** How the values of one vital are spread: visits by bins of equal width, which end on its thresholds. */
import type { Grant } from '@sonde/access'
import type { VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import { VISITS, VITAL_ROWS, vitalConditions, type VitalInput } from './vital-conditions.ts'

/** The finest width whose multiples both thresholds are, and how many bins lead to twice the poor one. */
export const VITAL_BINS: Readonly<Record<VitalName, { readonly width: number; readonly count: number }>> = {
  lcp: { width: 50, count: 160 },
  inp: { width: 10, count: 100 },
  cls: { width: 0.005, count: 100 },
  fcp: { width: 50, count: 120 },
  ttfb: { width: 20, count: 180 },
}

export type VitalHistogram = {
  readonly width: number
  /**
   * Visits of each bin, counted up from what was sampled: bin n has the values above n widths up to and including
   * n + 1, so that a value on a threshold lies on its better side. The first has 0 too.
   */
  readonly bins: readonly number[]
  /** Visits above the last bin. */
  readonly beyond: number
}

/** One pass over the vital's rows of the window; at most 181 rows. */
export async function vitalHistogram(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalInput,
): Promise<VitalHistogram> {
  const { width, count } = VITAL_BINS[input.name]
  const where = await vitalConditions(deps, grant, input)
  const rows =
    where === undefined
      ? []
      : await deps.telemetry.query<{ readonly bin: number; readonly visits: number }>(
          // Rounded first: 0.07 / 0.005 is a little more than 14 for a processor.
          `SELECT toUInt32(least({count:UInt32}, greatest(0, ceil(round(value / {width:Float64}, 6)) - 1))) AS bin,
             ${VISITS} AS visits
           FROM ${VITAL_ROWS} WHERE ${where.sql} GROUP BY bin`,
          { ...where.params, width, count },
        )
  const bins = Array.from({ length: count }, () => 0)
  let beyond = 0
  for (const { bin, visits } of rows) {
    if (bin < count) bins[bin] = Math.round(visits)
    else beyond = Math.round(visits)
  }
  return { width, bins, beyond }
}
