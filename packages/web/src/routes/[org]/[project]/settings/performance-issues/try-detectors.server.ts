/** What rules of detectors would have found within the last day, in some of its transactions. */
import type { Grant } from '@sonde/access'
import type { PerformanceType } from '@sonde/protocol/issue-category'
import { type DetectorRules, thresholdsOf } from '@sonde/protocol/performance-detectors'
import { ExploreError, pageDataWaits, segmentSample } from '@sonde/queries'
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
      readonly pageData: { readonly total: number; readonly slow: number }
    }
  | { readonly problem: string }

export async function tryDetectors(
  { queries, detectSpans }: Pick<AppContext, 'queries' | 'detectSpans'>,
  grant: Grant<'event:read', 'project'>,
  rules: DetectorRules,
): Promise<DetectorPreview> {
  const minMs = thresholdsOf(rules, 'performance_slow_page_data')?.['min_duration_ms']
  try {
    const [{ segments, total }, pageData] = await Promise.all([
      segmentSample(queries, grant),
      minMs === undefined ? { total: 0, slow: 0 } : pageDataWaits(queries, grant, minMs),
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
