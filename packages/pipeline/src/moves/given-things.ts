/**
 * What belongs to an issue and is not in its row: the one that it is merged into gets it, and gives it back. Comments and activity stay
 * with each issue (`issueActivity` shows both); so do a public link and who has seen it.
 */
import type { Records } from '@sonde/stores'
import { moveCommits, moveTrackerLinks } from '../reprocess/merge-issues.ts'
import type { Issue } from './merge-state.ts'
import { readSnooze, shiftSnooze } from './snoozes.ts'

/** As it is kept until the issue is given back. */
export type GivenThings = {
  readonly subscribers: readonly string[]
  readonly bookmarks: readonly string[]
  readonly commits: readonly number[]
  readonly trackerLinks: readonly number[]
  /** That it counted: by so much the count of the other grew without an event. */
  readonly events: number
}

/** Of a merge that an earlier version did, some are not known. */
export const readGiven = (text: string): GivenThings => ({
  subscribers: [],
  bookmarks: [],
  commits: [],
  trackerLinks: [],
  events: 0,
  ...(JSON.parse(text) as Partial<GivenThings>),
})

export async function giveThings(
  tx: Records,
  { id, event_count: events }: Issue,
  intoId: number,
  atMs: number,
): Promise<GivenThings> {
  const seen = await tx.selectFrom('issue_seen').select(['kind', 'name']).where('issue_id', '=', id).execute()
  for (const { kind, name } of seen)
    await tx
      .insertInto('issue_seen')
      .values({ issue_id: intoId, kind, name })
      .onConflict((on) => on.doNothing())
      .execute()
  await shiftSnooze(tx, intoId, events)
  return {
    subscribers: await giveSubscriptions(tx, id, intoId, atMs),
    bookmarks: await giveBookmarks(tx, id, intoId, atMs),
    commits: await moveCommits(tx, id, intoId),
    trackerLinks: await moveTrackerLinks(tx, id, intoId),
    events,
  }
}

/** Who unsubscribed from the other is left in peace. */
async function giveSubscriptions(
  tx: Records,
  issueId: number,
  intoId: number,
  atMs: number,
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('issue_subscription')
    .select(['user_id', 'reason'])
    .where('issue_id', '=', issueId)
    .where('is_active', '=', 1)
    .where('user_id', 'not in', (eb) =>
      eb
        .selectFrom('issue_subscription as other')
        .select('other.user_id')
        .where('other.issue_id', '=', intoId),
    )
    .execute()
  for (const { user_id, reason } of rows)
    await tx
      .insertInto('issue_subscription')
      .values({ issue_id: intoId, user_id, is_active: 1, reason, created_ms: atMs })
      .execute()
  return rows.map(({ user_id }) => user_id)
}

async function giveBookmarks(
  tx: Records,
  issueId: number,
  intoId: number,
  atMs: number,
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('issue_bookmark')
    .select('user_id')
    .where('issue_id', '=', issueId)
    .where('user_id', 'not in', (eb) =>
      eb.selectFrom('issue_bookmark as other').select('other.user_id').where('other.issue_id', '=', intoId),
    )
    .execute()
  for (const { user_id } of rows)
    await tx.insertInto('issue_bookmark').values({ issue_id: intoId, user_id, at_ms: atMs }).execute()
  return rows.map(({ user_id }) => user_id)
}

type Member = { readonly row: Issue; readonly atMs: number; readonly gave: GivenThings }

/** `events`: that leave the other. What somebody subscribed or marked anew since the merge stays. */
export async function takeThingsBack(
  tx: Records,
  fromId: number,
  { row: { id: backId }, atMs, gave }: Member,
  events: number,
): Promise<void> {
  const { subscribers, bookmarks, commits, trackerLinks } = gave
  if (subscribers.length > 0)
    await tx
      .deleteFrom('issue_subscription')
      .where('issue_id', '=', fromId)
      .where('user_id', 'in', subscribers)
      .where('created_ms', '=', atMs)
      .execute()
  if (bookmarks.length > 0)
    await tx
      .deleteFrom('issue_bookmark')
      .where('issue_id', '=', fromId)
      .where('user_id', 'in', bookmarks)
      .where('at_ms', '=', atMs)
      .execute()
  if (commits.length > 0)
    await tx
      .updateTable('issue_commit')
      .set({ issue_id: backId })
      .where('issue_id', '=', fromId)
      .where('commit_id', 'in', commits)
      .execute()
  if (trackerLinks.length > 0)
    await tx
      .updateTable('tracker_link')
      .set({ issue_id: backId })
      .where('issue_id', '=', fromId)
      .where('id', 'in', trackerLinks)
      .execute()
  // Of what somebody ignored after the merge, those of the merge are counted as before already.
  const snooze = await readSnooze(tx, fromId)
  if (snooze) await shiftSnooze(tx, fromId, -(snooze.started_ms > atMs ? events : gave.events))
}
