/** Changes client keys: name, limit, on and off, rotate, delete. */
import { randomBytes } from 'node:crypto'
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  type AuditAction,
  type ProjectKeyTable,
  type Records,
  type Selectable,
  type Updateable,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { nameField, rateLimitColumns, rateLimitField, type RateLimitInput, readInput } from './fields.ts'

/** Client keys: what a DSN carries. */
const CREATE = z.object({ label: nameField.default('Key'), rateLimit: rateLimitField.optional() })

export type CreatedKey = { readonly id: number; readonly publicKey: string }

/** Throws `InvalidInput`. */
export async function createKey(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: { readonly label?: string | undefined; readonly rateLimit?: RateLimitInput | undefined },
): Promise<CreatedKey> {
  const { label, rateLimit } = readInput('create a key', CREATE, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const key = await insertKey(tx, { projectId: grant.projectId, label, createdMs: atMs })
    if (rateLimit)
      await tx.updateTable('project_key').set(rateLimitColumns(rateLimit)).where('id', '=', key.id).execute()
    const subject = `${grant.orgSlug}/${grant.projectSlug}`
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'key.create',
      subject,
      detail: { keyId: key.id, label, ...(rateLimit && { rateLimit }) },
      atMs,
    })
    return key
  })
}

/** 128 random bits: a key cannot be guessed, though it is no secret once a page carries it. */
export async function insertKey(
  tx: Records,
  key: { readonly projectId: number; readonly label: string; readonly createdMs: number },
): Promise<CreatedKey> {
  const publicKey = randomBytes(16).toString('hex')
  const { id } = await tx
    .insertInto('project_key')
    .values({
      project_id: key.projectId,
      public_key: publicKey,
      label: key.label,
      rate_limit_count: null,
      rate_limit_window_sec: null,
      created_ms: key.createdMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, publicKey }
}

const KEY = { keyId: z.int().positive() }
export type KeyInput = { readonly keyId: number }

const UPDATE = z.object({
  ...KEY,
  label: nameField.optional(),
  isActive: z.boolean().optional(),
  rateLimit: rateLimitField.optional(),
})

/** What is left out stays. */
export type UpdateKeyInput = KeyInput & {
  readonly label?: string | undefined
  readonly isActive?: boolean | undefined
  readonly rateLimit?: RateLimitInput | undefined
}

/**
 * Ingest applies it within about a second. Switching a rotated key on again forgets when it was to end. Idempotent. Throws
 * `InvalidInput`, `SondeError` (`not-found`), as all of this file.
 */
export async function updateKey(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: UpdateKeyInput,
): Promise<void> {
  const { keyId, ...given } = readInput('change a key', UPDATE, input)
  const { label, isActive, rateLimit } = given
  await withKey(deps, grant, keyId, async (tx) => {
    const changes: Updateable<ProjectKeyTable> = {
      ...(label !== undefined && { label }),
      ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
      ...(isActive === true && { active_until_ms: null }),
      ...(rateLimit !== undefined && rateLimitColumns(rateLimit)),
    }
    if (Object.keys(changes).length === 0) return undefined
    await tx.updateTable('project_key').set(changes).where('id', '=', keyId).execute()
    return { action: 'key.update', detail: { keyId, ...given } }
  })
}

const MAX_GRACE_HOURS = 90 * 24
const ROTATE = z.object({
  ...KEY,
  graceHours: z
    .number('is a number of hours')
    .min(0, 'is 0 hours or more')
    .max(MAX_GRACE_HOURS, `is at most ${MAX_GRACE_HOURS} hours`)
    .default(0),
})

export type RotatedKey = CreatedKey & {
  /** When the old one stops working; undefined: it stopped now. */
  readonly oldActiveUntilMs: number | undefined
}

/** A new key with the label and limit of the old one, which ends now or after a time in which both work. */
export async function rotateKey(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: KeyInput & { readonly graceHours?: number | undefined },
): Promise<RotatedKey> {
  const { graceHours, keyId } = readInput('rotate a key', ROTATE, input)
  const atMs = deps.clock.nowMs()
  const untilMs = graceHours > 0 ? atMs + Math.round(graceHours * 3_600_000) : undefined
  return withKey(deps, grant, keyId, async (tx, old) => {
    const { label } = old
    const made = await insertKey(tx, { projectId: grant.projectId, label, createdMs: atMs })
    const { rate_limit_count, rate_limit_window_sec } = old
    await tx
      .updateTable('project_key')
      .set({ rate_limit_count, rate_limit_window_sec })
      .where('id', '=', made.id)
      .execute()
    await tx
      .updateTable('project_key')
      .set(untilMs === undefined ? { is_active: 0 } : { active_until_ms: untilMs })
      .where('id', '=', old.id)
      .execute()
    const detail = { oldKeyId: old.id, keyId: made.id, graceHours }
    return { action: 'key.rotate', detail, result: { ...made, oldActiveUntilMs: untilMs } }
  })
}

const DELETE = z.object(KEY)

/** What it let in stays. A page or app that still sends with it is refused like with a key that never was. */
export async function deleteKey(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: KeyInput,
): Promise<void> {
  const { keyId } = readInput('delete a key', DELETE, input)
  await withKey(deps, grant, keyId, async (tx, key) => {
    await tx.deleteFrom('project_key').where('id', '=', key.id).execute()
    return { action: 'key.delete', detail: { keyId: key.id, label: key.label, publicKey: key.public_key } }
  })
}

type Done<Result> = {
  readonly action: AuditAction
  readonly detail: Readonly<Record<string, unknown>>
  readonly result?: Result
}

/** Finds the key within it, and writes the audit in the same transaction. */
async function withKey<Result = undefined>(
  { records, clock }: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  keyId: number,
  change: (tx: Records, key: Selectable<ProjectKeyTable>) => Promise<Done<Result> | undefined>,
): Promise<Result> {
  const { viewer } = grant
  return writeTransaction(records, async (tx) => {
    const key = await tx
      .selectFrom('project_key')
      .selectAll()
      .where('id', '=', keyId)
      .where('project_id', '=', grant.projectId)
      .executeTakeFirst()
    if (!key) {
      throw new SondeError('not-found', `this project has no key ${keyId}`, {
        operation: 'change a key',
        subject: String(keyId),
      })
    }
    const done = await change(tx, key)
    if (done) {
      const { action, detail } = done
      const subject = `${grant.orgSlug}/${grant.projectSlug}`
      await writeAudit(tx, { orgId: grant.orgId, viewer, action, subject, detail, atMs: clock.nowMs() })
    }
    return done?.result as Result
  })
}
