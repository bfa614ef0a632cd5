/** By which media a person is told of what others do about issues: their choices for all projects, and for single ones. */
import type { ActivityChoice, Records } from '@sonde/stores'
import { nextMailMs } from '../outbox/next-mail.ts'
import type { Told } from '../outbox/places.ts'
import type { Concern, ConcernReason } from './concerned.ts'

/** Of which `involved` tells. */
const INVOLVING: ReadonlySet<ConcernReason> = new Set([
  'assigned',
  'team_assigned',
  'mentioned',
  'team_mentioned',
])

export type ActivityPlaces = (projectId: number, concern: Concern) => readonly Told[]

/** Two reads of settings and one of browsers, for all of these people. */
export async function readActivityPlaces(
  tx: Records,
  userIds: readonly string[],
  { hasMail, nowMs }: { readonly hasMail: boolean; readonly nowMs: number },
): Promise<ActivityPlaces> {
  if (userIds.length === 0) return () => []
  const choices = await tx
    .selectFrom('activity_setting')
    .select(['user_id', 'medium', 'project_id', 'choice'])
    .where('user_id', 'in', userIds)
    .execute()
  const times = await tx
    .selectFrom('notification_setting')
    .innerJoin('user', 'user.id', 'notification_setting.user_id')
    .select(['user_id', 'pace', 'digest_hour', 'user.timeZone'])
    .where('user_id', 'in', userIds)
    .where('medium', '=', 'email')
    .where('project_id', 'is', null)
    .execute()
  const browsers = await tx
    .selectFrom('push_subscription')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .distinct()
    .execute()
  const keyOf = (userId: string, medium: string, projectId: number | null): string =>
    `${userId} ${medium} ${projectId}`
  const chosen = new Map(choices.map((row) => [keyOf(row.user_id, row.medium, row.project_id), row.choice]))
  const mailTimes = new Map(times.map((row) => [row.user_id, row]))
  const hasBrowser = new Set(browsers.map(({ user_id }) => user_id))
  return (projectId, { userId, reason }) => {
    const media = [
      'inbox' as const,
      ...(hasMail ? ['email' as const] : []),
      ...(hasBrowser.has(userId) ? ['push' as const] : []),
    ]
    return media.flatMap((medium) => {
      const choice =
        chosen.get(keyOf(userId, medium, projectId)) ??
        chosen.get(keyOf(userId, medium, null)) ??
        ('subscribed' satisfies ActivityChoice)
      if (choice === 'none' || (choice === 'involved' && !INVOLVING.has(reason))) return []
      const row = mailTimes.get(userId)
      const notBeforeMs =
        medium === 'email' && row
          ? nextMailMs({ pace: row.pace, hour: row.digest_hour, zone: row.timeZone }, nowMs)
          : undefined
      return [{ medium, userId, ...(notBeforeMs !== undefined && { notBeforeMs }) }]
    })
  }
}
