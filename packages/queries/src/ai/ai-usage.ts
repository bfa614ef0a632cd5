/** Agents, models and tools: how often, how long, how often they fail, and what models used. */
import type { Grant } from '@sonde/access'
import type { AiPrice } from '@sonde/stores'
import { boundedQuery } from '../explore/bounded-query.ts'
import { FAILED } from '../explore/span-measures.ts'
import { performanceConditions, type PerformanceFilter, WEIGHT } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { costOf, type Tokens } from './ai-cost.ts'
import {
  AGENT,
  type AiKind,
  CACHED_TOKENS,
  COST,
  INPUT_TOKENS,
  IS_AI,
  KIND,
  MODEL,
  OUTPUT_TOKENS,
  PROVIDER,
  REASONING_TOKENS,
  TOOL,
} from './ai-fields.ts'

export type AiUsageRow = Tokens & {
  readonly kind: AiKind
  /** Of the agent, model or tool; empty: it was not told. */
  readonly name: string
  /** Of models. */
  readonly provider: string
  readonly calls: number
  readonly failureRate: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** As it was sent, and by the project's prices where it was not; undefined: neither. */
  readonly cost: number | undefined
}

type Row = Omit<AiUsageRow, 'cost' | 'failureRate'> & {
  readonly failed: number
  readonly costSent: number
  readonly freeInput: number
  readonly freeCached: number
  readonly freeOutput: number
}

const MAX_ROWS = 300

/**
 * Tokens and cost are those of calls of models alone: agents repeat the sum of theirs. Narrowed by project and op, the first and
 * third of the key. Throws `ExploreError`.
 */
export async function aiUsage(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
  prices: readonly AiPrice[],
): Promise<readonly AiUsageRow[]> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return []
  const sum = (value: string, more = '1'): string =>
    `sumIf((${value}) / sample_rate, ${KIND} = 'model' AND ${more})`
  const rows = await boundedQuery<Row>(
    deps,
    `SELECT ${KIND} AS kind, multiIf(kind = 'agent', ${AGENT}, kind = 'tool', ${TOOL}, ${MODEL}) AS name,
       if(kind = 'model', ${PROVIDER}, '') AS provider,
       sum(1 / sample_rate) AS calls, sumIf(1 / sample_rate, ${FAILED}) AS failed,
       quantileBFloat16Weighted(0.5)(duration_ms, ${WEIGHT}) AS p50Ms,
       quantileBFloat16Weighted(0.95)(duration_ms, ${WEIGHT}) AS p95Ms,
       ${sum(INPUT_TOKENS)} AS inputTokens, ${sum(OUTPUT_TOKENS)} AS outputTokens,
       ${sum(CACHED_TOKENS)} AS cachedTokens, ${sum(REASONING_TOKENS)} AS reasoningTokens,
       ${sum(COST)} AS costSent, ${sum(INPUT_TOKENS, `${COST} = 0`)} AS freeInput,
       ${sum(CACHED_TOKENS, `${COST} = 0`)} AS freeCached, ${sum(OUTPUT_TOKENS, `${COST} = 0`)} AS freeOutput
     FROM spans WHERE ${where.sql} AND ${IS_AI}
     GROUP BY kind, name, provider ORDER BY calls DESC, name LIMIT ${MAX_ROWS}`,
    where.params,
  )
  return rows.map(({ failed, costSent, freeInput, freeCached, freeOutput, ...row }) => ({
    ...row,
    calls: Math.round(row.calls),
    failureRate: row.calls === 0 ? 0 : failed / row.calls,
    cost:
      row.kind === 'model'
        ? costOf(prices, row.name, costSent, {
            inputTokens: freeInput,
            cachedTokens: freeCached,
            outputTokens: freeOutput,
          })
        : undefined,
  }))
}
