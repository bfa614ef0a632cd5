/** Makes, changes, publishes and deletes the status page of an organization. */
import { actorOf, type Grant } from '@sonde/access'
import { STATUS_LIMITS } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type AuditAction, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, neededTextField, readInput, slugField, textField } from '../fields.ts'

export type StatusGrant = Grant<'org:write', 'org'>

const PAGE = z.object({
  slug: slugField,
  title: neededTextField(STATUS_LIMITS.titleChars),
  description: textField(STATUS_LIMITS.descriptionChars).default(''),
})
export type StatusPageInput = z.input<typeof PAGE>

/** Nobody sees it before it is published. Throws `InvalidInput`, `SondeError` (`conflict`: there is one). */
export async function createStatusPage(
  deps: CommandDeps,
  grant: StatusGrant,
  input: StatusPageInput,
): Promise<void> {
  const operation = 'create the status page'
  const read = readInput(operation, PAGE, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const own = await tx
      .selectFrom('status_page')
      .select('id')
      .where('org_id', '=', grant.orgId)
      .executeTakeFirst()
    if (own)
      throw new SondeError('conflict', 'the organization has a status page', {
        operation,
        subject: grant.orgSlug,
      })
    await refuseTaken(tx, operation, read.slug)
    await tx
      .insertInto('status_page')
      .values({
        org_id: grant.orgId,
        ...read,
        is_published: 0,
        created_by: actorOf(grant.viewer),
        created_ms: atMs,
        updated_ms: atMs,
      })
      .execute()
    await auditStatus(tx, grant, 'status.create', { slug: read.slug }, atMs)
  })
}

/** With another slug, links and feeds of before lead nowhere. Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function updateStatusPage(
  deps: CommandDeps,
  grant: StatusGrant,
  input: StatusPageInput,
): Promise<void> {
  const operation = 'change the status page'
  const read = readInput(operation, PAGE, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { id, slug } = await pageOf(tx, grant, operation)
    if (slug !== read.slug) await refuseTaken(tx, operation, read.slug)
    await tx
      .updateTable('status_page')
      .set({ ...read, updated_ms: atMs })
      .where('id', '=', id)
      .execute()
    await auditStatus(tx, grant, 'status.update', { before: slug, slug: read.slug }, atMs)
  })
}

/**
 * Not published, it answers as if there were none, its monitors open no incidents, and mail that waits is not sent. Idempotent.
 * Throws `SondeError` (`not-found`).
 */
export async function publishStatusPage(
  deps: CommandDeps,
  grant: StatusGrant,
  isPublished: boolean,
): Promise<void> {
  const operation = isPublished ? 'publish the status page' : 'unpublish the status page'
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { id, slug } = await pageOf(tx, grant, operation)
    const { numUpdatedRows } = await tx
      .updateTable('status_page')
      .set({ is_published: isPublished ? 1 : 0, updated_ms: atMs })
      .where('id', '=', id)
      .where('is_published', '=', isPublished ? 0 : 1)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) return
    await auditStatus(tx, grant, isPublished ? 'status.publish' : 'status.unpublish', { slug }, atMs)
  })
}

/** With its incidents and the addresses of its subscribers. Throws `SondeError` (`not-found`). */
export async function deleteStatusPage(deps: CommandDeps, grant: StatusGrant): Promise<void> {
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { id, slug } = await pageOf(tx, grant, 'delete the status page')
    await tx.deleteFrom('status_page').where('id', '=', id).execute()
    await auditStatus(tx, grant, 'status.delete', { slug }, atMs)
  })
}

/** Pages of other organizations too: it is one address for all. */
async function refuseTaken(tx: Records, operation: string, slug: string): Promise<void> {
  const taken = await tx.selectFrom('status_page').select('id').where('slug', '=', slug).executeTakeFirst()
  if (taken) throw new InvalidInput(operation, { slug: ['is taken'] })
}

export async function pageOf(tx: Records, grant: StatusGrant, operation: string) {
  const row = await tx
    .selectFrom('status_page')
    .select(['id', 'slug', 'is_published'])
    .where('org_id', '=', grant.orgId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', 'the organization has no status page', {
    operation,
    subject: grant.orgSlug,
  })
}

export const auditStatus = (
  tx: Records,
  grant: StatusGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> =>
  writeAudit(tx, { orgId: grant.orgId, viewer: grant.viewer, action, subject: nameOf(grant), detail, atMs })
