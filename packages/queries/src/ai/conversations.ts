/** Conversations with agents, and runs of agents that belong to none: a list, and each with its turns and tool calls. */
import type { Grant } from '@sonde/access'
import { boundedQuery } from '../explore/bounded-query.ts'
import { FAILED } from '../explore/span-measures.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { Tokens } from './ai-cost.ts'
import {
  AGENT,
  type AiKind,
  CACHED_TOKENS,
  CONVERSATION,
  COST,
  INPUT_TEXT,
  INPUT_TOKENS,
  IS_AI,
  KIND,
  MODEL,
  OPERATION,
  OUTPUT_TEXT,
  OUTPUT_TOKENS,
  REASONING_TOKENS,
  TOOL,
  TOOL_CALLS,
} from './ai-fields.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>
type ProjectGrant = Grant<'event:read', 'project'>

export type AiConversation = {
  /** `gen_ai.conversation.id`; empty: a run without one, which is its trace. */
  readonly conversation: string
  /** The first trace of it. */
  readonly trace: string
  readonly agent: string
  readonly startMs: number
  readonly durationMs: number
  /** Runs of agents; without any, calls of models. */
  readonly turns: number
  readonly modelCalls: number
  readonly toolCalls: number
  readonly failed: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const MAX_LISTED = 50

/** The newest first; counts of what is stored. Throws `ExploreError`. */
export async function aiConversations(
  deps: Deps,
  grant: ProjectGrant,
  filter: PerformanceFilter,
): Promise<readonly AiConversation[]> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return []
  return boundedQuery<AiConversation>(
    deps,
    `SELECT ${CONVERSATION} AS conversation, toString(argMin(trace_id, timestamp)) AS trace,
       argMinIf(${AGENT}, timestamp, ${AGENT} != '') AS agent,
       toUnixTimestamp64Micro(min(timestamp)) / 1000 AS startMs,
       max(toUnixTimestamp64Micro(timestamp) / 1000 + duration_ms) - startMs AS durationMs,
       countIf(${KIND} = 'model') AS modelCalls, countIf(${KIND} = 'tool') AS toolCalls,
       if(countIf(${KIND} = 'agent') = 0, modelCalls, countIf(${KIND} = 'agent')) AS turns,
       countIf(${FAILED}) AS failed,
       sumIf(${INPUT_TOKENS}, ${KIND} = 'model') AS inputTokens,
       sumIf(${OUTPUT_TOKENS}, ${KIND} = 'model') AS outputTokens
     FROM spans WHERE ${where.sql} AND ${IS_AI}
     GROUP BY conversation, if(conversation = '', toString(trace_id), '') AS run
     ORDER BY startMs DESC, trace LIMIT ${MAX_LISTED}`,
    where.params,
  )
}

export type AiStep = Tokens & {
  readonly kind: AiKind
  readonly operation: string
  readonly name: string
  readonly agent: string
  readonly model: string
  readonly trace: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly startMs: number
  readonly durationMs: number
  readonly isFailed: boolean
  readonly status: string
  readonly costSent: number
  /** As it is stored: what the project's rules left. */
  readonly input: string
  readonly output: string
  readonly toolCalls: string
}
/** One of the two. */
export type ConversationRef = { readonly conversation: string } | { readonly trace: string }

const MAX_STEPS = 500

/** In the order of time, at most `MAX_STEPS`; `hasMore`: it has more. A trace is found by the bloom filter on its id. */
export async function conversationSteps(
  deps: Deps,
  grant: ProjectGrant,
  filter: PerformanceFilter,
  ref: ConversationRef,
): Promise<{ readonly steps: readonly AiStep[]; readonly hasMore: boolean }> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return { steps: [], hasMore: false }
  const [own, value] =
    'trace' in ref
      ? ['trace_id = {ref:FixedString(32)}', ref.trace]
      : [`${CONVERSATION} = {ref:String}`, ref.conversation]
  const rows = await boundedQuery<Omit<AiStep, 'isFailed'> & { readonly failed: number }>(
    deps,
    `SELECT ${KIND} AS kind, ${OPERATION} AS operation,
       multiIf(kind = 'agent', ${AGENT}, kind = 'tool', ${TOOL}, ${MODEL}) AS given,
       if(given = '', name, given) AS title, title AS name, ${AGENT} AS agent, ${MODEL} AS model,
       toString(trace_id) AS trace, toString(span_id) AS spanId, parent_span_id AS parentSpanId,
       toUnixTimestamp64Micro(timestamp) / 1000 AS startMs, duration_ms AS durationMs,
       ${FAILED} AS failed, status, ${INPUT_TOKENS} AS inputTokens, ${OUTPUT_TOKENS} AS outputTokens,
       ${CACHED_TOKENS} AS cachedTokens, ${REASONING_TOKENS} AS reasoningTokens, ${COST} AS costSent,
       ${INPUT_TEXT} AS input, ${OUTPUT_TEXT} AS output, ${TOOL_CALLS} AS toolCalls
     FROM spans WHERE ${where.sql} AND ${IS_AI} AND ${own}
     ORDER BY timestamp, spanId LIMIT ${MAX_STEPS + 1}`,
    { ...where.params, ref: value },
  )
  const steps = rows.slice(0, MAX_STEPS).map(({ failed, ...row }) => ({ ...row, isFailed: failed === 1 }))
  return { steps, hasMore: rows.length > MAX_STEPS }
}
