/** Which events, and rows of other tables, a reprocessing run looks through: ranges of a table, one per project, in a fixed order. */
import type { QueryParams, Records, ReprocessingCause, ReprocessingTarget } from '@sonde/stores'
import { type ScrubbedTable, SCRUBBED_TABLES } from '../scrub/stored/row-kinds.ts'
import { SCAN_KINDS, type ScanKind, type ScanPlace } from './reprocessing-cursor.ts'

/** Of all projects at once. */
export type Search = {
  readonly kind: ScanKind
  /** Debug ids are looked for in parts; of `rows` which table. */
  readonly part: number
  readonly projectIds: readonly number[]
  /** Condition over `events`; its names begin with `scan`. */
  readonly where: string
  readonly params: QueryParams
}
export type Scan = Omit<Search, 'projectIds'> & { readonly projectId: number }

/** The engine takes statements of 256 kB; an id has 40 bytes in it. */
const MAX_IDS = 1_000

export type Searched = {
  readonly org_id: number
  readonly cause: ReprocessingCause
  readonly target: ReprocessingTarget
}

/** Debug ids are unique, so every project of the organization is looked through; a release belongs to its projects. */
export async function searchesOf(
  records: Records,
  { org_id: orgId, cause, target }: Searched,
): Promise<readonly Search[]> {
  const projects = await records
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
  const ids = projects.map(({ id }) => id)
  const { debugIds, release } = target
  if (target.scrub) {
    const projectIds = ids.filter((id) => target.projectIds.includes(id))
    const all = { projectIds, where: '1', params: {} }
    return [
      { kind: 'scrub', part: 0, ...all },
      ...SCRUBBED_TABLES.map((_, part) => ({ kind: 'rows', part, ...all }) as const),
    ]
  }
  const parts = Array.from({ length: Math.ceil(debugIds.length / MAX_IDS) }, (_, part) =>
    debugIdSearch(ids, part, debugIds.slice(part * MAX_IDS, (part + 1) * MAX_IDS)),
  )
  // An upload that names no release makes nothing readable by release; who asks for a whole project gets it.
  if (release === undefined && (cause === 'upload' || debugIds.length > 0)) return parts
  const named = ids.filter((id) => target.projectIds.includes(id))
  return [...parts, releaseSearch(named, target)]
}

/** Of a scan of `rows`. */
export function scrubbedTableOf({ part }: Pick<Search, 'part'>): ScrubbedTable {
  const table = SCRUBBED_TABLES[part]
  if (table === undefined) throw new Error(`there is no table ${part} to be scrubbed`)
  return table
}

function debugIdSearch(projectIds: readonly number[], part: number, debugIds: readonly string[]): Search {
  const where = 'hasAny(debug_ids, {scanIds:Array(String)})'
  return { kind: 'debug_id', part, projectIds, where, params: { scanIds: debugIds } }
}

/** Of any release when none is named. What has one of the debug ids was looked at before. */
function releaseSearch(projectIds: readonly number[], { debugIds, release }: ReprocessingTarget): Search {
  const conditions = [`unreadable != ''`]
  if (release !== undefined) conditions.push('release = {scanRelease:String}')
  if (debugIds.length > 0 && debugIds.length <= MAX_IDS)
    conditions.push('NOT hasAny(debug_ids, {scanIds:Array(String)})')
  return {
    kind: 'release',
    part: 0,
    projectIds,
    where: conditions.join(' AND '),
    params: { scanIds: debugIds.slice(0, MAX_IDS), scanRelease: release ?? '' },
  }
}

/** One range after the other; of those projects alone that have anything to look at. */
export const scansOf = (searches: readonly Search[], projectIds: readonly number[]): readonly Scan[] =>
  searches.flatMap(({ projectIds: all, ...search }) =>
    all.filter((id) => projectIds.includes(id)).map((projectId) => ({ ...search, projectId })),
  )

/** The one in hand, or the next after a project that is gone; undefined when all are through. */
export const currentScan = (scans: readonly Scan[], place: ScanPlace | undefined): Scan | undefined =>
  scans.find((scan) => place === undefined || order(scan, place) >= 0)

export const scanAfter = (scans: readonly Scan[], scan: Scan): Scan | undefined =>
  scans.find((each) => order(each, scan) > 0)

type Placed = Pick<ScanPlace, 'kind' | 'part' | 'projectId'>
const order = (a: Placed, b: Placed): number =>
  SCAN_KINDS.indexOf(a.kind) - SCAN_KINDS.indexOf(b.kind) || a.part - b.part || a.projectId - b.projectId

export const isSameScan = (a: Placed, b: Placed | undefined): boolean => b !== undefined && order(a, b) === 0

// JSON has no infinity.
const LAST = Number.MAX_SAFE_INTEGER
/** Behind every scan there can be. */
export const PAST_ALL: ScanPlace = { kind: 'release', part: LAST, projectId: LAST }
