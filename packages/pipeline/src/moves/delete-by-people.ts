/**
 * Issues are hidden for a day (`hideIssues`). Those that are discarded go from the records at once; what lies elsewhere of them
 * follows (`delete-events.ts`).
 */
import { hashesOf, hideIssues, type Records, withMerged } from '@sonde/stores'
import { named, type NamedIssue, visibleIssues } from './merge-by-people.ts'

export type DeleteInput = {
  readonly projectId: number
  readonly issueIds: readonly number[]
  /** Also events with one of their fingerprints that come from now on. */
  readonly discard: boolean
  readonly actor: string
}
export type Deleted = {
  readonly issues: readonly NamedIssue[]
  /** That they counted. */
  readonly events: number
  /** Of the line in `recently_deleted`; undefined: discarded, which nobody takes back. */
  readonly deletedId: number | undefined
}

/** With the issues that were merged into them. Undefined: none of them is there. In the transaction, while nothing moves. */
export async function deleteInTransaction(
  tx: Records,
  { projectId, issueIds, discard, actor }: DeleteInput,
  atMs: number,
): Promise<Deleted | undefined> {
  const issues = await visibleIssues(tx, projectId, issueIds)
  if (issues.length === 0) return undefined
  if (discard)
    for (const issue of issues)
      for (const hash of await hashesOf(tx, issue.id))
        await tx
          .insertInto('discarded_hash')
          .values({
            project_id: projectId,
            hash,
            short_number: issue.short_number,
            title: issue.title,
            actor,
            at_ms: atMs,
            dropped_count: 0,
          })
          .onConflict((on) => on.doNothing())
          .execute()
  const ids = await withMerged(
    tx,
    issues.map(({ id }) => id),
  )
  const done = {
    issues: issues.map(named),
    events: issues.reduce((sum, issue) => sum + issue.event_count, 0),
  }
  if (!discard) {
    const what = { projectId, issueIds: ids, count: issues.length }
    return { ...done, deletedId: await hideIssues(tx, { actor, atMs }, what) }
  }
  await tx.deleteFrom('issue').where('id', 'in', ids).execute()
  await tx
    .insertInto('issue_deletion')
    .values({ project_id: projectId, issues: JSON.stringify(ids), requested_ms: atMs, finished_ms: null })
    .execute()
  return { ...done, deletedId: undefined }
}
