/** Each web vital of a project or of one route, in one row. */
import type { Grant } from '@sonde/access'
import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import { type VitalSummary, summaryOf } from './vital-summary.ts'
import { vitalSums } from './vital-sums.ts'

export type VitalOverviewInput = PerformanceFilter & { readonly route?: string | undefined }
/** `firstMs`: Unix milliseconds of the earliest visit in the window. */
export type VitalOverviewRow = VitalSummary & { readonly name: VitalName; readonly firstMs: number }

/** Those that anyone told, in the order of the list. One pass over the window, over the sums of the weeks that are over. */
export async function vitalOverview(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalOverviewInput,
): Promise<readonly VitalOverviewRow[]> {
  const rows = await vitalSums(deps, grant, input, { keys: ['name'], rows: VITAL_NAMES.length })
  return VITAL_NAMES.flatMap((name) => {
    const row = rows.find((each) => each.name === name)
    return row ? [{ name, firstMs: row.firstMs, ...summaryOf(row) }] : []
  })
}
