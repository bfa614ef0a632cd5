/** What an outcome and a share are called. Pure. */
import type { UptimeOutcome } from '@sonde/alerts/contract'
import type { Availability, UptimeMonitorRow } from '@sonde/queries'

const OUTCOME_WORDS: Readonly<Record<UptimeOutcome, string>> = {
  up: 'Up',
  address: 'Not an address',
  refused: 'Address not allowed',
  name: 'Name not found',
  connection: 'No connection',
  tls: 'TLS failed',
  timeout: 'Timeout',
  redirects: 'Redirects',
  answer: 'Broken answer',
  status: 'Wrong status',
  response_time: 'Too slow',
  body: 'Wrong body',
  certificate: 'Certificate ends soon',
  unexpected_answer: 'Name was found',
}

export const outcomeWords = (outcome: string): string =>
  OUTCOME_WORDS[outcome as UptimeOutcome] ?? 'Not checked yet'

const percent = (share: number): string => {
  const value = share * 100
  // 99.996 must not be told as 100.
  const text = value >= 99.995 && value < 100 ? '> 99.99' : String(Math.floor(value * 100) / 100)
  return `${text} %`
}

/** `99.93 %`; a dash where nothing was checked. */
export const shareText = ({ share }: Pick<Availability, 'share'>): string =>
  share === null ? '–' : percent(share)

/** `99.8 % to 99.99 % with a probability of 95 %, of 1,440 checks`. */
export function shareTitle({ share, interval, checks }: Availability, format: (n: number) => string): string {
  if (share === null) return 'No checks'
  const of = `of ${format(checks)} checks`
  if (!interval) return `${of}: too few to tell how sure this is`
  return `${percent(interval.low)} to ${percent(interval.high)} with a probability of 95 %, ${of}`
}

export const everyText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : '1 h'

export type ShownState = 'paused' | 'new' | 'up' | 'down' | 'shaky'

/** `shaky`: the last check failed, and it does not count as down yet. */
export function shownState({
  isPaused,
  state,
  outcome,
}: Pick<UptimeMonitorRow, 'isPaused' | 'state' | 'outcome'>): ShownState {
  if (isPaused) return 'paused'
  if (state === 'up' && outcome !== 'up') return 'shaky'
  return state
}
