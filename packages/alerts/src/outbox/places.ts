/** Whom a rule's actions mean at the moment that it fires, and what each of those people wants to be told. */
import { type NotificationChoice, type Records, seesProject } from '@sonde/stores'
import { sql } from 'kysely'
import type { MessageKind } from '../messages/message.ts'
import type { Action } from '../rules/rule.ts'
import { ownersTold } from './issue-owners.ts'
import { nextMailMs } from './next-mail.ts'

export type Told =
  | { readonly medium: 'channel'; readonly channelId: number }
  | {
      readonly medium: 'email' | 'inbox' | 'push'
      readonly userId: string
      /** Collected with others until then. */
      readonly notBeforeMs?: number
    }

export type Telling = {
  readonly orgId: number
  readonly projectId: number
  readonly kind: MessageKind
  readonly actions: readonly Action[]
  /** Of the rule. */
  readonly ownerId: string | undefined
  /** What it is about; undefined: no issue. */
  readonly issueId?: number
  readonly hasMail: boolean
  readonly nowMs: number
}

/** Each place once, whichever actions name it. A channel or person that is gone, of another organization, or who does not see the project, is left out. */
export async function placesOf(tx: Records, telling: Telling): Promise<readonly Told[]> {
  const { orgId, actions } = telling
  const channelIds = new Set(
    actions.flatMap((action) => (action.type === 'channel' ? [action.channelId] : [])),
  )
  const channels =
    channelIds.size === 0
      ? []
      : await tx
          .selectFrom('notification_channel')
          .select('id')
          .where('org_id', '=', orgId)
          .where('id', 'in', [...channelIds])
          .execute()
  return [
    ...channels.map(({ id }) => ({ medium: 'channel' as const, channelId: id })),
    ...(await peopleOf(tx, telling)),
  ]
}

async function peopleOf(
  tx: Records,
  { orgId, projectId, kind, actions, ownerId, issueId, hasMail, nowMs }: Telling,
): Promise<readonly Told[]> {
  const ofIssue = actions.find((action) => action.type === 'issue_owners')
  const owners =
    ofIssue && issueId !== undefined
      ? await ownersTold(tx, { orgId, projectId, issueId, otherwise: ofIssue.otherwise, nowMs })
      : []
  const named = new Set([
    ...(owners === 'members' ? [] : owners),
    ...(await membersOfTeams(tx, orgId, actions)),
    ...actions.flatMap((action) => {
      if (action.type === 'person') return [action.userId]
      return action.type === 'owner' && ownerId !== undefined ? [ownerId] : []
    }),
  ])
  const isForAll = owners === 'members' || actions.some(({ type }) => type === 'members')
  if (!isForAll && named.size === 0) return []
  const people = await tx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.id')
    .where('member.org_id', '=', orgId)
    .where('user.disabledMs', 'is', null)
    .where(seesProject(sql.ref('user.id'), sql`${projectId}`))
    .$if(!isForAll, (query) => query.where('user.id', 'in', [...named]))
    .execute()
  const settings = await tx
    .selectFrom('notification_setting as setting')
    .innerJoin('member', 'member.user_id', 'setting.user_id')
    .innerJoin('user', 'user.id', 'setting.user_id')
    .select(['setting.user_id', 'setting.medium', 'setting.project_id', 'setting.choice', 'setting.pace'])
    .select(['setting.digest_hour', 'user.timeZone'])
    .where('member.org_id', '=', orgId)
    .where((eb) => eb.or([eb('setting.project_id', 'is', null), eb('setting.project_id', '=', projectId)]))
    .execute()
  const keyOf = (userId: string, medium: string, isOfProject: boolean): string =>
    `${userId} ${medium} ${isOfProject}`
  const wanted = new Map(
    settings.map((row) => [keyOf(row.user_id, row.medium, row.project_id !== null), row]),
  )
  const subscribed = await subscribersOf(tx, orgId)
  return people.flatMap(({ id: userId }) => {
    const media = [
      'inbox' as const,
      ...(hasMail ? ['email' as const] : []),
      ...(subscribed.has(userId) ? ['push' as const] : []),
    ]
    return media.flatMap((medium) => {
      const usual = wanted.get(keyOf(userId, medium, false))
      const choice = (wanted.get(keyOf(userId, medium, true)) ?? usual)?.choice ?? 'all'
      if (!wants(choice, kind)) return []
      const times = usual && { pace: usual.pace, hour: usual.digest_hour, zone: usual.timeZone }
      const notBeforeMs = medium === 'email' && times ? nextMailMs(times, nowMs) : undefined
      return [{ medium, userId, ...(notBeforeMs !== undefined && { notBeforeMs }) }]
    })
  })
}

async function membersOfTeams(
  tx: Records,
  orgId: number,
  actions: readonly Action[],
): Promise<readonly string[]> {
  const teamIds = actions.flatMap((action) => (action.type === 'team' ? [action.teamId] : []))
  if (teamIds.length === 0) return []
  const rows = await tx
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team_member.user_id')
    .where('team.org_id', '=', orgId)
    .where('team.id', 'in', teamIds)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Who has a browser that is told. */
async function subscribersOf(tx: Records, orgId: number): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('push_subscription')
    .innerJoin('member', 'member.user_id', 'push_subscription.user_id')
    .select('push_subscription.user_id')
    .distinct()
    .where('member.org_id', '=', orgId)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

const wants = (choice: NotificationChoice, kind: MessageKind): boolean =>
  choice === 'all' || (choice === 'new' && kind === 'new')
