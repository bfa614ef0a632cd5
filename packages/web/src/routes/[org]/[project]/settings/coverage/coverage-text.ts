/** Shares and their intervals in words. */
import type { CoverageShare } from '@sonde/queries'
import { formatRateShare } from '../../../../../format/format-count.ts'

/** `9.2% (6.1–13%)`: the interval holds the true share in 19 of 20 such windows. */
export function shareText(unseen: NonNullable<CoverageShare['unseen']>): string {
  return `${formatRateShare(unseen.value)} (${formatRateShare(unseen.low).replace(/%$/, '')}–${formatRateShare(unseen.high)})`
}

/** `api`, `api and web`, `api, web and 2 more`. */
export function namesText(names: readonly string[]): string {
  const [first = '', second, ...more] = names
  if (second === undefined) return first
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${more.length} more`
}
