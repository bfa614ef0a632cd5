/** Searches that are kept under a name: a person's own, or for everybody of an organization. */
import { actorOf, type Grant, requireAlso } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'

type ReadGrant = Grant<'event:read', 'org'>

/** Own ones of a person, and those of an organization. */
const MAX_SEARCHES = 100

const INPUT = z.object({
  name: z.string().trim().min(1, 'is needed').max(128, 'is at most 128 characters'),
  query: z.string().trim().max(4_096, 'is too long'),
  sort: z
    .string()
    .regex(/^[a-z]{1,20}$/, 'is the name of an order')
    .default('date'),
  isShared: z.boolean().default(false),
})

export type SaveSearchInput = {
  readonly name: string
  /** Callers have read it: `parseSearch`. */
  readonly query: string
  readonly sort?: string | undefined
  /** For everybody of the organization: whoever saves or deletes it may change issues. */
  readonly isShared?: boolean | undefined
}

/** Throws `InvalidInput`, `SondeError` (`forbidden`). */
export async function saveSearch(
  deps: CommandDeps,
  grant: ReadGrant,
  input: SaveSearchInput,
): Promise<{ readonly id: number }> {
  const { name, query, sort, isShared } = readInput('save a search', INPUT, input)
  if (isShared) requireAlso(grant, 'event:write')
  const { orgId, viewer } = grant
  const userId = isShared ? null : ownerOf(grant)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const own = await tx
      .selectFrom('saved_search')
      .select(['id', 'name'])
      .where('org_id', '=', orgId)
      .where('user_id', userId === null ? 'is' : '=', userId)
      .execute()
    if (own.some((known) => known.name === name))
      throw new InvalidInput('save a search', { name: ['is taken by another saved search'] })
    if (own.length >= MAX_SEARCHES)
      throw new InvalidInput('save a search', {
        name: [`there are ${MAX_SEARCHES} already: delete one first`],
      })
    const { id } = await tx
      .insertInto('saved_search')
      .values({
        org_id: orgId,
        user_id: userId,
        name,
        query,
        sort,
        created_by: actorOf(viewer),
        created_ms: atMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, {
      orgId,
      viewer,
      action: 'search.save',
      subject: name,
      detail: { query, isShared },
      atMs,
    })
    return { id }
  })
}

/** Throws `SondeError` (`not-found`; `forbidden` for a shared one). */
export async function deleteSearch(
  deps: CommandDeps,
  grant: ReadGrant,
  { id }: { readonly id: number },
): Promise<void> {
  const { orgId, viewer } = grant
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const found = await findSearch(tx, grant, id)
    if (found.user_id === null) requireAlso(grant, 'event:write')
    await tx.deleteFrom('saved_search').where('id', '=', id).execute()
    await writeAudit(tx, { orgId, viewer, action: 'search.delete', subject: found.name, atMs })
  })
}

/** With what the lists of the organization begin for whoever asks. Undefined: with what is unresolved. */
export async function setDefaultSearch(
  deps: CommandDeps,
  grant: ReadGrant,
  { id }: { readonly id: number | undefined },
): Promise<void> {
  const { orgId, viewer } = grant
  const userId = ownerOf(grant)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const found = id === undefined ? undefined : await findSearch(tx, grant, id)
    await tx.deleteFrom('default_search').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
    if (found)
      await tx
        .insertInto('default_search')
        .values({ org_id: orgId, user_id: userId, saved_search_id: found.id })
        .execute()
    await writeAudit(tx, { orgId, viewer, action: 'search.default', subject: found?.name ?? '', atMs })
  })
}

/** Those of others are not there. */
async function findSearch(tx: Records, grant: ReadGrant, id: number) {
  const row = await tx
    .selectFrom('saved_search')
    .select(['id', 'name', 'user_id'])
    .where('org_id', '=', grant.orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  const { viewer } = grant
  const userId = viewer.kind === 'operator' ? undefined : viewer.userId
  if (row && (row.user_id === null || row.user_id === userId)) return row
  throw new SondeError('not-found', `no saved search ${id}`, {
    operation: 'find a saved search',
    subject: String(id),
  })
}

function ownerOf({ viewer }: ReadGrant): string {
  const userId = viewer.kind === 'operator' ? undefined : viewer.userId
  if (userId !== undefined) return userId
  throw new InvalidInput('save a search', { visibility: ['own searches belong to people'] })
}
