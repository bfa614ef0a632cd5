/** How far a release has got, in words. Pure. */
import type { AdoptionBasis, AdoptionCounts } from '@sonde/queries'
import { formatExact, formatShare } from '../../../../format/format-count.ts'

const NOUNS: Readonly<Record<AdoptionBasis, string>> = {
  visits: 'page loads and navigations',
  transactions: 'transactions',
  events: 'events',
}
/** What adoption is a share of: `page loads and navigations`. */
export const basisName = (basis: AdoptionBasis): string => NOUNS[basis]

export type AdoptionShare = {
  /** `42%`. */
  readonly text: string
  /** `1,234 of 2,938 page loads and navigations`. */
  readonly title: string
  readonly part: number
  readonly whole: number
}

/** Undefined when nothing happened in this time, of any release. */
export function adoptionShare(
  basis: AdoptionBasis | undefined,
  use: AdoptionCounts | undefined,
  total: AdoptionCounts,
): AdoptionShare | undefined {
  if (basis === undefined) return undefined
  const [part, whole] = [use?.[basis] ?? 0, total[basis]]
  return {
    text: formatShare(part, whole),
    title: `${formatExact(part)} of ${formatExact(whole)} ${basisName(basis)} in this time`,
    part,
    whole,
  }
}
