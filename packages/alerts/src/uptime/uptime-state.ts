/** When a monitor is checked next, and what a check does to its state. Pure. */
import type { UptimeStateWord } from '@sonde/stores'
import type { UptimeMonitor } from './monitor.ts'

/** On the monitor's own grid, after now: what was missed while nothing ran is not made up for. */
export const nextDueAt = (dueMs: number, intervalMs: number, nowMs: number): number =>
  dueMs + intervalMs * Math.max(1, Math.floor((nowMs - dueMs) / intervalMs) + 1)

export type UptimeStanding = {
  readonly state: UptimeStateWord
  readonly sinceMs: number
  /** The newest last: `1` up, `0` not. */
  readonly recent: string
}

const WINDOW = 10

/** `changed`: it is down now, or up again; the first time that it is up is no news. */
export function standingAfter(
  { state, sinceMs, recent: before }: UptimeStanding,
  isUp: boolean,
  { failures, failuresOf, recoveries }: Pick<UptimeMonitor, 'failures' | 'failuresOf' | 'recoveries'>,
  atMs: number,
): UptimeStanding & { readonly changed: 'down' | 'up' | undefined } {
  const recent = `${before}${isUp ? '1' : '0'}`.slice(-WINDOW)
  const failed = recent.slice(-failuresOf).replaceAll('1', '').length
  const isDown = state !== 'down' && failed >= failures
  const isOver = state === 'down' && recent.length >= recoveries && !recent.slice(-recoveries).includes('0')
  // What made it down does not make it down again at once.
  if (isOver) return { state: 'up', sinceMs: atMs, recent: '1'.repeat(recoveries), changed: 'up' }
  if (isDown) return { state: 'down', sinceMs: atMs, recent, changed: 'down' }
  if (state === 'new' && isUp) return { state: 'up', sinceMs: atMs, recent, changed: undefined }
  return { state, sinceMs, recent, changed: undefined }
}
