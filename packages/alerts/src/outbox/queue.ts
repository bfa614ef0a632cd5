/** Puts a message into the outbox, once for each place. Runs in the transaction that decided to tell it. */
import type { ChannelKind, Records } from '@sonde/stores'
import { type Message, readMessage } from '../messages/message.ts'
import type { Told } from './places.ts'

export type Queued = {
  /** The same whenever the same thing is told: with its place it is what makes a notification one. */
  readonly key: string
  readonly message: Message
  readonly orgId: number
  readonly projectId: number | null
  readonly incidentId: number | null
}

/** What was queued with the same key before is left as it is. */
export async function queueNotifications(
  tx: Records,
  places: readonly Told[],
  { key, message, orgId, projectId, incidentId }: Queued,
  nowMs: number,
): Promise<void> {
  if (places.length === 0) return
  const text = JSON.stringify(message)
  await tx
    .insertInto('notification')
    .values(
      places.map((place) => ({
        dedup_key: `${key}:${nameOf(place)}`,
        org_id: orgId,
        project_id: projectId,
        incident_id: incidentId,
        medium: place.medium,
        channel_id: place.medium === 'channel' ? place.channelId : null,
        user_id: place.medium === 'channel' ? null : place.userId,
        message: text,
        // The inbox is a list of these rows: there is nothing to deliver.
        state: place.medium === 'inbox' ? ('sent' as const) : ('waiting' as const),
        next_attempt_ms: place.medium === 'channel' ? nowMs : (place.notBeforeMs ?? nowMs),
        created_ms: nowMs,
        done_ms: place.medium === 'inbox' ? nowMs : null,
      })),
    )
    .onConflict((on) => on.column('dedup_key').doNothing())
    .execute()
}

/** What an incident's newest message says; undefined: nobody was told. */
export async function lastTold(
  tx: Records,
  incidentId: number,
): Promise<Pick<Queued, 'message' | 'orgId' | 'projectId'> | undefined> {
  const last = await tx
    .selectFrom('notification')
    .select(['message', 'org_id as orgId', 'project_id as projectId'])
    .where('incident_id', '=', incidentId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last && { ...last, message: readMessage(last.message) }
}

/** The channels that were told of an incident: they are told of its end too. */
export async function channelsTold(
  tx: Records,
  incidentId: number,
): Promise<readonly (Extract<Told, { medium: 'channel' }> & { readonly kind: ChannelKind })[]> {
  const rows = await tx
    .selectFrom('notification')
    .innerJoin('notification_channel', 'notification_channel.id', 'notification.channel_id')
    .select(['notification_channel.id', 'notification_channel.kind'])
    .distinct()
    .where('notification.incident_id', '=', incidentId)
    .execute()
  return rows.map(({ id, kind }) => ({ medium: 'channel', channelId: id, kind }))
}

const nameOf = (place: Told): string =>
  place.medium === 'channel' ? `channel:${place.channelId}` : `${place.medium}:${place.userId}`
