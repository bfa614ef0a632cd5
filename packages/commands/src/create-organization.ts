/** Makes an organisation. */
import type { Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { nameField, orgSlugField } from './fields.ts'
import { readInput } from './invalid-input.ts'

const INPUT = z.object({ slug: orgSlugField, name: nameField.optional() })

export type CreateOrganizationInput = { readonly slug: string; readonly name?: string | undefined }
export type CreatedOrganization = { readonly id: number; readonly slug: string; readonly isNew: boolean }

/**
 * Idempotent: an organisation of that slug is returned as it is. For the operator alone, for now. Whoever owns another
 * organisation of this installation owns the new one too, so that what the command line makes is seen on the screen.
 * Throws `InvalidInput`, `SondeError` (`forbidden`).
 */
export async function createOrganization(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  viewer: Viewer,
  input: CreateOrganizationInput,
): Promise<CreatedOrganization> {
  const operation = 'create an organization'
  if (viewer.kind !== 'operator') {
    throw new SondeError('forbidden', 'organizations are made on the command line', {
      operation,
      hint: 'Run: sonde project create {organization}/{project}',
    })
  }
  const { slug, name } = readInput(operation, INPUT, input)
  const atMs = clock.nowMs()
  return records.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('organization')
      .values({ slug, name: name ?? slug, created_ms: atMs })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) {
      const { id } = await tx
        .selectFrom('organization')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
      return { id, slug, isNew: false }
    }
    await addOwners(tx, created.id, atMs)
    await writeAudit(tx, {
      orgId: created.id,
      viewer,
      action: 'organization.create',
      subject: slug,
      atMs,
    })
    return { id: created.id, slug, isNew: true }
  })
}

async function addOwners(tx: Records, orgId: number, atMs: number): Promise<void> {
  const owners = await tx
    .selectFrom('member')
    .select('user_id')
    .distinct()
    .where('role', '=', 'owner')
    .execute()
  if (owners.length === 0) return
  await tx
    .insertInto('member')
    .values(
      owners.map((owner) => ({ org_id: orgId, user_id: owner.user_id, role: 'owner', created_ms: atMs })),
    )
    .execute()
}
