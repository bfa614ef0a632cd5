/** Which events a repair looks through: one range of `events` per project and kind, in a fixed order. */
import type { QueryParams, Records, RepairCause, RepairTarget } from '@sonde/stores'
import { type RepairCursor, SCAN_KINDS, type ScanKind, type ScanPlace } from './repair-cursor.ts'

export type Scan = {
  readonly kind: ScanKind
  readonly projectId: number
  /** Condition over `events`; its names begin with `scan`. */
  readonly where: string
  readonly params: QueryParams
}

type Scanned = {
  readonly org_id: number
  readonly cause: RepairCause
  readonly target: RepairTarget
}

/** Debug ids are unique, so every project of the organisation is looked through; a release belongs to its projects. */
export async function scansOf(
  records: Records,
  { org_id: orgId, cause, target }: Scanned,
): Promise<readonly Scan[]> {
  const projects = await records
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
  const ids = projects.map(({ id }) => id)
  const { debugIds, release } = target
  const byDebugId = debugIds.length === 0 ? [] : ids.map((projectId) => debugIdScan(projectId, debugIds))
  // An upload that names no release makes nothing readable by release; who asks for a whole project gets it.
  if (release === undefined && (cause === 'upload' || debugIds.length > 0)) return byDebugId
  const named = ids.filter((id) => target.projectIds.includes(id))
  return [...byDebugId, ...named.map((projectId) => releaseScan(projectId, target))]
}

function debugIdScan(projectId: number, debugIds: readonly string[]): Scan {
  const where = 'hasAny(debug_ids, {scanIds:Array(String)})'
  return { kind: 'debug_id', projectId, where, params: { scanIds: debugIds } }
}

/** Of any release when none is named. What has one of the debug ids was looked at before. */
function releaseScan(projectId: number, { debugIds, release }: RepairTarget): Scan {
  const conditions = [`unreadable != ''`]
  if (release !== undefined) conditions.push('release = {scanRelease:String}')
  if (debugIds.length > 0) conditions.push('NOT hasAny(debug_ids, {scanIds:Array(String)})')
  return {
    kind: 'release',
    projectId,
    where: conditions.join(' AND '),
    params: { scanIds: debugIds, scanRelease: release ?? '' },
  }
}

/** The one in hand, or the next after a project that is gone; undefined when all are through. */
export const currentScan = (
  scans: readonly Scan[],
  { place }: Pick<RepairCursor, 'place'>,
): Scan | undefined => scans.find((scan) => place === undefined || rank(scan) >= rank(place))

export const scanAfter = (scans: readonly Scan[], scan: Scan): Scan | undefined =>
  scans.find((each) => rank(each) > rank(scan))

const rank = ({ kind, projectId }: Pick<ScanPlace, 'kind' | 'projectId'>): number =>
  SCAN_KINDS.indexOf(kind) * 2 ** 40 + projectId
