/** Whether an event is waiting to be read again with source maps that came after it. */
import type { Grant } from '@sonde/access'
import type { RepairTarget } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type OpenRepair = {
  readonly requestedMs: number
  readonly isRunning: boolean
  /** Why it goes on later, for people; empty: no trouble. */
  readonly trouble: string
}

export type RepairedEvent = {
  /** Of its scripts, in any form. */
  readonly debugIds: readonly string[]
  readonly release: string | undefined
}

/** Uploads come one after the other; what lies behind so many is told by the next look. */
const MAX_OPEN = 50

/** The first of the organisation's open repairs whose target the event may be. Undefined: none. */
export async function openRepair(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  event: RepairedEvent,
): Promise<OpenRepair | undefined> {
  const rows = await records
    .selectFrom('repair')
    .select(['target', 'requested_ms', 'started_ms', 'trouble'])
    .where('org_id', '=', orgId)
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .limit(MAX_OPEN)
    .execute()
  const ids = new Set(event.debugIds.map(plain))
  const found = rows.find(({ target }) => {
    const { debugIds, projectIds, release } = JSON.parse(target) as RepairTarget
    if (debugIds.some((id) => ids.has(plain(id)))) return true
    if (!projectIds.includes(projectId)) return false
    // Somebody asked for all that is not readable.
    return release === undefined ? debugIds.length === 0 : release === event.release
  })
  return (
    found && {
      requestedMs: found.requested_ms,
      isRunning: found.started_ms !== null,
      trouble: found.trouble,
    }
  )
}

const plain = (id: string): string => id.toLowerCase().replaceAll('-', '')
