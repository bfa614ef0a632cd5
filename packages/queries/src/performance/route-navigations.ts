/** Client-side navigations by pair of routes: how long, how they ended, where the time went, what fetching ahead did. */
import type { Grant } from '@sonde/access'
import {
  NAVIGATION_OUTCOMES,
  NAVIGATION_PHASES,
  type NavigationOutcome,
  type NavigationPhase,
  PREFETCH_STATES,
  type PrefetchState,
} from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import {
  MEAN_PHASES_SQL,
  type MeanPhaseColumns,
  type MeanPhases,
  meanPhasesOf,
} from './navigation-breakdown.ts'
import {
  navigationConditions,
  type NavigationFilter,
  SEEN_AFTER_SQL,
  SHARE_SQL,
} from './navigation-filter.ts'
import { WEIGHT } from './performance-filter.ts'

export type RoutePair = {
  readonly from: string
  readonly to: string
  readonly count: number
  /** Rows that were stored. */
  readonly samples: number
  /** Milliseconds until the new page was seen, of those that committed; undefined when none did. */
  readonly p50: number | undefined
  readonly p75: number | undefined
  readonly p95: number | undefined
  readonly outcomes: { readonly [Outcome in NavigationOutcome]?: number }
  readonly prefetch: { readonly [State in PrefetchState]?: number }
  /** 75th percentile of each phase in milliseconds, over those that had it. */
  readonly phases: { readonly [Phase in NavigationPhase]?: number }
  readonly meanPhases: MeanPhases
}
export type RouteNavigationsInput = NavigationFilter & {
  readonly limit?: number
  /** False: `phases` stays empty, which halves the work. */
  readonly phases?: boolean
}

const MAX_PAIRS = 1000

/** Most frequent first. A navigation that was told as hanging and ended later is counted by its end. */
export async function routeNavigations(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: RouteNavigationsInput,
): Promise<RoutePair[]> {
  const where = await navigationConditions(deps, grant, input)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT from_route AS fromRoute, to_route AS toRoute, sum(${SHARE_SQL}) AS count, count() AS samples,
       quantilesBFloat16WeightedIf(0.5, 0.75, 0.95)(${SEEN_AFTER_SQL}, ${WEIGHT}, outcome = 'committed') AS times,
       countIf(outcome = 'committed') AS committed,
       sumMap(map(outcome, ${SHARE_SQL})) AS outcomes, sumMap(map(prefetch, ${SHARE_SQL})) AS prefetch,
       ${input.phases === false ? '' : NAVIGATION_PHASES.map((phase) => `${phaseColumns(phase)},`).join('\n       ')}
       ${MEAN_PHASES_SQL}
     FROM navigations FINAL
     WHERE ${where.sql}
     GROUP BY fromRoute, toRoute
     ORDER BY count DESC, fromRoute, toRoute LIMIT {rows:UInt32}`,
    { ...where.params, rows: Math.min(input.limit ?? 100, MAX_PAIRS) },
  )
  return rows.map((row) => pairOf(row))
}

const phaseColumns = (phase: NavigationPhase): string =>
  `quantileBFloat16WeightedIf(0.75)(assumeNotNull(${phase}_ms), ${WEIGHT}, isNotNull(${phase}_ms)) AS ${phase}, ` +
  `count(${phase}_ms) AS ${phase}Count`

type Row = {
  readonly fromRoute: string
  readonly toRoute: string
  readonly count: number
  readonly samples: number
  readonly times: readonly number[]
  readonly committed: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly prefetch: Readonly<Record<string, number>>
} & MeanPhaseColumns & { readonly [Phase in NavigationPhase]?: number } & {
    readonly [Phase in NavigationPhase as `${Phase}Count`]?: number
  }

function pairOf(row: Row): RoutePair {
  const [p50, p75, p95] = row.committed === 0 ? [] : row.times
  const phases = NAVIGATION_PHASES.filter((phase) => (row[`${phase}Count`] ?? 0) > 0)
  return {
    from: row.fromRoute,
    to: row.toRoute,
    count: Math.round(row.count),
    samples: row.samples,
    p50,
    p75,
    p95,
    outcomes: countsOf(row.outcomes, NAVIGATION_OUTCOMES),
    prefetch: countsOf(row.prefetch, PREFETCH_STATES),
    phases: Object.fromEntries(phases.map((phase) => [phase, row[phase]])),
    meanPhases: meanPhasesOf(row, row.committed),
  }
}

function countsOf<Word extends string>(
  counts: Readonly<Record<string, number>>,
  words: readonly Word[],
): { readonly [Each in Word]?: number } {
  const entries = words.flatMap((word) => (counts[word] ? [[word, Math.round(counts[word])]] : []))
  return Object.fromEntries(entries) as { readonly [Each in Word]?: number }
}
