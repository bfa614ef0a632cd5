/** How a status page says what it shows. */
import type { StatusComponentState, StatusDay, StatusIndicator } from '@sonde/queries'
import { type Markup, markup } from './markup.server.ts'

export const COMPONENT_WORDS: Readonly<Record<StatusComponentState, string>> = {
  operational: 'Operational',
  degraded_performance: 'Degraded performance',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
  under_maintenance: 'Under maintenance',
  unknown: 'No data',
}

export const INDICATOR_WORDS: Readonly<Record<StatusIndicator, string>> = {
  none: 'All systems operational',
  minor: 'Degraded performance',
  major: 'Partial outage',
  critical: 'Major outage',
  maintenance: 'Maintenance in progress',
  unknown: 'No data yet',
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

export const timeOf = (ms: number): Markup =>
  markup`<time datetime="${new Date(ms).toISOString()}">${TIME.format(ms)} UTC</time>`

/** Of all days with data; undefined: there is none. */
export function shareOf(days: readonly Pick<StatusDay, 'checks' | 'failed'>[]): number | undefined {
  const checks = days.reduce((sum, day) => sum + day.checks, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return checks === 0 ? undefined : (checks - failed) / checks
}

/** `99.98%`: never more than it was, so one failure in a million is not 100%. */
export function shareText(share: number): string {
  const hundredths = Math.floor(share * 10_000 + 1e-9)
  return `${(hundredths / 100).toFixed(hundredths % 100 === 0 ? 0 : 2)}%`
}
