/** When releases were first seen among stored rows. */
import type { QueryParams, Telemetry } from '@sonde/stores'
import { MAX_MARKERS, type ReleaseMarker } from './marked-releases.ts'

/** Rows by a condition of the caller's: it narrows to projects, and may reach back before the window. */
export type ReleaseRows = {
  readonly table: 'events' | 'spans' | 'vitals'
  readonly sql: string
  readonly params: QueryParams
}

/** Those whose first row of all that are looked at lies in `[fromMs, toMs)`: at most `MAX_MARKERS`, newest first. */
export function firstSeenReleases(
  telemetry: Pick<Telemetry, 'query'>,
  { table, sql, params }: ReleaseRows,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly ReleaseMarker[]> {
  return telemetry.query<ReleaseMarker>(
    `SELECT release, toUnixTimestamp64Milli(min(timestamp)) AS atMs FROM ${table}
     WHERE ${sql} AND release != ''
     GROUP BY release
     HAVING atMs >= {seenFrom:Int64} AND atMs < {seenTo:Int64}
     ORDER BY atMs DESC, release LIMIT {markers:UInt32}`,
    { ...params, seenFrom: fromMs, seenTo: toMs, markers: MAX_MARKERS },
  )
}
