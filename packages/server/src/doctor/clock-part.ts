/** This machine's clock against those of the senders, as a line of the status page. */
import type { PartReport } from './report.ts'

/** Requests wait and networks are slow: the median of many is still below this. */
const WRONG_MS = 60_000

export function clockPart(aheadMs: number | undefined): PartReport | undefined {
  if (aheadMs === undefined) return undefined
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const isRight = Math.abs(aheadMs) < WRONG_MS
  const where = aheadMs < 0 ? 'behind' : 'ahead of'
  if (isRight) return { name: 'clock', state: 'ok', detail: 'agrees with the clocks of senders' }
  return {
    name: 'clock',
    state: 'degraded',
    detail: `${seconds.toLocaleString('en')} s ${where} the clocks of most senders: times of events, sessions and alerts are wrong by as much. Set the clock of this machine (timedatectl, chronyc tracking).`,
  }
}
