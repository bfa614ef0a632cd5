/** Client keys: what a DSN carries. */
import { randomBytes } from 'node:crypto'
import type { Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { nameField, refField } from './fields.ts'
import { readInput } from './invalid-input.ts'

const CREATE = z.object({ org: refField, project: refField, label: nameField.default('Key') })

export type ProjectInput = { readonly org: string | number; readonly project: string | number }
export type CreatedKey = { readonly id: number; readonly publicKey: string }

/** Permission `project:write`. Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`). */
export async function createKey(
  deps: CommandDeps,
  viewer: Viewer,
  input: ProjectInput & { readonly label?: string | undefined },
): Promise<CreatedKey> {
  const { org, project, label } = readInput('create a key', CREATE, input)
  const scope = await deps.access.openProject(viewer, org, project, 'project:write')
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const key = await insertKey(tx, { projectId: scope.projectId, label, createdMs: atMs })
    const subject = `${scope.orgSlug}/${scope.projectSlug}`
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: 'key.create',
      subject,
      detail: { keyId: key.id, label },
      atMs,
    })
    return key
  })
}

const SET_ACTIVE = z.object({
  org: refField,
  project: refField,
  keyId: z.int().positive(),
  isActive: z.boolean(),
})

/**
 * A disabled key is refused at the door within about a second. Idempotent. Permission `project:write`.
 * Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`).
 */
export async function setKeyActive(
  deps: CommandDeps,
  viewer: Viewer,
  input: ProjectInput & { readonly keyId: number; readonly isActive: boolean },
): Promise<void> {
  const { org, project, keyId, isActive } = readInput('change a key', SET_ACTIVE, input)
  const scope = await deps.access.openProject(viewer, org, project, 'project:write')
  await writeTransaction(deps.records, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('project_key')
      .set({ is_active: isActive ? 1 : 0 })
      .where('id', '=', keyId)
      .where('project_id', '=', scope.projectId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      throw new SondeError('not-found', `this project has no key ${keyId}`, {
        operation: 'change a key',
        subject: String(keyId),
      })
    }
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: isActive ? 'key.enable' : 'key.disable',
      subject: `${scope.orgSlug}/${scope.projectSlug}`,
      detail: { keyId },
      atMs: deps.clock.nowMs(),
    })
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
