/** What models cost in a project: shown where an SDK sent no cost. */
import type { Grant } from '@sonde/access'
import { type AiPrice, MAX_AI_PRICE, MAX_AI_PRICES } from '@sonde/stores'
import type { CommandDeps } from './command-deps.ts'
import { InvalidInput } from './fields.ts'
import { changeSettings } from './update-project-settings.ts'

const MAX_TEXT = 20_000
const MAX_MODEL = 200

/** One price a line: `MODEL INPUT OUTPUT [CACHED INPUT]`, of a million tokens. Throws `InvalidInput` at `prices`. */
export async function updateAiPrices(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: { readonly prices: string },
): Promise<void> {
  const refuse = (message: string): never => {
    throw new InvalidInput('change the prices', { prices: [message] })
  }
  if (input.prices.length > MAX_TEXT) return refuse(`has at most ${MAX_TEXT} characters`)
  const lines = input.prices.split(/\r?\n/).map((line) => line.trim())
  const aiPrices = lines.flatMap((line, at): AiPrice[] => {
    if (line === '') return []
    const [model = '', ...numbers] = line.split(/\s+/)
    const prices = numbers.map(Number)
    const isGood =
      prices.length >= 2 &&
      prices.length <= 3 &&
      prices.every((price) => price >= 0 && price <= MAX_AI_PRICE) &&
      model.length <= MAX_MODEL
    if (!isGood) return refuse(`Line ${at + 1}: a model and two or three prices, as in gpt-4o* 2.5 10 1.25`)
    const [of = 0, made = 0, cached] = prices
    return [{ model, input: of, output: made, ...(cached !== undefined && { cached }) }]
  })
  if (aiPrices.length > MAX_AI_PRICES) return refuse(`has at most ${MAX_AI_PRICES} prices`)
  await changeSettings(deps, grant, 'project.ai-prices', (settings) => ({ ...settings, aiPrices }))
}
