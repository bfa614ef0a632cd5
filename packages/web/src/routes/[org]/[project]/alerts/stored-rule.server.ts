import { type AnyRule, RULES } from '@sonde/alerts'
import type { AlertRuleRow } from '@sonde/queries'

/** Undefined: what is stored was never a rule. */
export function storedRule({ kind, value }: Pick<AlertRuleRow, 'kind' | 'value'>): AnyRule | undefined {
  const { data } = RULES[kind].safeParse(JSON.parse(value))
  return data && ({ kind, rule: data } as AnyRule)
}
