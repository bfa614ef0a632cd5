/** `1:23`, or `1:02:03`: a place in a recording. Pure. */
export function playerTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** For ears: `1 minute 23 seconds`. */
export function spokenTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const count = (value: number, unit: string): string => `${value} ${unit}${value === 1 ? '' : 's'}`
  return minutes === 0
    ? count(seconds, 'second')
    : `${count(minutes, 'minute')} ${count(seconds % 60, 'second')}`
}

/** `14:05:09` by the clock of a zone; undefined: the browser knows no such zone. */
export function clockIn(atMs: number, timeZone: string): string | undefined {
  const two = '2-digit'
  try {
    const parts = { hour: two, minute: two, second: two, hourCycle: 'h23', timeZone } as const
    return new Intl.DateTimeFormat('en-GB', parts).format(atMs)
  } catch {
    return undefined
  }
}

/** `?t=83`: a second; what is none is the beginning. */
export const secondOf = (text: string | null): number =>
  text !== null && /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
