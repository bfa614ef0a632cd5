/** Makes, changes and deletes monitors of scheduled jobs. */
import { actorOf, type Grant } from '@sonde/access'
import {
  ACTIONS,
  CRON_CONFIG,
  CRON_LIMITS,
  type CronConfigInput,
  expectAnew,
  unknownPlaces,
} from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type AuditAction, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, neededTextField, readInput } from '../fields.ts'

type WriteGrant = Grant<'alert:write', 'project'>

const MONITOR = z.object({
  name: neededTextField(CRON_LIMITS.nameChars),
  slug: z
    .string()
    .trim()
    .regex(/^[a-z0-9_][a-z0-9_-]{0,49}$/, 'has lower-case letters, digits, - and _, at most 50'),
  config: CRON_CONFIG,
  actions: ACTIONS.default([{ type: 'members' }]).refine(
    (actions) => actions.every(({ type }) => ['channel', 'members', 'person', 'team'].includes(type)),
    'a monitor tells members, people, teams and channels',
  ),
  owner: z
    .string()
    .regex(/^(?:(?:user|team):[\w-]{1,64})?$/, 'is user:ID or team:ID')
    .default(''),
  isEnabled: z.boolean().default(true),
  isMuted: z.boolean().default(false),
})
export type CronInput = z.input<typeof MONITOR> & { readonly config: CronConfigInput }

/** `My job` → `my-job`; empty: nothing of it can stand in a slug. */
export const cronSlug = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, CRON_LIMITS.slugChars)

/** Throws `InvalidInput`. */
export async function createCron(
  deps: CommandDeps,
  grant: WriteGrant,
  input: CronInput,
): Promise<{ readonly id: number; readonly slug: string }> {
  const operation = 'create a monitor'
  const read = readInput(operation, MONITOR, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    await check(tx, grant, operation, read)
    const { count } = await tx
      .selectFrom('cron_monitor')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', grant.projectId)
      .executeTakeFirstOrThrow()
    if (count >= CRON_LIMITS.monitors)
      throw new InvalidInput(operation, {
        name: [`a project has at most ${CRON_LIMITS.monitors} monitors: delete one`],
      })
    const { id } = await tx
      .insertInto('cron_monitor')
      .values({
        project_id: grant.projectId,
        ...columnsOf(read),
        created_by: actorOf(grant.viewer),
        created_ms: atMs,
        updated_ms: atMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await auditCron(tx, grant, 'cron.create', { monitorId: id, name: read.name }, atMs)
    return { id, slug: read.slug }
  })
}

/** Runs are expected after now, by what is said now; one that is disabled ends its incidents without a word. Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function updateCron(
  deps: CommandDeps,
  grant: WriteGrant,
  monitorId: number,
  input: CronInput,
): Promise<{ readonly slug: string }> {
  const operation = 'change a monitor'
  const read = readInput(operation, MONITOR, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const before = await cronOf(tx, grant, operation, monitorId)
    await check(tx, grant, operation, read, monitorId)
    const columns = columnsOf(read)
    await tx
      .updateTable('cron_monitor')
      .set({ ...columns, updated_ms: atMs })
      .where('id', '=', monitorId)
      .execute()
    if (before.config !== columns.config || before.is_enabled !== columns.is_enabled)
      await expectAnew(tx, monitorId, atMs)
    if (columns.is_enabled === 0) await endCronIncidents(tx, grant, monitorId, atMs)
    await auditCron(tx, grant, 'cron.update', { monitorId, name: read.name }, atMs)
    return { slug: read.slug }
  })
}

/** Its incidents stay. A check-in with a config makes it anew. Throws `SondeError` (`not-found`). */
export async function deleteCron(deps: CommandDeps, grant: WriteGrant, monitorId: number): Promise<void> {
  const operation = 'delete a monitor'
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { name } = await cronOf(tx, grant, operation, monitorId)
    await endCronIncidents(tx, grant, monitorId, atMs)
    await tx.deleteFrom('cron_monitor').where('id', '=', monitorId).execute()
    await auditCron(tx, grant, 'cron.delete', { monitorId, name }, atMs)
  })
}

type Read = z.output<typeof MONITOR>

const columnsOf = ({ name, slug, config, actions, owner, isEnabled, isMuted }: Read) => ({
  name,
  slug,
  config: JSON.stringify(config),
  actions: JSON.stringify(actions),
  owner,
  is_enabled: isEnabled ? (1 as const) : (0 as const),
  is_muted: isMuted ? (1 as const) : (0 as const),
})

async function check(
  tx: Records,
  { orgId, projectId }: WriteGrant,
  operation: string,
  { slug, actions, owner }: Read,
  ownId?: number,
): Promise<void> {
  const taken = await tx
    .selectFrom('cron_monitor')
    .select('id')
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (taken && taken.id !== ownId)
    throw new InvalidInput(operation, { slug: ['another monitor of this project has it'] })
  const [kind, id = ''] = owner.split(':')
  const owners = [
    ...(kind === 'user' ? [{ type: 'person' as const, userId: id }] : []),
    ...(kind === 'team' ? [{ type: 'team' as const, teamId: Number(id) || 0 }] : []),
  ]
  if (owners.length > 0 && (await unknownPlaces(tx, orgId, owners)).length > 0)
    throw new InvalidInput(operation, { owner: ['is nobody of this organization'] })
  const unknown = await unknownPlaces(tx, orgId, actions)
  if (unknown.length > 0) throw new InvalidInput(operation, { actions: unknown })
}

export async function endCronIncidents(
  tx: Records,
  grant: WriteGrant,
  monitorId: number,
  atMs: number,
): Promise<void> {
  await tx
    .updateTable('incident')
    .set({ resolved_ms: atMs, resolved_by: actorOf(grant.viewer) })
    .where('id', 'in', (eb) =>
      eb.selectFrom('cron_environment').select('incident_id').where('monitor_id', '=', monitorId).$castTo<{
        incident_id: number
      }>(),
    )
    .where('resolved_ms', 'is', null)
    .execute()
  await tx
    .updateTable('cron_environment')
    .set({ failing_ms: null, failures: 0, successes: 0 })
    .where('monitor_id', '=', monitorId)
    .execute()
}

export async function cronOf(tx: Records, grant: WriteGrant, operation: string, monitorId: number) {
  const row = await tx
    .selectFrom('cron_monitor')
    .select(['id', 'name', 'config', 'is_enabled'])
    .where('id', '=', monitorId)
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `this project has no monitor ${monitorId}`, {
    operation,
    subject: String(monitorId),
  })
}

export const auditCron = (
  tx: Records,
  grant: WriteGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> =>
  writeAudit(tx, { orgId: grant.orgId, viewer: grant.viewer, action, subject: nameOf(grant), detail, atMs })
