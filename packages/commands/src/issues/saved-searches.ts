/**
 * Searches that are kept under a name: a person's own, or for everybody of an organization. Own ones anybody has who may read
 * issues; shared ones are saved, changed and deleted by whoever may change issues.
 */
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
/** For so long one that was deleted can be had back. */
const RESTORABLE_MS = 60 * 60_000

const name = z.string().trim().min(1, 'is needed').max(128, 'is at most 128 characters')
const query = z.string().trim().max(4_096, 'is too long')
const sort = z.string().regex(/^[a-z]{1,20}$/, 'is the name of an order')

const INPUT = z.object({ name, query, sort: sort.default('date'), isShared: z.boolean().default(false) })

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
  const { isShared, ...fields } = readInput('save a search', INPUT, input)
  if (isShared) requireAlso(grant, 'event:write')
  const { orgId, viewer } = grant
  const userId = isShared ? null : ownerOf(grant)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    await removeForGood(tx, orgId, atMs)
    await refuseTaken(tx, { orgId, userId, name: fields.name })
    const { id } = await tx
      .insertInto('saved_search')
      .values({ org_id: orgId, user_id: userId, ...fields, created_by: actorOf(viewer), created_ms: atMs })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { query: fields.query, isShared }
    await writeAudit(tx, { orgId, viewer, action: 'search.save', subject: fields.name, detail, atMs })
    return { id }
  })
}

const CHANGE = z.object({
  id: z.int().positive(),
  name: name.optional(),
  query: query.optional(),
  sort: sort.optional(),
})

/** What is absent stays. Throws `InvalidInput`, `SondeError` (`not-found`; `forbidden` for a shared one). */
export async function updateSearch(
  deps: CommandDeps,
  grant: ReadGrant,
  input: z.input<typeof CHANGE>,
): Promise<void> {
  const { id, ...change } = readInput('change a saved search', CHANGE, input)
  const { orgId, viewer } = grant
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const found = await changeable(tx, grant, id)
    const next = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    if (Object.keys(next).length === 0) return
    if (change.name !== undefined && change.name !== found.name)
      await refuseTaken(tx, { orgId, userId: found.user_id, name: change.name }, false)
    await tx.updateTable('saved_search').set(next).where('id', '=', id).execute()
    const detail = { ...next, isShared: found.user_id === null }
    await writeAudit(tx, { orgId, viewer, action: 'search.update', subject: found.name, detail, atMs })
  })
}

/** For an hour `restoreSearch` takes it back. Throws `SondeError` (`not-found`; `forbidden` for a shared one). */
export async function deleteSearch(
  deps: CommandDeps,
  grant: ReadGrant,
  { id }: { readonly id: number },
): Promise<void> {
  const { orgId, viewer } = grant
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { name: subject, user_id: userId } = await changeable(tx, grant, id)
    await removeForGood(tx, orgId, atMs)
    await tx.updateTable('saved_search').set({ deleted_ms: atMs }).where('id', '=', id).execute()
    const detail = { isShared: userId === null }
    await writeAudit(tx, { orgId, viewer, action: 'search.delete', subject, detail, atMs })
  })
}

/**
 * One that was deleted: as it was, also for those who began with it or had it on top. Throws `InvalidInput` when the name is
 * taken meanwhile, `SondeError` (`not-found`: it is gone for good; `forbidden`).
 */
export async function restoreSearch(
  deps: CommandDeps,
  grant: ReadGrant,
  { id }: { readonly id: number },
): Promise<void> {
  const { orgId, viewer } = grant
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await removeForGood(tx, orgId, atMs)
    const { name: subject, user_id: userId } = await changeable(tx, grant, id, 'deleted')
    await refuseTaken(tx, { orgId, userId, name: subject })
    await tx.updateTable('saved_search').set({ deleted_ms: null }).where('id', '=', id).execute()
    const detail = { isShared: userId === null }
    await writeAudit(tx, { orgId, viewer, action: 'search.restore', subject, detail, atMs })
  })
}

type Place = { readonly orgId: number; readonly userId: string | null; readonly name: string }

async function refuseTaken(
  tx: Records,
  { orgId, userId, name: wanted }: Place,
  isOneMore = true,
): Promise<void> {
  const known = await tx
    .selectFrom('saved_search')
    .select('name')
    .where('org_id', '=', orgId)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('deleted_ms', 'is', null)
    .execute()
  if (known.some((each) => each.name === wanted))
    throw new InvalidInput('save a search', { name: ['is taken by another saved search'] })
  if (isOneMore && known.length >= MAX_SEARCHES)
    throw new InvalidInput('save a search', {
      name: [`there are ${MAX_SEARCHES} already: delete one first`],
    })
}

/** Whatever was deleted too long ago to be had back. */
async function removeForGood(tx: Records, orgId: number, nowMs: number): Promise<void> {
  await tx
    .deleteFrom('saved_search')
    .where('org_id', '=', orgId)
    .where('deleted_ms', '<=', nowMs - RESTORABLE_MS)
    .execute()
}

/** Those of others are not there; shared ones need `event:write`. */
async function changeable(tx: Records, grant: ReadGrant, id: number, which: 'kept' | 'deleted' = 'kept') {
  const found = await findSearch(tx, grant, id, which)
  if (found.user_id === null) requireAlso(grant, 'event:write')
  return found
}

/** Those of others are not there. */
export async function findSearch(
  tx: Records,
  grant: ReadGrant,
  id: number,
  which: 'kept' | 'deleted' = 'kept',
) {
  const row = await tx
    .selectFrom('saved_search')
    .select(['id', 'name', 'user_id'])
    .where('org_id', '=', grant.orgId)
    .where('id', '=', id)
    .where('deleted_ms', which === 'kept' ? 'is' : 'is not', null)
    .executeTakeFirst()
  const { viewer } = grant
  const userId = viewer.kind === 'operator' ? undefined : viewer.userId
  if (row && (row.user_id === null || row.user_id === userId)) return row
  throw new SondeError('not-found', `no saved search ${id}`, {
    operation: 'find a saved search',
    subject: String(id),
  })
}

/** Throws `InvalidInput` for a program without an owner. */
export function ownerOf({ viewer }: ReadGrant): string {
  const userId = viewer.kind === 'operator' ? undefined : viewer.userId
  if (userId !== undefined) return userId
  throw new InvalidInput('save a search', { visibility: ['own searches belong to people'] })
}
