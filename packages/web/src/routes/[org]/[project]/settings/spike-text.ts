/** What holds spikes back in projects that nobody set a limit for, in sentences. */
import { formatBytes, formatExact } from '../../../../format/format-count.ts'
import type { ShownSpikes } from '../../../../server/app-context.server.ts'

export const isAnySpike = ({ events, spans, bytes }: ShownSpikes): boolean =>
  [events, spans, bytes].some((limit) => limit !== undefined)

export function spikesText(spikes: ShownSpikes): string {
  if (!isAnySpike(spikes)) return 'No limit.'
  const { events, spans, bytes, hourTimes } = spikes
  const parts = [
    events === undefined ? undefined : `${formatExact(events)} errors, and as many of each other data type`,
    spans === undefined ? undefined : `${formatExact(spans)} spans`,
    bytes === undefined ? undefined : `${formatBytes(bytes)} of each data type`,
  ].filter((part) => part !== undefined)
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('')
  return (
    `No limit is set, so only spike protection applies: at most ${list} per minute, and ` +
    `${hourTimes} times as much per hour. A rate limit replaces spike protection.`
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
    `At most ${parts.join(' and ')} per minute, and ${hourTimes} times as many per hour.` +
    (issues === undefined
      ? ''
      : ' Events of existing issues are still stored; events that would create more issues are counted and dropped.') +
    (releases === undefined ? '' : ' Events of further releases are stored; the releases are listed later.')
  )
}
