/** Which message in a channel further ones about the same issue, or the same incident of a metric, belong to. */
import type { ChannelKind, Records } from '@sonde/stores'
import { CHANNELS } from '../channels/channels.ts'
import type { Message } from '../messages/message.ts'

export type ThreadPlace = {
  readonly channelId: number
  readonly conversation: string
  readonly issueId: number | null
  readonly incidentId: number | null
}

/** Undefined: the channel has no threads, or the message is about several things. */
export function threadPlace(
  { channel_id: channelId, kind, settings }: ChannelOf,
  { issue, incidentId }: Message,
): ThreadPlace | undefined {
  if (channelId === null || kind === null || settings === null) return undefined
  const channel = CHANNELS[kind]
  const conversation = channel?.conversationOf?.(channel.settings.parse(JSON.parse(settings)))
  if (conversation === undefined) return undefined
  if (issue) return { channelId, conversation, issueId: issue.id, incidentId: null }
  return incidentId === undefined ? undefined : { channelId, conversation, issueId: null, incidentId }
}

type ChannelOf = {
  readonly channel_id: number | null
  readonly kind: ChannelKind | null
  readonly settings: string | null
}

/** Undefined: there is none, or it is in another conversation than the channel's of now. */
export async function threadOf(records: Records, place: ThreadPlace): Promise<string | undefined> {
  const row = await records
    .selectFrom('channel_message')
    .select(['conversation', 'thread'])
    .where('channel_id', '=', place.channelId)
    .where('issue_id', place.issueId === null ? 'is' : '=', place.issueId)
    .where('incident_id', place.incidentId === null ? 'is' : '=', place.incidentId)
    .executeTakeFirst()
  return row?.conversation === place.conversation ? row.thread : undefined
}

/** Instead of the one before. What it is about may have been deleted meanwhile: then there is nothing to remember. */
export async function keepThread(
  tx: Records,
  { channelId, conversation, issueId, incidentId }: ThreadPlace,
  thread: string,
  nowMs: number,
): Promise<void> {
  await tx
    .deleteFrom('channel_message')
    .where('channel_id', '=', channelId)
    .where('issue_id', issueId === null ? 'is' : '=', issueId)
    .where('incident_id', incidentId === null ? 'is' : '=', incidentId)
    .execute()
  const isThere =
    issueId === null
      ? await tx.selectFrom('incident').select('id').where('id', '=', incidentId).executeTakeFirst()
      : await tx.selectFrom('issue').select('id').where('id', '=', issueId).executeTakeFirst()
  const channel = await tx
    .selectFrom('notification_channel')
    .select('id')
    .where('id', '=', channelId)
    .executeTakeFirst()
  if (!isThere || !channel) return
  await tx
    .insertInto('channel_message')
    .values({
      channel_id: channelId,
      issue_id: issueId,
      incident_id: incidentId,
      conversation,
      thread,
      created_ms: nowMs,
    })
    .execute()
}
