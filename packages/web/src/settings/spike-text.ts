/** What holds spikes back in projects that nobody set a limit for, in sentences. */
import { formatBytes, formatExact } from '../format/format-count.ts'

/** Each within a minute; what is missing has no limit. */
export type ShownSpikes = {
  readonly events?: number
  readonly spans?: number
  readonly bytes?: number
  /** An hour takes so many times as much. */
  readonly hourTimes: number
}

export const isAnySpike = ({ events, spans, bytes }: ShownSpikes): boolean =>
  [events, spans, bytes].some((limit) => limit !== undefined)

export function spikesText(spikes: ShownSpikes): string {
  if (!isAnySpike(spikes)) return 'Everything is taken.'
  const { events, spans, bytes, hourTimes } = spikes
  const parts = [
    events === undefined ? undefined : `${formatExact(events)} errors and as many of every other kind`,
    spans === undefined ? undefined : `${formatExact(spans)} spans`,
    bytes === undefined ? undefined : `${formatBytes(bytes)} of each kind`,
  ].filter((part) => part !== undefined)
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('')
  return (
    `Nobody set a limit, so only spikes are held back: a minute takes at most ${list}, an hour ` +
    `${hourTimes} times as much. A limit of your own takes the place of these.`
  )
}
