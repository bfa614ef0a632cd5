/**
 * The share of a route's prefetches that nobody used, with the interval in which it truly lies. Pure. Links of one page are
 * prefetched together and wasted together, so a page is one draw, not each of its links: the variance is that of a ratio of
 * sums over pages (Cochran, Sampling Techniques, 1977, section 6.4), and Wilson's interval is taken of as many independent
 * prefetches as have that variance.
 */
import { type Estimate, MIN_COMPARED_SAMPLES, rateEstimate } from './change-interval.ts'

/** Below this a share is noise. */
const MIN_PREFETCHES = 100

/** Sums over reports of pages, as they were sent: a sampled one stands for itself. */
export type WasteSums = {
  readonly reports: number
  readonly issued: number
  readonly wasted: number
  /** Of squares and of the product. */
  readonly issuedSquared: number
  readonly wastedSquared: number
  readonly product: number
}

export type Waste =
  | { readonly kind: 'known'; readonly share: Estimate }
  /** So many more are needed before anything is said: prefetches, and page views that tell of some. */
  | { readonly kind: 'few'; readonly prefetches: number; readonly pages: number }

export function wasteOf(sums: WasteSums): Waste {
  const { reports, issued, wasted } = sums
  const prefetches = Math.max(0, MIN_PREFETCHES - issued)
  const few = (pages: number): Waste => ({ kind: 'few', prefetches, pages: Math.max(0, pages) })
  if (prefetches > 0 || reports < MIN_COMPARED_SAMPLES) return few(MIN_COMPARED_SAMPLES - reports)
  const share = wasted / issued
  const samples = independent(sums, share)
  const estimate = rateEstimate(share, samples)
  if (estimate) return { kind: 'known', share: estimate }
  return few(Math.ceil((reports * MIN_COMPARED_SAMPLES) / samples) - reports)
}

function independent(
  { reports, issued, issuedSquared, wastedSquared, product }: WasteSums,
  share: number,
): number {
  const squares = wastedSquared - 2 * share * product + share * share * issuedSquared
  const variance = (reports / (reports - 1)) * (Math.max(0, squares) / (issued * issued))
  const alone = share * (1 - share)
  // All or none: pages do not differ, and each says it once.
  return alone === 0 || variance === 0 ? reports : Math.min(issued, alone / variance)
}
