/** What rules of detectors would have found within the last day, in some of its transactions. */
import type { Grant } from '@sonde/access'
import type { PerformanceType } from '@sonde/protocol/issue-category'
import { type DetectorRules, thresholdsOf } from '@sonde/protocol/performance-detectors'
import { ExploreError, type PageDataWaits, pageDataWaits, segmentSample } from '@sonde/queries'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export type DetectorPreview =
  | {
      /** Transactions of the day, and those that were looked at. */
      readonly total: number
      readonly looked: number
      /** In how many of them each detector found something, and an example. */
      readonly found: {
        readonly [Type in PerformanceType]?: { readonly in: number; readonly example: string }
      }
      /** Navigations are counted, not sampled. */
      readonly pageData: PageDataWaits
    }
  | { readonly problem: string }

/** Longer than anything that is stored, and a number to every engine. */
const MAX_MS = 1e12

export async function tryDetectors(
  { queries, detectSpans }: Pick<AppContext, 'queries' | 'detectSpans'>,
  grant: Grant<'event:read', 'project'>,
  rules: DetectorRules,
): Promise<DetectorPreview> {
  // A detector that is off finds nothing, however long.
  const fromMs = (type: PerformanceType): number => thresholdsOf(rules, type)?.['min_duration_ms'] ?? Infinity
  try {
    const [{ segments, total }, pageData] = await Promise.all([
      segmentSample(queries, grant),
      pageDataWaits(queries, grant, {
        slowMs: Math.min(MAX_MS, fromMs('performance_slow_page_data')),
        hungMs: Math.min(MAX_MS, fromMs('performance_hung_navigation')),
      }),
    ])
    const found: { [Type in PerformanceType]?: { in: number; example: string } } = {}
    for (const spans of segments) {
      const types = new Map(detectSpans(spans, rules).map(({ type, description }) => [type, description]))
      for (const [type, example] of types) found[type] = { in: (found[type]?.in ?? 0) + 1, example }
    }
    return { total, looked: segments.length, found, pageData }
  } catch (error) {
    if (error instanceof ExploreError) return { problem: error.message }
    throw error
  }
}
