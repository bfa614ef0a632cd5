/** A rate limit, as it is read from forms and told in sentences. */
import { formatExact } from '../../../../format/format-count.ts'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'

export type ShownLimit = { readonly count: number; readonly windowSec: number }

export const LIMIT_WINDOWS: readonly (readonly [sec: number, name: string])[] = [
  [60, 'minute'],
  [3600, 'hour'],
  [86_400, 'day'],
]

/** `1,000 events per hour`. */
export function limitText({ count, windowSec }: ShownLimit): string {
  const window = LIMIT_WINDOWS.find(([sec]) => sec === windowSec)?.[1] ?? `${formatExact(windowSec)} s`
  return `${formatExact(count)} ${count === 1 ? 'event' : 'events'} per ${window}`
}

/** Null: no limit. What is no number is NaN, which the command refuses beside the field. */
export const postedLimit = (posted: PostedFields): ShownLimit | null =>
  posted.text('count') === ''
    ? null
    : { count: posted.number('count'), windowSec: posted.number('windowSec') }
