/** Between the fields of a form, which know no zone, and the address, which is UTC. */
const ZONES = ['local', 'utc'] as const
export type Zone = (typeof ZONES)[number]

/** `2026-11-03T10:00` as read in the zone → Unix milliseconds; undefined for what is no time. */
export function fieldTime(text: string, zone: Zone): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const ms = Date.parse(zone === 'utc' ? `${text}Z` : text)
  return Number.isNaN(ms) || ms < 0 ? undefined : ms
}

/** What a field shows for a time, to the minute; empty for none. */
export function fieldText(ms: number | undefined, zone: Zone): string {
  if (ms === undefined) return ''
  const shownMs = zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * 60_000
  return new Date(shownMs).toISOString().slice(0, 16)
}

/** Of an address: without a zone it is UTC, as Sentry's links mean it. */
export function addressTime(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** To the second where it is one: every screen writes a moment alike, so that equal lists have equal addresses. */
export const addressText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** What is wrong with a range, in words for beside its fields; undefined: nothing. */
export function rangeProblem(fromMs: number | undefined, toMs: number | undefined): string | undefined {
  if (fromMs === undefined || toMs === undefined) return 'Enter a start and an end.'
  return toMs > fromMs ? undefined : 'The end must be after the start.'
}
