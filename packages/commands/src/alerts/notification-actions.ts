/** Whom an organization wants to be told of what no rule is about, such as a spike: as programs set it up. */
import { actorOf, type Grant } from '@sonde/access'
import { RULE_LIMITS } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import {
  type AuditAction,
  inProjects,
  NOTIFICATION_TRIGGERS,
  type Records,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'

type ActionGrant = Grant<'alert:write', 'org'>

const FIELDS = {
  trigger: z.enum(NOTIFICATION_TRIGGERS, { error: `is one of ${NOTIFICATION_TRIGGERS.join(', ')}` }),
  /** Neither a channel nor a person: all members. */
  channelId: z.int().positive().optional(),
  userId: z.string().min(1).max(64).optional(),
  /** None: all of them. */
  projectIds: z.array(z.int().positive()).max(1_000, 'are at most 1,000').default([]),
  apiForm: z.string().max(10_000),
}
const CREATE = z.object(FIELDS)
const UPDATE = z.object({ actionId: z.int().positive(), ...FIELDS })

export type CreateNotificationActionInput = z.input<typeof CREATE>

/** Throws `InvalidInput`. */
export async function createNotificationAction(
  { records, clock }: CommandDeps,
  grant: ActionGrant,
  input: CreateNotificationActionInput,
): Promise<{ readonly id: number }> {
  const operation = 'create a notification action'
  const read = readInput(operation, CREATE, input)
  const atMs = clock.nowMs()
  return writeTransaction(records, async (tx) => {
    await checkNamed(tx, grant, operation, read)
    const { count } = await tx
      .selectFrom('notification_action')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('org_id', '=', grant.orgId)
      .executeTakeFirstOrThrow()
    if (count >= RULE_LIMITS.channels)
      throw new InvalidInput(operation, {
        trigger: [`there are at most ${RULE_LIMITS.channels}: delete one`],
      })
    const { id } = await tx
      .insertInto('notification_action')
      .values({
        org_id: grant.orgId,
        created_by: actorOf(grant.viewer),
        created_ms: atMs,
        ...columnsOf(read),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setProjects(tx, id, read.projectIds)
    await audit(tx, grant, 'notification_action.create', { actionId: id, trigger: read.trigger }, atMs)
    return { id }
  })
}

/** Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function updateNotificationAction(
  { records, clock }: CommandDeps,
  grant: ActionGrant,
  input: CreateNotificationActionInput & { readonly actionId: number },
): Promise<void> {
  const operation = 'change a notification action'
  const { actionId, ...read } = readInput(operation, UPDATE, input)
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    await checkNamed(tx, grant, operation, read)
    await refuseUnseen(tx, grant, operation, actionId)
    const { numUpdatedRows } = await tx
      .updateTable('notification_action')
      .set(columnsOf(read))
      .where('id', '=', actionId)
      .where('org_id', '=', grant.orgId)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) throw missing(operation, actionId)
    await setProjects(tx, actionId, read.projectIds)
    await audit(tx, grant, 'notification_action.update', { actionId, trigger: read.trigger }, atMs)
  })
}

/** Throws `SondeError` (`not-found`). */
export async function deleteNotificationAction(
  { records, clock }: CommandDeps,
  grant: ActionGrant,
  { actionId }: { readonly actionId: number },
): Promise<void> {
  const operation = 'delete a notification action'
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    await refuseUnseen(tx, grant, operation, actionId)
    const { numDeletedRows } = await tx
      .deleteFrom('notification_action')
      .where('id', '=', actionId)
      .where('org_id', '=', grant.orgId)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) === 0) throw missing(operation, actionId)
    await audit(tx, grant, 'notification_action.delete', { actionId }, atMs)
  })
}

type Read = z.output<typeof CREATE>

const columnsOf = ({ trigger, channelId, userId, apiForm }: Read) => ({
  trigger_type: trigger,
  channel_id: channelId ?? null,
  user_id: userId ?? null,
  api_form: apiForm,
})

async function setProjects(tx: Records, actionId: number, projectIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('notification_action_project').where('action_id', '=', actionId).execute()
  if (projectIds.length === 0) return
  await tx
    .insertInto('notification_action_project')
    .values([...new Set(projectIds)].map((id) => ({ action_id: actionId, project_id: id })))
    .execute()
}

/** One that is about projects beyond the grant does not exist for it. Throws `SondeError` (`not-found`). */
async function refuseUnseen(
  tx: Records,
  { projects: seen }: ActionGrant,
  operation: string,
  actionId: number,
): Promise<void> {
  if (seen === undefined) return
  const rows = await tx
    .selectFrom('notification_action_project')
    .select('project_id')
    .where('action_id', '=', actionId)
    .execute()
  if (rows.length > 0 && rows.every(({ project_id }) => seen.includes(project_id))) return
  throw missing(operation, actionId)
}

/** All that it names is of the organization. */
async function checkNamed(tx: Records, grant: ActionGrant, operation: string, read: Read): Promise<void> {
  const { orgId } = grant
  const { channelId, userId, projectIds } = read
  const problems: Record<string, string[]> = {}
  const channel =
    channelId === undefined ||
    (await tx
      .selectFrom('notification_channel')
      .select('id')
      .where('org_id', '=', orgId)
      .where('id', '=', channelId)
      .executeTakeFirst())
  if (!channel) problems['channelId'] = [`there is no channel ${channelId}`]
  const member =
    userId === undefined ||
    (await tx
      .selectFrom('member')
      .select('user_id')
      .where('org_id', '=', orgId)
      .where('user_id', '=', userId)
      .executeTakeFirst())
  if (!member) problems['userId'] = [`${userId} is no member`]
  if (projectIds.length === 0 && grant.projects !== undefined)
    problems['projectIds'] = ['name projects of your teams: you do not see all of the organization']
  if (projectIds.length > 0) {
    const known = await tx
      .selectFrom('project')
      .select('id')
      .where(inProjects(grant))
      .where('project.id', 'in', projectIds)
      .execute()
    if (known.length < new Set(projectIds).size)
      problems['projectIds'] = ['one of them is not of the organization']
  }
  if (Object.keys(problems).length > 0) throw new InvalidInput(operation, problems)
}

const missing = (operation: string, actionId: number): SondeError =>
  new SondeError('not-found', `there is no notification action ${actionId}`, {
    operation,
    subject: String(actionId),
  })

const audit = (
  tx: Records,
  { orgId, orgSlug, viewer }: ActionGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> => writeAudit(tx, { orgId, viewer, action, subject: orgSlug, detail, atMs })
