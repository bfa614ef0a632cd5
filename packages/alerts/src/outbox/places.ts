/** Whom a rule's actions mean at the moment that it fires. */
import type { Records } from '@sonde/stores'
import type { Action } from '../rules/rule.ts'

export type Told =
  | { readonly medium: 'channel'; readonly channelId: number }
  | { readonly medium: 'email' | 'inbox'; readonly userId: string }

/** Each place once, whichever actions name it. A channel or person that is gone, or of another organization, is left out. */
export async function placesOf(
  tx: Records,
  orgId: number,
  actions: readonly Action[],
  hasMail: boolean,
): Promise<readonly Told[]> {
  const channelIds = new Set(
    actions.flatMap((action) => (action.type === 'channel' ? [action.channelId] : [])),
  )
  const named = new Set(actions.flatMap((action) => (action.type === 'person' ? [action.userId] : [])))
  const isForAll = actions.some(({ type }) => type === 'members')
  const channels =
    channelIds.size === 0
      ? []
      : await tx
          .selectFrom('notification_channel')
          .select('id')
          .where('org_id', '=', orgId)
          .where('id', 'in', [...channelIds])
          .execute()
  const people =
    isForAll || named.size > 0
      ? await tx
          .selectFrom('member')
          .innerJoin('user', 'user.id', 'member.user_id')
          .select('user.id')
          .where('member.org_id', '=', orgId)
          .where('user.disabledMs', 'is', null)
          .$if(!isForAll, (query) => query.where('user.id', 'in', [...named]))
          .execute()
      : []
  return [
    ...channels.map(({ id }) => ({ medium: 'channel' as const, channelId: id })),
    ...people.flatMap(({ id: userId }) => [
      { medium: 'inbox' as const, userId },
      ...(hasMail ? [{ medium: 'email' as const, userId }] : []),
    ]),
  ]
}
