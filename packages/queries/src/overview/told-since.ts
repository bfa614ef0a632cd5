/** Who was told what since a moment: incidents that are open, messages that went out, and those that did not. */
import type { Grant } from '@sonde/access'
import { sql } from 'kysely'
import { incidents, type IncidentRow } from '../alerts/incidents.ts'
import type { QueryDeps } from '../query-deps.ts'

export type ToldSince = {
  /** Of any time: the newest of `openCount`. */
  readonly open: readonly Pick<IncidentRow, 'id' | 'ruleName' | 'issue' | 'startedMs' | 'acknowledgedBy'>[]
  readonly openCount: number
  /** Places that were told since then, each counted once. */
  readonly channels: number
  readonly people: number
  /** Messages that were delivered, and that were given up. */
  readonly sent: number
  readonly failed: number
  /** Rules that are on; 0: nobody is told of anything. */
  readonly rules: number
}

const SHOWN = 1

/** Three look-ups along indexes of the project. */
export async function toldSince(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'alert:read', 'project'>,
  sinceMs: number,
): Promise<ToldSince> {
  const { records } = deps
  const [{ rows, total }, told, { count }] = await Promise.all([
    incidents(deps, grant, { isOpen: true, page: 1, limit: SHOWN }),
    records
      .selectFrom('notification')
      .innerJoin('incident', 'incident.id', 'notification.incident_id')
      .select([
        sql<number>`count(DISTINCT notification.channel_id)`.as('channels'),
        sql<number>`count(DISTINCT notification.user_id)`.as('people'),
        sql<number | null>`sum(CASE WHEN notification.state = 'sent' THEN 1 ELSE 0 END)`.as('sent'),
        sql<number | null>`sum(CASE WHEN notification.state = 'failed' THEN 1 ELSE 0 END)`.as('failed'),
      ])
      .where('incident.project_id', '=', grant.projectId)
      .where('notification.created_ms', '>=', sinceMs)
      .executeTakeFirstOrThrow(),
    records
      .selectFrom('alert_rule')
      .select(sql<number>`count(*)`.as('count'))
      .where('project_id', '=', grant.projectId)
      .where('is_enabled', '=', 1)
      .executeTakeFirstOrThrow(),
  ])
  return {
    open: rows.map(({ id, ruleName, issue, startedMs, acknowledgedBy }) => {
      return { id, ruleName, issue, startedMs, acknowledgedBy }
    }),
    openCount: total,
    channels: told.channels,
    people: told.people,
    sent: told.sent ?? 0,
    failed: told.failed ?? 0,
    rules: count,
  }
}
