/** What people note about issues beside their state: reviewed, a bookmark, wanting to hear of them, seen. */
import type { Grant } from '@sonde/access'
import { type Records, subscribe, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { followed, grantedIssues, issueIdsField } from './many-issues.ts'

type MarkGrant = Grant<'event:read', 'org' | 'project'>

/** What is absent stays as it is. */
export type Marks = {
  /** For everybody: somebody has looked at it, so it leaves the inbox. */
  readonly isReviewed?: true | undefined
  /** One's own; a bookmark subscribes. */
  readonly isBookmarked?: boolean | undefined
  readonly isSubscribed?: boolean | undefined
  /** That one has looked at it, now. Others who see the issue are told of it. */
  readonly hasSeen?: boolean | undefined
}

/** Looking again within this time is the same look: a page that is reloaded writes nothing. */
const SAME_VIEW_MS = 5 * 60_000

const INPUT = z.object({ ids: issueIdsField })

/**
 * Returns the ids that exist within the grant (`followed`). Whoever may read issues may have marks of their own; reviewing changes the
 * inbox of everybody, and callers ask for `event:write`. Throws `InvalidInput` for own marks of nobody: a program without an owner.
 */
export async function markIssues(
  deps: CommandDeps,
  grant: MarkGrant,
  { ids: given, ...marks }: Marks & { readonly ids: readonly number[] },
): Promise<{ readonly ids: readonly number[]; readonly before: readonly never[] }> {
  const { ids } = readInput('mark issues', INPUT, { ids: given })
  const { viewer } = grant
  const userId = viewer.kind === 'operator' ? undefined : viewer.userId
  const { isReviewed, isBookmarked, isSubscribed, hasSeen } = marks
  const isOwn = [isBookmarked, isSubscribed, hasSeen].some((mark) => mark !== undefined)
  if (isOwn && userId === undefined)
    throw new InvalidInput('mark issues', { detail: ['bookmarks and subscriptions belong to people'] })
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const rows = await grantedIssues(tx, grant, await followed(tx, ids))
      .select('issue.id')
      .execute()
    const known = rows.map(({ id }) => id)
    const done = async (
      action: 'issue.review' | 'issue.bookmark' | 'issue.subscribe',
      changed: readonly number[],
      detail: Readonly<Record<string, unknown>> = {},
    ): Promise<void> => {
      if (changed.length === 0) return
      const audited = { count: changed.length, ...detail, ids: changed.slice(0, 100) }
      const subject = nameOf(grant)
      await writeAudit(tx, { orgId: grant.orgId, viewer, action, subject, detail: audited, atMs })
    }
    if (known.length === 0) return { ids: known, before: [] }
    if (isReviewed) await done('issue.review', await review(tx, known))
    if (userId === undefined) return { ids: known, before: [] }
    if (isBookmarked !== undefined) {
      const changed = await setMark(tx, 'issue_bookmark', known, userId, isBookmarked, atMs)
      if (isBookmarked) await subscribe(tx, { issueIds: known, userIds: [userId] }, 'bookmark', atMs)
      await done('issue.bookmark', changed, { isBookmarked })
    }
    if (isSubscribed !== undefined) {
      await setSubscribed(tx, known, userId, isSubscribed, atMs)
      await done('issue.subscribe', known, { isSubscribed })
    }
    if (hasSeen !== undefined) await setMark(tx, 'issue_view', known, userId, hasSeen, atMs)
    return { ids: known, before: [] }
  })
}

async function review(tx: Records, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await tx
    .updateTable('issue')
    .set({ review_reason: '' })
    .where('id', 'in', ids)
    .where('review_reason', '<>', '')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

// Three parameters for each row; SQLite takes 32,766 in one statement.
const ROWS_AT_ONCE = 5_000

async function setMark(
  tx: Records,
  table: 'issue_bookmark' | 'issue_view',
  ids: readonly number[],
  userId: string,
  isSet: boolean,
  atMs: number,
): Promise<readonly number[]> {
  if (!isSet) {
    const gone = await tx
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where('issue_id', 'in', ids)
      .returning('issue_id')
      .execute()
    return gone.map(({ issue_id: id }) => id)
  }
  const made: number[] = []
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const rows = ids
      .slice(at, at + ROWS_AT_ONCE)
      .map((issue_id) => ({ issue_id, user_id: userId, at_ms: atMs }))
    const added = await tx
      .insertInto(table)
      .values(rows)
      .onConflict((conflict) => {
        const same = conflict.columns(['issue_id', 'user_id'])
        return table === 'issue_bookmark'
          ? same.doNothing()
          : same.doUpdateSet({ at_ms: atMs }).where('issue_view.at_ms', '<', atMs - SAME_VIEW_MS)
      })
      .returning('issue_id')
      .execute()
    made.push(...added.map(({ issue_id: id }) => id))
  }
  return made
}

/** By the button, so also against what was before. */
async function setSubscribed(
  tx: Records,
  ids: readonly number[],
  userId: string,
  isSubscribed: boolean,
  atMs: number,
): Promise<void> {
  // Whoever unsubscribes has a row that says so: a comment does not subscribe them again.
  await subscribe(tx, { issueIds: ids, userIds: [userId] }, 'unknown', atMs)
  await tx
    .updateTable('issue_subscription')
    .set({ is_active: isSubscribed ? 1 : 0 })
    .where('user_id', '=', userId)
    .where('issue_id', 'in', ids)
    .execute()
}
