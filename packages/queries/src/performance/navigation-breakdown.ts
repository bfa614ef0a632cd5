/** One pair of routes (or all navigations) by what set them off, and by what fetching ahead did for them. */
import type { Grant } from '@sonde/access'
import {
  NAVIGATION_TRIGGERS,
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
