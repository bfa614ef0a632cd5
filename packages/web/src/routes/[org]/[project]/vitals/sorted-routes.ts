import type { RouteVitals } from '@sonde/queries'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import type { VitalSort } from './vital-choice.ts'

/** The slowest first; routes of which too few told the vital come after those that can be rated, the silent last. */
export function sortedRoutes(rows: readonly RouteVitals[], sort: VitalSort): readonly RouteVitals[] {
  if (sort === 'count') return rows
  const rank = ({ [sort]: vital }: RouteVitals): number =>
    vital === undefined ? 2 : vital.samples < MIN_RATED_VISITS ? 1 : 0
  return rows.toSorted((a, b) => rank(a) - rank(b) || (b[sort]?.p75 ?? 0) - (a[sort]?.p75 ?? 0))
}
