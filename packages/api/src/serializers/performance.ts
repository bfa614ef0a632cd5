import { type RoutePair, type RouteVitals, VITAL_NAMES } from '@sonde/queries'

/**
 * `{route, count, samples, lcp: {p75, good, needsImprovement, poor, …}, …}`; counts are visits, counted up from
 * `samples`; a vital nobody told is absent.
 */
export function vitalsJson({ route, count, samples, ...vitals }: RouteVitals) {
  const told = VITAL_NAMES.flatMap((name) => {
    const summary = vitals[name]
    return summary === undefined ? [] : [[name, { ...summary, p75: rounded(summary.p75) }]]
  })
  return {
    route,
    count,
    samples,
    ...(Object.fromEntries(told) as Omit<RouteVitals, 'route' | 'count' | 'samples'>),
  }
}

/** Percentiles are null when no navigation of the pair was shown. */
export function navigationJson({ p50, p75, p95, ...pair }: RoutePair) {
  const each = (phases: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(phases).map(([phase, ms]) => [phase, rounded(ms)]))
  const [phases, meanPhases] = [each(pair.phases), each(pair.meanPhases)]
  return { ...pair, p50: ms(p50), p75: ms(p75), p95: ms(p95), phases, meanPhases }
}

// CLS has three digits that matter, milliseconds one.
const rounded = (value: number): number => Math.round(value * 1000) / 1000
const ms = (value: number | undefined): number | null => (value === undefined ? null : rounded(value))
