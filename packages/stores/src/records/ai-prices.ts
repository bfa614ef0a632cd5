/** What models cost, as a project's people entered it: the first pattern that matches decides. */

export type AiPrice = {
  /** `*` any text, `?` one character, either case. */
  readonly model: string
  /** Of a million tokens, in the project's currency. */
  readonly input: number
  readonly output: number
  /** Of input that the provider had already; absent: as other input. */
  readonly cached?: number
}

export const MAX_AI_PRICES = 50
export const MAX_AI_PRICE = 1_000_000

/** From JSON. Never throws: what makes no sense is left out. */
export function aiPricesFrom(stored: unknown): readonly AiPrice[] {
  return (Array.isArray(stored) ? stored : []).slice(0, MAX_AI_PRICES).flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return []
    const { model, input, output, cached } = each as Record<string, unknown>
    if (typeof model !== 'string' || !isPrice(input) || !isPrice(output)) return []
    return [{ model, input, output, ...(isPrice(cached) && { cached }) }]
  })
}

const isPrice = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_AI_PRICE
