/** Somebody looks after an incident: noted, and told to the pagers that were told of it, so that they stop calling people. */
import type { Records } from '@sonde/stores'
import { isPager } from '../channels/channels.ts'
import { headlineOf, readMessage } from '../messages/message.ts'
import { channelsTold, queueNotifications } from '../outbox/queue.ts'

export type AcknowledgedBy = {
  /** `actorOf` who did. */
  readonly by: string
  /** Whoever acknowledged it there is not told of it. */
  readonly exceptChannelId?: number
}

/** Within the caller's transaction. False: it was acknowledged or resolved already. */
export async function acknowledgeIncident(
  tx: Records,
  incidentId: number,
  nowMs: number,
  { by, exceptChannelId }: AcknowledgedBy,
): Promise<boolean> {
  const changed = await tx
    .updateTable('incident')
    .set({ acknowledged_ms: nowMs, acknowledged_by: by })
    .where('id', '=', incidentId)
    .where('resolved_ms', 'is', null)
    .where('acknowledged_ms', 'is', null)
    .returning('id')
    .execute()
  if (changed.length === 0) return false
  const last = await tx
    .selectFrom('notification')
    .select(['message', 'org_id', 'project_id'])
    .where('incident_id', '=', incidentId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return true
  const before = readMessage(last.message)
  const message = {
    ...before,
    kind: 'acknowledged' as const,
    headline: headlineOf('acknowledged', `${before.org}/${before.project}`),
    atMs: nowMs,
  }
  const told = (await channelsTold(tx, incidentId)).filter(
    ({ channelId, kind }) => isPager(kind) && channelId !== exceptChannelId,
  )
  await queueNotifications(
    tx,
    told,
    {
      // It may be acknowledged again after somebody took that back.
      key: `incident:${incidentId}:acknowledged:${nowMs}`,
      message,
      incidentId,
      orgId: last.org_id,
      projectId: last.project_id,
    },
    nowMs,
  )
  return true
}
