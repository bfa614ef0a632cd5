/** One pair of routes (or all navigations) by what set them off, and by what fetching ahead did for them. */
import type { Grant } from '@sonde/access'
import {
  NAVIGATION_PHASES,
  NAVIGATION_TRIGGERS,
  type NavigationPhase,
  type NavigationTrigger,
  PREFETCH_STATES,
  type PrefetchState,
} from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import {
  navigationConditions,
  type NavigationFilter,
  SEEN_AFTER_SQL,
  SHARE_SQL,
} from './navigation-filter.ts'
import { WEIGHT } from './performance-filter.ts'

// Where the time of navigations goes. Data and code are loaded side by side, so their lengths do not add up: of each
// navigation only the longer of the two counts, the one that was waited for. Then the parts of the way add up to what a
// person waited, and their means to the mean.

/** Mean milliseconds of those that committed; all of them, one that did not have a phase counts with 0. */
export type MeanPhases = { readonly [Phase in NavigationPhase]?: number }

const SHOWN = `outcome = 'committed'`
const isLonger: { readonly [Phase in NavigationPhase]?: string } = {
  data: 'ifNull(data_ms, 0) >= ifNull(chunk_ms, 0)',
  chunk: 'ifNull(chunk_ms, 0) > ifNull(data_ms, 0)',
}

/** Columns `dataMean` and so on; null or NaN where nothing committed. */
export const MEAN_PHASES_SQL = NAVIGATION_PHASES.map((phase) => {
  const counts = isLonger[phase] === undefined ? SHOWN : `${SHOWN} AND ${isLonger[phase]}`
  return `sumIf(ifNull(${phase}_ms, 0) * ${SHARE_SQL}, ${counts}) / sumIf(${SHARE_SQL}, ${SHOWN}) AS ${phase}Mean`
}).join(',\n  ')

export type MeanPhaseColumns = { readonly [Phase in NavigationPhase as `${Phase}Mean`]: number | null }

/** `shown`: how many rows committed. */
export function meanPhasesOf(row: MeanPhaseColumns, shown: number): MeanPhases {
  if (shown === 0) return {}
  const entries = NAVIGATION_PHASES.flatMap((phase) => {
    const ms = row[`${phase}Mean`]
    return ms ? [[phase, ms] as const] : []
  })
  return Object.fromEntries(entries)
}

export type NavigationPart<Word extends string> = {
  readonly name: Word
  readonly count: number
  readonly samples: number
  /** Milliseconds until the page was seen; undefined when none was. */
  readonly p75: number | undefined
}
export type NavigationBreakdown = {
  /** Most frequent first. */
  readonly triggers: readonly NavigationPart<NavigationTrigger>[]
  readonly prefetch: readonly NavigationPart<PrefetchState>[]
}

/** One pass for both. */
export async function navigationBreakdown(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
): Promise<NavigationBreakdown> {
  const where = await navigationConditions(deps, grant, input)
  if (where === undefined) return { triggers: [], prefetch: [] }
  const rows = await deps.telemetry.query<Row>(
    `SELECT trigger, prefetch, toBool(grouping(trigger)) AS isPrefetch, sum(${SHARE_SQL}) AS count, count() AS samples,
       countIf(outcome = 'committed') AS shown,
       quantileBFloat16WeightedIf(0.75)(${SEEN_AFTER_SQL}, ${WEIGHT}, outcome = 'committed') AS p75
     FROM navigations FINAL WHERE ${where.sql}
     GROUP BY GROUPING SETS ((trigger), (prefetch)) ORDER BY count DESC, trigger, prefetch`,
    where.params,
  )
  return {
    triggers: partsOf(rows, NAVIGATION_TRIGGERS, (row) => !row.isPrefetch && row.trigger),
    prefetch: partsOf(rows, PREFETCH_STATES, (row) => row.isPrefetch && row.prefetch),
  }
}

type Row = {
  readonly trigger: string
  readonly prefetch: string
  readonly isPrefetch: boolean
  readonly count: number
  readonly samples: number
  readonly shown: number
  readonly p75: number
}

/** A word that is none of ours is empty in the table, and says nothing. */
function partsOf<Word extends string>(
  rows: readonly Row[],
  words: readonly Word[],
  nameOf: (row: Row) => string | false,
): NavigationPart<Word>[] {
  return rows.flatMap((row) => {
    const name = words.find((word) => word === nameOf(row))
    const { samples, shown, p75 } = row
    return name ? [{ name, count: Math.round(row.count), samples, p75: shown > 0 ? p75 : undefined }] : []
  })
}
