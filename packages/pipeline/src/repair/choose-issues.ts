/**
 * Which issue each event belongs to now. Ingest's rule (the issue that has any of its hashes, else a new one), with one
 * exception: an issue keeps its id for what its events are now, as long as it stands for no other readable error.
 */
import type { Records } from '@sonde/stores'
import type { IssueFields } from '../digest/digested.ts'
import { createIssue, readHashes } from '../commit/resolve-issues.ts'

export type Regrouped = {
  readonly eventId: string
  /** Where it is. */
  readonly issueId: number
  readonly hashes: readonly string[]
  readonly issue: IssueFields
}

export type ChosenIssues = {
  /** In the order of the events. */
  readonly issueIds: readonly number[]
  readonly created: readonly number[]
  /** The last issue that stands for what its events are now. */
  readonly kept: number | undefined
}

/** In the transaction that notes the plan. `taken`: issues with readable events that are not looked at. */
export async function chooseIssues(
  tx: Records,
  projectId: number,
  events: readonly Regrouped[],
  { kept, taken }: { readonly kept: number | undefined; readonly taken: ReadonlySet<number> },
  nowMs: number,
): Promise<ChosenIssues | 'project_gone'> {
  const project = await tx
    .selectFrom('project')
    .select('issue_counter')
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (!project) return 'project_gone'
  const known = await readHashes(tx, projectId, events)
  const standing = new Set(taken)
  if (kept !== undefined) standing.add(kept)
  let lastKept = kept
  let counter = project.issue_counter
  const created: number[] = []
  const issueIds: number[] = []
  for (const event of events) {
    let issueId = event.hashes.map((hash) => known.get(hash)).find((id) => id !== undefined)
    if (issueId === undefined && !standing.has(event.issueId) && (await exists(tx, event.issueId)))
      issueId = event.issueId
    if (issueId === undefined) {
      issueId = await createIssue(tx, { projectId, ...event }, ++counter, nowMs)
      await inheritDecision(tx, event.issueId, issueId)
      created.push(issueId)
    }
    if (issueId === event.issueId) {
      standing.add(issueId)
      lastKept = issueId
    }
    issueIds.push(issueId)
    for (const hash of event.hashes) {
      if (known.has(hash)) continue
      await tx.insertInto('issue_hash').values({ project_id: projectId, hash, issue_id: issueId }).execute()
      known.set(hash, issueId)
    }
  }
  if (counter !== project.issue_counter)
    await tx.updateTable('project').set({ issue_counter: counter }).where('id', '=', projectId).execute()
  return { issueIds, created, kept: lastKept }
}

async function exists(tx: Records, id: number): Promise<boolean> {
  return (await tx.selectFrom('issue').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** What was decided about the lump holds for its parts: nobody is told anew of what was put aside. */
async function inheritDecision(tx: Records, from: number, to: number): Promise<void> {
  const row = await tx
    .selectFrom('issue')
    .select(['status', 'substatus', 'resolved_in', 'resolved_release', 'regressed_release'])
    .where('id', '=', from)
    .executeTakeFirst()
  if (row) await tx.updateTable('issue').set(row).where('id', '=', to).execute()
}
