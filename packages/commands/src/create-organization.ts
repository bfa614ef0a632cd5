/** Makes an organization. */
import type { Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { InvalidInput, nameField, orgSlugField, readInput } from './fields.ts'

const INPUT = z.object({ slug: orgSlugField, name: nameField.optional() })

export type CreateOrganizationInput = { readonly slug: string; readonly name?: string | undefined }
export type CreatedOrganization = { readonly id: number; readonly slug: string; readonly isNew: boolean }

/**
 * Idempotent: an organization of that slug is returned as it is. For the command line alone, for now. Operators own the
 * new one, so that what the command line makes is seen on the screen; owners of another organization get nothing by it.
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
  return writeTransaction(records, async (tx) => {
    const created = await tx
      .insertInto('organization')
      .values({ slug, name: name ?? slug, created_ms: atMs })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) {
      const known = await tx
        .selectFrom('organization')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirst()
      if (known) return { id: known.id, slug, isNew: false }
      throw new InvalidInput(operation, {
        slug: ['is of an organization that was deleted and can still be restored'],
      })
    }
    await writeAudit(tx, {
      orgId: created.id,
      viewer,
      action: 'organization.create',
      subject: slug,
      atMs,
    })
    await addOperators(tx, viewer, created.id, atMs)
    return { id: created.id, slug, isNew: true }
  })
}

async function addOperators(tx: Records, viewer: Viewer, orgId: number, atMs: number): Promise<void> {
  const operators = await tx
    .selectFrom('user')
    .select('id')
    .where('isOperator', '=', 1)
    .orderBy('id')
    .execute()
  for (const { id } of operators) {
    await tx
      .insertInto('member')
      .values({ org_id: orgId, user_id: id, role: 'owner', created_ms: atMs })
      .execute()
    const detail = { role: 'owner' }
    await writeAudit(tx, { orgId, viewer, action: 'member.set', subject: id, detail, atMs })
  }
}
