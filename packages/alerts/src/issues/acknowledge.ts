/** Somebody looks after an incident: noted, and told to the pagers that were told of it, so that they stop calling people. */
import type { Records } from '@sonde/stores'
import { isPager } from '../channels/channels.ts'
import { headlineOf } from '../messages/message.ts'
import { channelsTold, lastTold, queueNotifications } from '../outbox/queue.ts'

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
  const last = await lastTold(tx, incidentId)
  if (!last) return true
  const before = last.message
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
      orgId: last.orgId,
      projectId: last.projectId,
    },
    nowMs,
  )
  return true
}
