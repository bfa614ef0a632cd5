/** What a person chooses of the saved searches that they see: with which their lists begin, and which stand on top. */
import type { Grant } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { findSearch, ownerOf } from './saved-searches.ts'

type ReadGrant = Grant<'event:read', 'org'>

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

export type PinChange = 'pin' | 'unpin' | 'up' | 'down'

/**
 * One's own order, which changes nothing for others and is not audited. A search that is pinned comes last; one that stands
 * first or last already stays. Idempotent but for `up` and `down`. Throws `SondeError` (`not-found`).
 */
export async function pinSearch(
  deps: Pick<CommandDeps, 'records'>,
  grant: ReadGrant,
  { id, change }: { readonly id: number; readonly change: PinChange },
): Promise<void> {
  const userId = ownerOf(grant)
  await writeTransaction(deps.records, async (tx) => {
    await findSearch(tx, grant, id)
    const before = await pinned(tx, grant.orgId, userId)
    const after = reordered(before, id, change)
    if (after.join() === before.join()) return
    await tx
      .deleteFrom('pinned_search')
      .where('org_id', '=', grant.orgId)
      .where('user_id', '=', userId)
      .execute()
    if (after.length === 0) return
    await tx
      .insertInto('pinned_search')
      .values(
        after.map((saved_search_id, position) => ({
          org_id: grant.orgId,
          user_id: userId,
          saved_search_id,
          position,
        })),
      )
      .execute()
  })
}

/** At most as many as there are searches: those of a person and an organization. */
async function pinned(tx: Records, orgId: number, userId: string): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('pinned_search')
    .select('saved_search_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .orderBy('position')
    .execute()
  return rows.map(({ saved_search_id: id }) => id)
}

function reordered(ids: readonly number[], id: number, change: PinChange): readonly number[] {
  const at = ids.indexOf(id)
  if (change === 'unpin') return ids.filter((each) => each !== id)
  if (change === 'pin') return at < 0 ? [...ids, id] : ids
  const to = change === 'up' ? at - 1 : at + 1
  const other = ids[to]
  if (at < 0 || other === undefined) return ids
  return ids.with(at, other).with(to, id)
}
