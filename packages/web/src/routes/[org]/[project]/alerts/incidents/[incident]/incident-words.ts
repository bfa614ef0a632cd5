/** What fired, in words. Pure. */
import type { MetricRule } from '@sonde/alerts'
import { ISSUE_TRIGGERS, measureText, valueText } from '@sonde/alerts/contract'
import { TRIGGER_WORDS } from '../../rule-words.ts'

export const triggerWords = (kind: string): string => {
  const trigger = ISSUE_TRIGGERS.find((each) => each === kind)
  return trigger === undefined ? 'Issue' : TRIGGER_WORDS[trigger]
}

/** `Failed navigations was 12, above 10`. */
export function judgedWords(
  { metric, compare, direction }: Pick<MetricRule, 'metric' | 'compare' | 'direction'>,
  value: number | null,
  threshold: number | null,
): string {
  const text = (number: number): string =>
    compare === 'change' ? `${Math.round(number)} %` : valueText(metric, number)
  const what = compare === 'change' ? `The change of ${measureText(metric)} in a week` : measureText(metric)
  if (value === null) return what
  return `${what} was ${text(value)}${threshold === null ? '' : `, ${direction} ${text(threshold)}`}`
}
