/** The action `tracker` of an issue rule: a request that an issue be made there. Within the transaction that fires the rule. */
import type { Records } from '@sonde/stores'
import type { Action } from '../rules/rule.ts'

/** Of one connection. A storm of new issues must not become one there: what is beyond it people make themselves. */
export const MADE_AN_HOUR = 30
const HOUR_MS = 3_600_000

type Firing = {
  readonly issueId: number
  readonly orgId: number
  readonly ruleId: number
  readonly actions: readonly Action[]
}

/** An issue that is linked to the tracker has one there already. A connection that is gone, or another organization's, is left out. */
export async function makeExternal(
  tx: Records,
  { issueId, orgId, ruleId, actions }: Firing,
  nowMs: number,
): Promise<void> {
  const named = new Set(actions.flatMap((action) => (action.type === 'tracker' ? [action.trackerId] : [])))
  if (named.size === 0) return
  const trackers = await tx
    .selectFrom('tracker_connection')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', [...named])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('tracker_link')
            .select('tracker_link.id')
            .whereRef('tracker_link.connection_id', '=', 'tracker_connection.id')
            .where('tracker_link.issue_id', '=', issueId),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  for (const { id } of trackers) {
    const { made } = await tx
      .selectFrom('tracker_link')
      .select((eb) => eb.fn.countAll<number>().as('made'))
      .where('connection_id', '=', id)
      .where('created_by', 'like', 'rule:%')
      .where('created_ms', '>', nowMs - HOUR_MS)
      .executeTakeFirstOrThrow()
    if (made >= MADE_AN_HOUR) continue
    await tx
      .insertInto('tracker_link')
      .values({
        connection_id: id,
        issue_id: issueId,
        external_id: '',
        external_key: '',
        url: '',
        title: '',
        state: 'open',
        changed_ms: 0,
        synced_ms: nowMs,
        created_by: `rule:${ruleId}`,
        created_ms: nowMs,
        wanted: 'create',
        next_attempt_ms: nowMs,
      })
      .execute()
  }
}
