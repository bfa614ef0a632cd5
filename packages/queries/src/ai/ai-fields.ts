/**
 * Spans of generative AI as SQL over `spans`: OpenTelemetry's names and those of Sentry's SDKs, present and earlier.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ and https://develop.sentry.dev/sdk/telemetry/traces/modules/ai-agents/
 */
const text = (...names: readonly string[]): string =>
  `coalesce(${names.map((name) => `nullIf(strings['${name}'], '')`).join(', ')}, '')`
/** 0 where none of them was sent. Numbers that came as text count too. */
const number = (...names: readonly string[]): string =>
  `coalesce(${names
    .flatMap((name) => [`nullIf(numbers['${name}'], 0)`, `toFloat64OrNull(strings['${name}'])`])
    .join(', ')}, 0)`

/** Ops are the third of the key; SDKs without one write the model alone. */
export const IS_AI = `(startsWith(op, 'gen_ai.') OR (op IN ('', 'default')
  AND (mapContains(strings, 'gen_ai.operation.name') OR mapContains(strings, 'gen_ai.request.model'))))`

export const OPERATION = `if(strings['gen_ai.operation.name'] != '', strings['gen_ai.operation.name'],
  if(startsWith(op, 'gen_ai.'), substring(op, 8), 'chat'))`

export type AiKind = 'agent' | 'tool' | 'model' | 'other'
export const KIND = `multiIf(${OPERATION} IN ('invoke_agent', 'create_agent'), 'agent',
  ${OPERATION} = 'execute_tool', 'tool', ${OPERATION} = 'handoff', 'other', 'model')`

export const MODEL = text('gen_ai.response.model', 'gen_ai.request.model')
export const PROVIDER = text('gen_ai.provider.name', 'gen_ai.system')
export const AGENT = text('gen_ai.agent.name')
export const TOOL = text('gen_ai.tool.name')
export const CONVERSATION = text('gen_ai.conversation.id')

export const INPUT_TOKENS = number('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens')
export const OUTPUT_TOKENS = number('gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens')
export const CACHED_TOKENS = number(
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.input_tokens.cached',
)
export const REASONING_TOKENS = number(
  'gen_ai.usage.reasoning.output_tokens',
  'gen_ai.usage.output_tokens.reasoning',
)
/** In whatever currency it was sent; SDKs send US dollars. */
export const COST = number('gen_ai.cost.total_tokens', 'gen_ai.usage.total_cost')

export const INPUT_TEXT = text(
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.input',
  'gen_ai.input.messages',
  'gen_ai.request.messages',
  'gen_ai.prompt',
  'ai.prompt.messages',
  'ai.prompt',
)
export const OUTPUT_TEXT = text(
  'gen_ai.tool.call.result',
  'gen_ai.tool.output',
  'gen_ai.output.messages',
  'gen_ai.response.text',
  'ai.response.text',
)
export const TOOL_CALLS = text('gen_ai.response.tool_calls', 'ai.response.toolCalls')
