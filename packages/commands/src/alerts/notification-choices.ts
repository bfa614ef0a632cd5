/** Writes what a person wants to be told by one medium, of all projects or of one. Within the caller's transaction. */
import { nextMailMs } from '@sonde/alerts'
import type { ActivityChoice, NotificationChoice, Records } from '@sonde/stores'

type Medium = 'inbox' | 'email' | 'push'
type ActivityPlace = {
  readonly userId: string
  readonly medium: Medium
  readonly projectId: number | null
}

/** Undefined: as in every other project. */
export async function writeActivityChoice(
  tx: Records,
  { userId, medium, projectId }: ActivityPlace,
  wanted: ActivityChoice | undefined,
): Promise<void> {
  await tx
    .deleteFrom('activity_setting')
    .where('user_id', '=', userId)
    .where('medium', '=', medium)
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .execute()
  if (wanted !== undefined)
    await tx
      .insertInto('activity_setting')
      .values({ user_id: userId, medium, project_id: projectId, choice: wanted })
      .execute()
}

export async function writeChoice(
  tx: Records,
  userId: string,
  medium: Medium,
  projectId: number | null,
  wanted: NotificationChoice,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('notification_setting')
    .set({ choice: wanted })
    .where('user_id', '=', userId)
    .where('medium', '=', medium)
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) > 0) return
  await tx
    .insertInto('notification_setting')
    .values({ user_id: userId, medium, project_id: projectId, choice: wanted })
    .execute()
}

export async function dropChoice(
  tx: Records,
  userId: string,
  medium: Medium,
  projectId: number,
): Promise<void> {
  await tx
    .deleteFrom('notification_setting')
    .where('user_id', '=', userId)
    .where('medium', '=', medium)
    .where('project_id', '=', projectId)
    .execute()
}

/** What was collected for another hour, or by another zone's clock, goes out with what comes from now on. */
export async function rescheduleMail(tx: Records, userId: string, nowMs: number): Promise<void> {
  const times = await tx
    .selectFrom('notification_setting')
    .innerJoin('user', 'user.id', 'notification_setting.user_id')
    .select(['pace', 'digest_hour as hour', 'user.timeZone as zone'])
    .where('user_id', '=', userId)
    .where('medium', '=', 'email')
    .where('project_id', 'is', null)
    .executeTakeFirst()
  if (!times) return
  await tx
    .updateTable('notification')
    .set({ next_attempt_ms: nextMailMs(times, nowMs) ?? nowMs })
    .where('user_id', '=', userId)
    .where('medium', '=', 'email')
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .execute()
}
