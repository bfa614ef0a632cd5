/** Makes, changes, tries and deletes the channels of an organization: where notifications go besides to people. */
import { randomBytes } from 'node:crypto'
import { actorOf, type Grant } from '@sonde/access'
import {
  type ChannelDeps,
  channelOf,
  deliverToChannel,
  type DeliveryResult,
  newSigningSecret,
  RULE_LIMITS,
  testMessage,
} from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type AuditAction, CHANNEL_KINDS, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, nameField, readInput } from '../fields.ts'

type ChannelGrant = Grant<'integration:write', 'org'>

const CREATE = z.object({
  kind: z.enum(CHANNEL_KINDS, { error: `is one of ${CHANNEL_KINDS.join(', ')}` }),
  name: nameField,
  settings: z.record(z.string(), z.unknown()).default({}),
  secret: z.record(z.string(), z.unknown()).default({}),
})

/** `settings` and `secret`: as the kind's file in `packages/alerts/src/channels` says. */
export type CreateChannelInput = z.input<typeof CREATE>

export type CreatedChannel = {
  readonly id: number
  /** Of a webhook that named none: with it the receiver checks signatures. Shown this once. */
  readonly signingSecret: string | undefined
}

/** Throws `InvalidInput`. */
export async function createChannel(
  deps: CommandDeps,
  grant: ChannelGrant,
  input: CreateChannelInput,
): Promise<CreatedChannel> {
  const operation = 'create a channel'
  const { kind, name, ...given } = readInput(operation, CREATE, input)
  const isUnsigned = kind === 'webhook' && given.secret['key'] === undefined
  const signingSecret = isUnsigned ? newSigningSecret(randomBytes(32)) : undefined
  const { settings, secret } = readParts(operation, kind, {
    ...given,
    secret: signingSecret === undefined ? given.secret : { key: signingSecret },
  })
  const sealed = await deps.access.seal.seal(secret)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const { count } = await tx
      .selectFrom('notification_channel')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('org_id', '=', grant.orgId)
      .executeTakeFirstOrThrow()
    if (count >= RULE_LIMITS.channels)
      throw new InvalidInput(operation, {
        name: [`there are at most ${RULE_LIMITS.channels} channels: delete one`],
      })
    const { id } = await tx
      .insertInto('notification_channel')
      .values({
        org_id: grant.orgId,
        kind,
        name,
        settings,
        secret: sealed,
        created_by: actorOf(grant.viewer),
        created_ms: atMs,
        updated_ms: atMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, grant, 'channel.create', { channelId: id, kind, name }, atMs)
    return { id, signingSecret }
  })
}

const ID = { channelId: z.int().positive() }
const UPDATE = z.object({
  ...ID,
  name: nameField.optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  secret: z.record(z.string(), z.unknown()).optional(),
  /** Of a webhook: what was signed with the one before is not taken any more. */
  newSigningSecret: z.boolean().default(false),
})

/**
 * What is left out stays, also of a secret. `signingSecret`: the new one, shown this once. Throws
 * `InvalidInput`, `SondeError` (`not-found`).
 */
export async function updateChannel(
  deps: CommandDeps,
  grant: ChannelGrant,
  input: z.input<typeof UPDATE>,
): Promise<Pick<CreatedChannel, 'signingSecret'>> {
  const operation = 'change a channel'
  const { channelId, name, newSigningSecret: isNew, ...posted } = readInput(operation, UPDATE, input)
  const before = await openChannel(deps.records, grant, operation, channelId)
  const { kind } = before
  const signingSecret = isNew && kind === 'webhook' ? newSigningSecret(randomBytes(32)) : undefined
  const given = { ...posted, ...(signingSecret !== undefined && { secret: { key: signingSecret } }) }
  const { settings, secret } = channelOf(kind)
  const read = {
    ...(name !== undefined && { name }),
    ...(given.settings && { settings: readPart(operation, settings, given.settings) }),
    ...(given.secret && {
      secret: await deps.access.seal.seal(
        readPart(operation, secret, { ...(await storedSecret(deps, before.secret)), ...given.secret }),
      ),
    }),
  }
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await tx
      .updateTable('notification_channel')
      .set({ ...read, updated_ms: atMs, failing_since_ms: null })
      .where('id', '=', channelId)
      .execute()
    const detail = { channelId, kind, name: name ?? before.name, isSecretChanged: given.secret !== undefined }
    await audit(tx, grant, 'channel.update', detail, atMs)
  })
  return { signingSecret }
}

const NAMED = z.object(ID)

/** Rules that name it tell the others; what was waiting for it goes with it. Throws `SondeError` (`not-found`). */
export async function deleteChannel(
  deps: CommandDeps,
  grant: ChannelGrant,
  input: { readonly channelId: number },
): Promise<{ readonly name: string }> {
  const operation = 'delete a channel'
  const { channelId } = readInput(operation, NAMED, input)
  const { kind, name } = await openChannel(deps.records, grant, operation, channelId)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await tx.deleteFrom('notification_channel').where('id', '=', channelId).execute()
    await audit(tx, grant, 'channel.delete', { channelId, kind, name }, atMs)
  })
  return { name }
}

/** Sends a test message now and answers what the other side said. Throws `SondeError` (`not-found`). */
export async function testChannel(
  deps: CommandDeps & { readonly channels: ChannelDeps },
  grant: ChannelGrant,
  input: { readonly channelId: number },
): Promise<DeliveryResult> {
  const operation = 'try a channel'
  const { channelId } = readInput(operation, NAMED, input)
  const channel = await openChannel(deps.records, grant, operation, channelId)
  const nowMs = deps.clock.nowMs()
  const message = testMessage(grant, deps.access.publicUrl, nowMs)
  const result = await deliverToChannel(deps.channels, channel, {
    key: `test:${channelId}:${nowMs}`,
    message,
    nowMs,
  })
  if (result.isDelivered)
    await deps.records
      .updateTable('notification_channel')
      .set({ failing_since_ms: null })
      .where('id', '=', channelId)
      .execute()
  const detail = { channelId, kind: channel.kind, isDelivered: result.isDelivered }
  await audit(deps.records, grant, 'channel.test', detail, nowMs)
  return result
}

async function openChannel(records: Records, grant: ChannelGrant, operation: string, channelId: number) {
  const row = await records
    .selectFrom('notification_channel')
    .select(['id', 'kind', 'name', 'settings', 'secret'])
    .where('id', '=', channelId)
    .where('org_id', '=', grant.orgId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `there is no channel ${channelId}`, {
    operation,
    subject: String(channelId),
  })
}

/** Empty when it cannot be read any more: then all of it has to be entered. */
async function storedSecret({ access }: CommandDeps, sealed: string): Promise<object> {
  try {
    return JSON.parse(await access.seal.open(sealed)) as object
  } catch {
    return {}
  }
}

type Parts = { readonly settings: unknown; readonly secret: unknown }

/** Both as they are stored, the secret before it is sealed. */
function readParts(operation: string, kind: string, given: Parts): { settings: string; secret: string } {
  const { settings, secret } = channelOf(kind)
  return {
    settings: readPart(operation, settings, given.settings),
    secret: readPart(operation, secret, given.secret),
  }
}

const readPart = (operation: string, schema: z.ZodType, given: unknown): string =>
  JSON.stringify(readInput(operation, schema, given))

const audit = (
  tx: Records,
  { orgId, orgSlug, viewer }: ChannelGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> => writeAudit(tx, { orgId, viewer, action, subject: orgSlug, detail, atMs })
