/** This machine's clock against those of the senders and of the database, as a line of the doctor. */
import type { PartReport } from './report.ts'

/** Requests wait and networks are slow: the median of many is still below this. */
const WRONG_MS = 60_000

/** What nodes say of themselves counts as old after 20 s. */
const FAR_FROM_DATABASE_MS = 10_000

/** Undefined: they agree, as far as one question can tell. `aheadMs`: of the database. */
export function databaseClockPart(aheadMs: number): PartReport | undefined {
  if (Math.abs(aheadMs) < FAR_FROM_DATABASE_MS) return undefined
  const seconds = Math.round(Math.abs(aheadMs) / 1_000).toLocaleString('en')
  const where = aheadMs < 0 ? 'behind' : 'ahead of'
  return {
    name: 'clock',
    state: 'degraded',
    detail: `this machine is ${seconds} s ${where} the database server: times of events, sign-in, alerts and what nodes say of each other are wrong by as much. Set the clock of whichever is wrong (timedatectl, chronyc tracking).`,
  }
}

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
