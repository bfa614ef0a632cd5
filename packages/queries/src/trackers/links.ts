/** Which issues of trackers belong to an issue. */
import type { Grant } from '@sonde/access'
import type { TrackerKind, TrackerState, TrackerRequest } from '@sonde/stores'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

export type TrackerLink = {
  readonly id: number
  readonly tracker: { readonly id: number; readonly kind: TrackerKind; readonly name: string }
  /** As people call it: `acme/shop#12`, `SHOP-12`. Empty: it is being created. */
  readonly key: string
  /** Empty: it is being created. */
  readonly url: string
  readonly title: string
  readonly state: TrackerState
  /** What the tracker is about to be told; empty: nothing. */
  readonly wanted: TrackerRequest
  /** Why it refused the last time, for people; empty: it did not. With `wanted` it is tried again. */
  readonly answer: string
  /** When the tracker was last heard of it. */
  readonly syncedMs: number
  readonly createdMs: number
}

/** Oldest first. Empty also where there is no such issue within the grant. */
export async function trackerLinks(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  issueId: number,
): Promise<readonly TrackerLink[]> {
  const rows = await deps.records
    .selectFrom('tracker_link')
    .innerJoin('tracker_connection', 'tracker_connection.id', 'tracker_link.connection_id')
    .innerJoin('issue', 'issue.id', 'tracker_link.issue_id')
    .select(['tracker_link.id', 'external_key', 'url', 'tracker_link.title', 'state', 'wanted', 'answer'])
    .select(['synced_ms', 'tracker_link.created_ms', 'connection_id', 'kind', 'tracker_connection.name'])
    .where('tracker_link.issue_id', '=', issueId)
    .where('issue.project_id', 'in', await projectIdsOf(deps, grant))
    .orderBy('tracker_link.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    tracker: { id: row.connection_id, kind: row.kind, name: row.name },
    key: row.external_key,
    url: row.url,
    title: row.title,
    state: row.state,
    wanted: row.wanted,
    answer: row.answer,
    syncedMs: row.synced_ms,
    createdMs: row.created_ms,
  }))
}
