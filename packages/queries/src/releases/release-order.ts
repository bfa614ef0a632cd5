/** The releases of a project in the order in which they came: by version where versions tell, else by time. */
import type { Grant } from '@sonde/access'
import { inReleaseOrder } from '@sonde/protocol/release-version'
import type { ReleaseStatus } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type OrderedRelease = {
  readonly id: number
  readonly version: string
  readonly status: ReleaseStatus
  /** Where it can be looked at; undefined: nobody said. */
  readonly url: string | undefined
  readonly createdMs: number
  /** When its build began, and when it was finalised. */
  readonly startedMs: number | undefined
  readonly releasedMs: number | undefined
  /** Undefined: nothing of it came yet. */
  readonly firstEventMs: number | undefined
  readonly lastEventMs: number | undefined
  /** When anybody first heard of it. */
  readonly firstSeenMs: number
}

/** More are not put in order: the newest of them are what anybody looks at. */
export const MAX_ORDERED = 2_000

/** Newest first. Reads a row for each of the project's releases and sorts them: some 20 ms of processor time for 2,000. */
export async function orderedReleases(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<readonly OrderedRelease[]> {
  const rows = await selectReleases(deps, grant).orderBy('release.id', 'desc').limit(MAX_ORDERED).execute()
  return inReleaseOrder(rows.map((row) => orderedRelease(row))).toReversed()
}

/** One, also of those that are too old to be put in order; undefined: the project does not have it. */
export async function oneRelease(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  version: string,
): Promise<OrderedRelease | undefined> {
  const row = await selectReleases(deps, grant).where('release.version', '=', version).executeTakeFirst()
  return row && orderedRelease(row)
}

const selectReleases = (
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
) =>
  records
    .selectFrom('release_project')
    .innerJoin('release', 'release.id', 'release_project.release_id')
    .selectAll('release')
    .select(['release_project.first_event_ms', 'release_project.last_event_ms'])
    .where('release_project.project_id', '=', projectId)
    .where('release.org_id', '=', orgId)

type Row = Awaited<ReturnType<ReturnType<typeof selectReleases>['executeTakeFirstOrThrow']>>

const orderedRelease = (row: Row): OrderedRelease => ({
  id: row.id,
  version: row.version,
  status: row.status,
  url: row.url ?? undefined,
  createdMs: row.created_ms,
  startedMs: row.date_started_ms ?? undefined,
  releasedMs: row.date_released_ms ?? undefined,
  firstEventMs: row.first_event_ms ?? undefined,
  lastEventMs: row.last_event_ms ?? undefined,
  firstSeenMs: Math.min(row.created_ms, row.first_event_ms ?? row.created_ms),
})
