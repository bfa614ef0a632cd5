/** Client keys: what a DSN carries. */
import { randomBytes } from 'node:crypto'
import type { Grant } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { nameField } from './fields.ts'
import { readInput } from './invalid-input.ts'

const CREATE = z.object({ label: nameField.default('Key') })

export type CreatedKey = { readonly id: number; readonly publicKey: string }

/** Throws `InvalidInput`. */
export async function createKey(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: { readonly label?: string | undefined },
): Promise<CreatedKey> {
  const { label } = readInput('create a key', CREATE, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const key = await insertKey(tx, { projectId: grant.projectId, label, createdMs: atMs })
    const subject = `${grant.orgSlug}/${grant.projectSlug}`
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'key.create',
      subject,
      detail: { keyId: key.id, label },
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
