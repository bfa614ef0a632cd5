/** What a person is told, by medium and project, and what was read of it. */
import type { Grant, Seal, UserViewer } from '@sonde/access'
import { isTimeZone, nextMailMs, readUnsubscribeToken } from '@sonde/alerts'
import {
  MAIL_PACES,
  NOTIFICATION_CHOICES,
  type NotificationChoice,
  type Records,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'

type Deps = Pick<CommandDeps, 'records' | 'clock'>

const choice = z.enum(NOTIFICATION_CHOICES, { error: `is one of ${NOTIFICATION_CHOICES.join(', ')}` })
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
  digestZone: z.string().max(64).refine(isTimeZone, 'is not a time zone, such as Europe/Berlin').optional(),
})
export type UsualNotifications = z.output<typeof USUAL>

/** Of every project that has no choice of its own. Throws `InvalidInput`. */
export async function setUsualNotifications(
  { records, clock }: Deps,
  { userId }: UserViewer,
  input: z.input<typeof USUAL>,
): Promise<void> {
  const read = readInput('change notification settings', USUAL, input)
  const { inbox, email, push, pace, digestHour, digestZone } = read
  await writeTransaction(records, async (tx) => {
    await writeChoice(tx, userId, 'inbox', null, inbox)
    await writeChoice(tx, userId, 'email', null, email)
    if (push !== undefined) await writeChoice(tx, userId, 'push', null, push)
    const { digest_hour: hour, digest_zone: zone } = await tx
      .updateTable('notification_setting')
      .set({
        pace,
        ...(digestHour !== undefined && { digest_hour: digestHour }),
        ...(digestZone !== undefined && { digest_zone: digestZone }),
      })
      .where('user_id', '=', userId)
      .where('medium', '=', 'email')
      .where('project_id', 'is', null)
      .returning(['digest_hour', 'digest_zone'])
      .executeTakeFirstOrThrow()
    // What was collected for another hour goes out with what comes from now on.
    const nowMs = clock.nowMs()
    await tx
      .updateTable('notification')
      .set({ next_attempt_ms: nextMailMs({ pace, hour, zone }, nowMs) ?? nowMs })
      .where('user_id', '=', userId)
      .where('medium', '=', 'email')
      .where('state', '=', 'waiting')
      .where('attempts', '=', 0)
      .execute()
  })
}

const choiceOrUsual = choice.or(z.literal(''))
const OF_PROJECT = z.object({
  inbox: choiceOrUsual,
  email: choiceOrUsual,
  push: choiceOrUsual.default(''),
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
    }
  })
}

const MAX_SETTINGS = 1_000

export type UnsubscribedMail = {
  /** `acme/shop`; undefined: of all projects. */
  readonly project: string | undefined
  readonly isAlreadyOff: boolean
}

/** What a mail's token would end, and whether it has already. Undefined: the token is not ours, or of nobody any more. */
export async function lookAtUnsubscribe(
  { records }: Pick<CommandDeps, 'records'>,
  seal: Seal,
  token: string,
): Promise<UnsubscribedMail | undefined> {
  return (await readWhom(records, seal, token))?.mail
}

/** Needs no sign-in: the token is the proof. Idempotent. Undefined like `lookAtUnsubscribe`. */
export async function unsubscribe(
  { records }: Pick<CommandDeps, 'records'>,
  seal: Seal,
  token: string,
): Promise<UnsubscribedMail | undefined> {
  return writeTransaction(records, async (tx) => {
    const whom = await readWhom(tx, seal, token)
    if (!whom) return undefined
    const { userId, projectId, mail } = whom
    await writeChoice(tx, userId, 'email', projectId, 'none')
    // All mail: also of projects that have a choice of their own.
    if (projectId === null)
      await tx
        .deleteFrom('notification_setting')
        .where('user_id', '=', userId)
        .where('medium', '=', 'email')
        .where('project_id', 'is not', null)
        .execute()
    // Nor what was collected and waits.
    await tx
      .deleteFrom('notification')
      .where('user_id', '=', userId)
      .where('medium', '=', 'email')
      .where('state', '=', 'waiting')
      .$if(projectId !== null, (query) => query.where('project_id', '=', projectId))
      .execute()
    return mail
  })
}

async function readWhom(records: Records, seal: Seal, token: string) {
  const whom = await readUnsubscribeToken(seal, token)
  if (!whom) return undefined
  const { userId, projectId } = whom
  const person = await records.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()
  const project =
    projectId === null
      ? undefined
      : await records
          .selectFrom('project')
          .innerJoin('organization', 'organization.id', 'project.org_id')
          .select(['project.slug', 'organization.slug as org'])
          .where('project.id', '=', projectId)
          .executeTakeFirst()
  if (!person || (projectId !== null && !project)) return undefined
  const rows = await records
    .selectFrom('notification_setting')
    .select(['project_id', 'choice'])
    .where('user_id', '=', userId)
    .where('medium', '=', 'email')
    .execute()
  const own = rows.find((row) => row.project_id === projectId)
  const others = projectId === null ? rows.filter((row) => row.project_id !== null) : []
  const isAlreadyOff = own?.choice === 'none' && others.every((row) => row.choice === 'none')
  const mail: UnsubscribedMail = { project: project && `${project.org}/${project.slug}`, isAlreadyOff }
  return { userId, projectId, mail }
}

type Medium = 'inbox' | 'email' | 'push'

async function writeChoice(
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

async function dropChoice(tx: Records, userId: string, medium: Medium, projectId: number): Promise<void> {
  await tx
    .deleteFrom('notification_setting')
    .where('user_id', '=', userId)
    .where('medium', '=', medium)
    .where('project_id', '=', projectId)
    .execute()
}

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
