/** Web vitals and navigations by route. docs/reporter.md says what a navigation is. */
import { NAVIGATION_OUTCOMES, NAVIGATION_PHASES, PREFETCH_STATES } from '@sonde/protocol/navigation'
import { type RoutePair, type RouteVitals as Vitals, VITAL_NAMES } from '@sonde/queries'
import { z } from 'zod'

const Vital = z
  .object({
    p75: z.number().meta({ description: 'Milliseconds; CLS has no unit.' }),
    samples: z.int().meta({ description: 'Visits that were measured.' }),
    count: z.number().meta({ description: 'Visits, counted up from what was sampled.' }),
    good: z.number().meta({ description: 'So many of `count`.' }),
    needsImprovement: z.number(),
    poor: z.number(),
  })
  .meta({ id: 'Vital' })

const VITALS = Object.fromEntries(VITAL_NAMES.map((name) => [name, Vital.optional()])) as Record<
  (typeof VITAL_NAMES)[number],
  z.ZodOptional<typeof Vital>
>

export const RouteVitals = z
  .object({
    route: z.string(),
    count: z.number().meta({ description: 'Visits, counted up from `samples`.' }),
    samples: z.int(),
    ...VITALS,
  })
  .meta({ id: 'RouteVitals', description: 'A vital that nobody told is absent.' })

/** `{route, count, samples, lcp: {p75, good, …}, …}`; counts are visits. */
export function vitalsJson({ route, count, samples, ...vitals }: Vitals): z.infer<typeof RouteVitals> {
  const told = VITAL_NAMES.flatMap((name) => {
    const summary = vitals[name]
    return summary === undefined ? [] : [[name, { ...summary, p75: rounded(summary.p75) }] as const]
  })
  return { route, count, samples, ...Object.fromEntries(told) }
}

const ms = z.number().nullable()
const by = (names: readonly [string, ...string[]], description: string) =>
  z.partialRecord(z.enum(names), z.number()).meta({ description })
const byPhase = (description: string) => by(NAVIGATION_PHASES, description)

export const RouteNavigations = z
  .object({
    from: z.string(),
    to: z.string(),
    count: z.number().meta({ description: 'Navigations, counted up from `samples`.' }),
    samples: z.int(),
    p50: ms.meta({ description: 'Milliseconds until the new page was seen; null: none was shown.' }),
    p75: ms,
    p95: ms,
    outcomes: by(NAVIGATION_OUTCOMES, 'How many ended in each way.'),
    prefetch: by(PREFETCH_STATES, 'How many had it fetched ahead, by what that did for them.'),
    phases: byPhase('The 75th percentile of each phase in milliseconds, of those that had it.'),
    meanPhases: byPhase('The mean of each phase in milliseconds, of those that were shown.'),
  })
  .meta({ id: 'RouteNavigations' })

export function navigationJson(pair: RoutePair): z.infer<typeof RouteNavigations> {
  const each = (lengths: RoutePair['phases']) =>
    Object.fromEntries(Object.entries(lengths).map(([phase, length]) => [phase, rounded(length)]))
  const [phases, meanPhases] = [each(pair.phases), each(pair.meanPhases)]
  const [p50, p75, p95] = [orNull(pair.p50), orNull(pair.p75), orNull(pair.p95)]
  return { ...pair, p50, p75, p95, phases, meanPhases }
}

// CLS has three digits that matter, milliseconds one.
const rounded = (value: number): number => Math.round(value * 1000) / 1000
const orNull = (value: number | undefined): number | null => (value === undefined ? null : rounded(value))
