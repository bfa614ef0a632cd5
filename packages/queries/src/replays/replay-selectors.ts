/** Which elements were clicked in rage, and which did nothing, over the replays of a time. */
import type { Grant } from '@sonde/access'
import { boundedQuery, createBind } from '../explore/bounded-query.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { FEWER_REPLAYS } from './replay-fields.ts'
import { deletedReplays } from './replay-sums.ts'

export type ReplaySelector = {
  readonly projectId: number
  /** As the SDK tells it: `button#pay.wide[aria-label="Pay"]`. */
  readonly selector: string
  readonly rageClicks: number
  readonly deadClicks: number
}

const MAX_ROWS = 100

/** Those with the most of `sort` first. Reads the lists of the weeks in the time. */
export async function replaySelectors(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: PerformanceFilter & {
    readonly sort?: 'rage' | 'dead' | undefined
    readonly limit?: number | undefined
    readonly offset?: number | undefined
  },
): Promise<readonly ReplaySelector[]> {
  const within = await performanceConditions(deps, grant, input)
  if (within === undefined) return []
  const { bind, params } = createBind('r')
  const gone = await deletedReplays(deps, grant)
  const isKept = gone.length === 0 ? '1' : `replay_id NOT IN ${bind(gone, 'Array(String)')}`
  const clicked = (column: string, rage: number): string =>
    `SELECT project_id AS projectId, arrayJoin(${column}) AS selector, ${rage} AS rage FROM replays
     WHERE ${within.sql} AND ${isKept} AND notEmpty(${column})`
  const order =
    input.sort === 'rage' ? 'rageClicks DESC, deadClicks DESC' : 'deadClicks DESC, rageClicks DESC'
  return await boundedQuery<ReplaySelector>(
    deps,
    `SELECT projectId, selector, countIf(rage = 1) AS rageClicks, countIf(rage = 0) AS deadClicks
     FROM (${clicked('rage_selectors', 1)} UNION ALL ${clicked('dead_selectors', 0)})
     GROUP BY projectId, selector ORDER BY ${order}, projectId, selector
     LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    {
      ...within.params,
      ...params,
      limit: Math.min(MAX_ROWS, Math.max(1, input.limit ?? 20)),
      offset: Math.min(10_000, Math.max(0, input.offset ?? 0)),
    },
    FEWER_REPLAYS,
  )
}
