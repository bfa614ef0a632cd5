/** `5m`, `1h`, `1d`, `1w`: how Sentry says a time over which is counted. Pure. */
import { RULE_LIMITS } from '@sonde/alerts'
import { type FormItem, refuse, textOf } from './form.ts'

const UNIT_MINUTES: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['h', 60],
  ['d', 1_440],
  ['w', 10_080],
])

export function intervalMinutes(item: FormItem): number {
  const text = textOf(item, 'interval') ?? ''
  const [, count = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? []
  const minutes = Number(count) * (UNIT_MINUTES.get(unit) ?? NaN)
  if (!(minutes >= 1)) return refuse('conditions', `${item.id}: "interval" is for example 5m, 1h, 1d or 1w`)
  if (minutes > RULE_LIMITS.windowMinutes)
    return refuse(
      'conditions',
      `${item.id}: "interval" ${text} is longer than a week, the longest that is counted`,
    )
  return minutes
}

export function intervalText(minutes: number): string {
  const [unit, length] =
    [...UNIT_MINUTES].toReversed().find(([, each]) => minutes % each === 0) ?? (['m', 1] as const)
  return `${minutes / length}${unit}`
}
