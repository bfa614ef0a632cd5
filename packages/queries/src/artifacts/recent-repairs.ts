/** Stored events that were or are being read again with source maps that came late: open ones first, then the newest. */
import type { Grant } from '@sonde/access'
import type { RepairCause, RepairTarget } from '@sonde/stores'
import { sql } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'

export type RecentRepair = {
  readonly id: number
  readonly cause: RepairCause
  /** `actorOf` who uploaded or asked. */
  readonly actor: string
  /** Empty: events with one of the debug ids. */
  readonly release: string
  readonly debugIds: number
  readonly requestedMs: number
  readonly startedMs: number | undefined
  readonly finishedMs: number | undefined
  /** How many there are to look at, where that is known. */
  readonly total: number | undefined
  /** Events that were looked at, that are different now, that have another issue now; issues that are gone by it. */
  readonly seen: number
  readonly changed: number
  readonly moved: number
  readonly merged: number
  /** Empty: none. */
  readonly trouble: string
}

/** Far more than stand on the screen: targets lie in JSON, so the project's are picked here. */
const MAX_READ = 200

/** Of the project, or of all projects (those for debug ids). */
export async function recentRepairs(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  limit = 10,
): Promise<readonly RecentRepair[]> {
  const rows = await records
    .selectFrom('repair')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy(sql`finished_ms IS NOT NULL`)
    .orderBy('id', 'desc')
    .limit(MAX_READ)
    .execute()
  return rows
    .map((row) => ({ row, target: JSON.parse(row.target) as RepairTarget }))
    .filter(({ target }) => target.projectIds.length === 0 || target.projectIds.includes(projectId))
    .slice(0, limit)
    .map(({ row, target }) => ({
      id: row.id,
      cause: row.cause,
      actor: row.actor,
      release: target.release ?? '',
      debugIds: target.debugIds.length,
      requestedMs: row.requested_ms,
      startedMs: row.started_ms ?? undefined,
      finishedMs: row.finished_ms ?? undefined,
      total: row.total_count ?? undefined,
      seen: row.seen_count,
      changed: row.changed_count,
      moved: row.moved_count,
      merged: row.merged_count,
      trouble: row.trouble,
    }))
}
