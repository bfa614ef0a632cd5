/** What holds spikes back in projects that nobody set a limit for, in sentences. */
import { formatBytes, formatExact } from '../../../../format/format-count.ts'
import type { ShownSpikes } from '../../../../server/app-context.server.ts'

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

/** Undefined: any number. Whatever the limits, these hold: each new issue is a row that a person looks at. */
export function newcomersText({ issues, releases, hourTimes }: ShownSpikes): string | undefined {
  const parts = [
    issues === undefined ? undefined : `${formatExact(issues)} new issues`,
    releases === undefined ? undefined : `${formatExact(releases)} new releases`,
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return undefined
  return (
    `A minute makes at most ${parts.join(' and ')}, an hour ${hourTimes} times as many.` +
    (issues === undefined
      ? ''
      : ' Events of known issues go on; those of further new ones are counted, not stored.') +
    (releases === undefined
      ? ''
      : ' Further releases are listed when there is room; their events are stored.')
  )
}
