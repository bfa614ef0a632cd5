/** The rules of sampling and the caps of spans, as people send them. */
import { MAX_SAMPLING_RULES, MIN_SAMPLING_RATE, SPAN_CAP_PERIODS, samplingRuleName } from '@sonde/stores'
import { z } from 'zod'

const MAX_ROUTE_CHARS = 200
const MAX_WORD_CHARS = 64

const pattern = (what: string, maxChars: number) =>
  z.string().trim().max(maxChars, `${what} has at most ${maxChars} characters`)

const SMALLEST = `${MIN_SAMPLING_RATE * 100}`
const SHARE = `is a share from ${SMALLEST} to 100 percent, or 0 to drop all`

const ruleField = z.object({
  route: pattern('a route', MAX_ROUTE_CHARS),
  op: pattern('an op', MAX_WORD_CHARS),
  release: pattern('a release', MAX_ROUTE_CHARS),
  environment: pattern('an environment', MAX_WORD_CHARS),
  rate: z.number(SHARE).refine((rate) => rate === 0 || (rate >= MIN_SAMPLING_RATE && rate <= 1), SHARE),
})

/** A rule that stands below one with the same patterns is never asked. */
export const samplingRulesField = z
  .array(ruleField)
  .max(MAX_SAMPLING_RULES, `at most ${MAX_SAMPLING_RULES} rules`)
  .check(({ value, issues }) => {
    const names = value.map((rule) => samplingRuleName({ ...rule, rate: 0 }))
    for (const [index, name] of names.entries()) {
      const first = names.indexOf(name)
      if (first === index) continue
      const message = `is the same as rule ${first + 1}, which decides before it`
      issues.push({ code: 'custom', message, path: [index, 'route'], input: name })
    }
  })

// More than any disk that Sonde was measured on.
const MAX_SPANS = 1_000_000_000_000
const spansField = z
  .int('is a whole number of spans')
  .min(1, 'is at least 1; a rule of sampling that keeps 0 percent drops all')
  .max(MAX_SPANS, `allows at most ${MAX_SPANS} spans`)

/** Null: no cap. */
export const spanCapField = z.object({ count: spansField, period: z.enum(SPAN_CAP_PERIODS) }).nullable()
export const minuteCapField = spansField.nullable()
