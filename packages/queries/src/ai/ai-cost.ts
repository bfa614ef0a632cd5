/** What tokens cost by the prices that a project has entered. Sonde knows none itself: a list of prices is old when it is printed. */
import { createGlob } from '@sonde/protocol/glob'
import type { AiPrice } from '@sonde/stores'

export type Tokens = {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Part of the input that the provider had already. */
  readonly cachedTokens: number
  /** Part of the output. */
  readonly reasoningTokens: number
}

const MILLION = 1_000_000

/** `sent`: what the SDK said, 0 for nothing. `unpriced`: tokens whose cost was not sent. Undefined: nobody knows. */
export function costOf(
  prices: readonly AiPrice[],
  model: string,
  sent: number,
  { inputTokens, cachedTokens, outputTokens }: Omit<Tokens, 'reasoningTokens'>,
): number | undefined {
  const price = prices.find(({ model: pattern }) => createGlob(pattern, { ignoreCase: true })(model))
  if (!price) return sent > 0 ? sent : undefined
  const { input, output, cached = input } = price
  const uncached = Math.max(0, inputTokens - cachedTokens)
  return sent + (uncached * input + cachedTokens * cached + outputTokens * output) / MILLION
}
