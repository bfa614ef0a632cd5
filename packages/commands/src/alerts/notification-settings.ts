/** What a person is told, by medium and project, and what was read of it. */
import type { Grant, UserViewer } from '@sonde/access'
import { ACTIVITY_CHOICES, MAIL_PACES, NOTIFICATION_CHOICES, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { dropChoice, rescheduleMail, writeActivityChoice, writeChoice } from './notification-choices.ts'

type Deps = Pick<CommandDeps, 'records' | 'clock'>

const choice = z.enum(NOTIFICATION_CHOICES, { error: `is one of ${NOTIFICATION_CHOICES.join(', ')}` })
const activityChoice = z.enum(ACTIVITY_CHOICES, { error: `is one of ${ACTIVITY_CHOICES.join(', ')}` })
const MEDIA = ['inbox', 'email', 'push'] as const
const USUAL = z.object({
  inbox: choice,
  email: choice,
  /** In the browsers that are switched on; left out it stays. */
  push: choice.optional(),
  pace: z.enum(MAIL_PACES, { error: `is one of ${MAIL_PACES.join(', ')}` }),
  /** When a day's mail goes out; left out it stays. */
  digestHour: z
    .int('is an hour from 0 to 23')
    .min(0, 'is an hour from 0 to 23')
    .max(23, 'is an hour from 0 to 23')
    .optional(),
  /** What others do about issues. Left out it stays. */
  activity: z.object({ inbox: activityChoice, email: activityChoice, push: activityChoice }).optional(),
})
export type UsualNotifications = z.output<typeof USUAL>

/** Of every project that has no choice of its own. Throws `InvalidInput`. */
export async function setUsualNotifications(
  { records, clock }: Deps,
  { userId }: UserViewer,
  input: z.input<typeof USUAL>,
): Promise<void> {
  const read = readInput('change notification settings', USUAL, input)
  const { inbox, email, push, pace, digestHour, activity } = read
  await writeTransaction(records, async (tx) => {
    await writeChoice(tx, userId, 'inbox', null, inbox)
    await writeChoice(tx, userId, 'email', null, email)
    if (push !== undefined) await writeChoice(tx, userId, 'push', null, push)
    if (activity)
      for (const medium of MEDIA)
        await writeActivityChoice(tx, { userId, medium, projectId: null }, activity[medium])
    await tx
      .updateTable('notification_setting')
      .set({ pace, ...(digestHour !== undefined && { digest_hour: digestHour }) })
      .where('user_id', '=', userId)
      .where('medium', '=', 'email')
      .where('project_id', 'is', null)
      .execute()
    await rescheduleMail(tx, userId, clock.nowMs())
  })
}

const choiceOrUsual = choice.or(z.literal(''))
const activityOrUsual = activityChoice.or(z.literal(''))
const OF_PROJECT = z.object({
  inbox: choiceOrUsual,
  email: choiceOrUsual,
  push: choiceOrUsual.default(''),
  activity: z.object({ inbox: activityOrUsual, email: activityOrUsual, push: activityOrUsual }).optional(),
})

/** `''`: as in every other project. Throws `InvalidInput`. */
export async function setProjectNotifications(
  { records }: Pick<CommandDeps, 'records'>,
  { userId }: UserViewer,
  { projectId }: Grant<'project:read', 'project'>,
  input: z.input<typeof OF_PROJECT>,
): Promise<void> {
  const chosen = readInput('change notification settings', OF_PROJECT, input)
  await writeTransaction(records, async (tx) => {
    const { count } = await tx
      .selectFrom('notification_setting')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    for (const medium of ['inbox', 'email', 'push'] as const) {
      const wanted = chosen[medium]
      if (wanted === '') await dropChoice(tx, userId, medium, projectId)
      else if (count >= MAX_SETTINGS)
        throw new InvalidInput('change notification settings', {
          project: [`at most ${MAX_SETTINGS / 4} projects have settings of their own`],
        })
      else await writeChoice(tx, userId, medium, projectId, wanted)
      const activity = chosen.activity?.[medium]
      if (activity !== undefined)
        await writeActivityChoice(tx, { userId, medium, projectId }, activity === '' ? undefined : activity)
    }
  })
}

const MAX_SETTINGS = 1_000

const READ = z.object({ ids: z.array(z.int().positive()).max(1_000).optional() })

/** Without `ids`: all of the person's. */
export async function markInboxRead(
  { records, clock, onInbox }: Deps & Pick<CommandDeps, 'onInbox'>,
  { userId }: UserViewer,
  input: z.input<typeof READ>,
): Promise<void> {
  const { ids } = readInput('mark notifications as read', READ, input)
  if (ids?.length === 0) return
  await records
    .updateTable('notification')
    .set({ read_ms: clock.nowMs() })
    .where('user_id', '=', userId)
    .where('medium', '=', 'inbox')
    .where('read_ms', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .execute()
  onInbox?.(userId)
}
