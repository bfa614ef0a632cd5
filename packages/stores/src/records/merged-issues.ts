/**
 * Issues that became part of another. Whoever names one, by its id or number, means the one that it is part of now: so do its
 * address, every command and a commit that fixes it. What nobody can take back (deleting), and what takes something back, does not follow.
 */
import type { Records } from './schema.ts'

// SQLite takes 32,766 parameters in one statement.
const IDS_AT_ONCE = 5_000

/** Id → the issue that it is part of now. Those that are nobody's part are left out. One read for each step of the longest way. */
export async function mergedInto(
  records: Records,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const next = new Map<number, number>()
  for (let open = [...new Set(ids)]; open.length > 0;) {
    const found: number[] = []
    for (let at = 0; at < open.length; at += IDS_AT_ONCE) {
      const rows = await records
        .selectFrom('issue_redirect')
        .select(['from_issue_id', 'into_issue_id'])
        .where('from_issue_id', 'in', open.slice(at, at + IDS_AT_ONCE))
        .execute()
      for (const { from_issue_id: from, into_issue_id: into } of rows) {
        next.set(from, into)
        found.push(into)
      }
    }
    open = [...new Set(found)].filter((id) => !next.has(id))
  }
  const leads = new Map<number, number>()
  for (const id of ids)
    for (let into = next.get(id); into !== undefined; into = next.get(into)) leads.set(id, into)
  return leads
}

/** These and all issues that people merged into them, which have their rows still, and into those. */
export async function withMerged(records: Records, ids: readonly number[]): Promise<readonly number[]> {
  const all = new Set(ids)
  for (let level = [...all]; level.length > 0;) {
    const rows = await records
      .selectFrom('issue_merge')
      .select('issue_id')
      .where('into_issue_id', 'in', level)
      .execute()
    level = rows.map((row) => row.issue_id).filter((id) => !all.has(id))
    for (const id of level) all.add(id)
  }
  return [...all]
}
