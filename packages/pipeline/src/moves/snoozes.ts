/** Until when an issue is ignored, where events come or go with another issue. `wakeIssues` of the alerts ends them. */
import type { Records } from '@sonde/stores'

/** A snooze waits for so many more events than there were: those that come or go with another issue are none of them. */
export async function shiftSnooze(tx: Records, issueId: number, by: number): Promise<void> {
  const snooze = await readSnooze(tx, issueId)
  if (!snooze) return
  await tx
    .updateTable('issue_snooze')
    .set({
      base_count: Math.max(0, snooze.base_count + by),
      looked_count: Math.max(0, snooze.looked_count + by),
    })
    .where('issue_id', '=', issueId)
    .execute()
}

/** A part that is split off waits for as much as the whole did, counted from now. */
export async function copySnooze(
  tx: Records,
  fromId: number,
  toId: number,
  count: number,
  atMs: number,
): Promise<void> {
  const snooze = await readSnooze(tx, fromId)
  if (!snooze) return
  const anew = { issue_id: toId, base_count: count, looked_count: count, started_ms: atMs }
  await tx
    .insertInto('issue_snooze')
    .values({ ...snooze, ...anew })
    .execute()
}

export const readSnooze = (tx: Records, issueId: number) =>
  tx.selectFrom('issue_snooze').selectAll().where('issue_id', '=', issueId).executeTakeFirst()
