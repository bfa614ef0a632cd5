/**
 * People say that issues are one. All of it happens in one transaction but the rows of events, which follow
 * (`move-events.ts`): fingerprints, counts, times, decisions, subscriptions and links are the other issue's at once.
 */
import { compareReleasesOf, type Figures, type HashGroup, hashesOf, type Records } from '@sonde/stores'
import { giveThings } from './given-things.ts'
import {
  type Decision,
  decisionIn,
  type DecisionBase,
  figuresIn,
  type Issue,
  mergedDecision,
  mergedFigures,
  rebased,
  ruledPriority,
} from './merge-state.ts'

export type MergeInput = {
  readonly projectId: number
  readonly intoId: number
  readonly issueIds: readonly number[]
  readonly actor: string
}
export type NamedIssue = { readonly id: number; readonly shortNumber: number; readonly title: string }
export type Merged = { readonly into: NamedIssue; readonly merged: readonly NamedIssue[] }

/** Issues that are there, neither deleted nor part of another; in the order of their numbers. */
export async function visibleIssues(
  tx: Records,
  projectId: number,
  ids: readonly number[],
): Promise<readonly Issue[]> {
  return tx
    .selectFrom('issue')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .where('event_count', '>', 0)
    .where('id', 'not in', (eb) =>
      eb.selectFrom('issue_merge').select('issue_id').where('issue_merge.project_id', '=', projectId),
    )
    .where('id', 'not in', (eb) => eb.selectFrom('hidden_issue').select('issue_id'))
    .orderBy('short_number')
    .execute()
}

export type FoundEvents = {
  /** By the issue that they lead to. */
  readonly stored: ReadonlyMap<number, number>
  readonly groups: readonly HashGroup[]
  readonly isSettled: boolean
}

/** Undefined: one of them is not there. In the transaction. */
export async function mergeInTransaction(
  tx: Records,
  { projectId, intoId, actor }: MergeInput,
  issues: readonly Issue[],
  { stored, groups, isSettled }: FoundEvents,
  atMs: number,
): Promise<Merged | undefined> {
  const target = issues.find(({ id }) => id === intoId)
  const gone = issues.filter(({ id }) => id !== intoId)
  if (!target || gone.length === 0) return undefined
  await keepBase(tx, target, atMs)
  let into: Issue = target
  const versions = issues.flatMap((issue) => [issue.first_release, issue.last_release])
  const compare = await compareReleasesOf(
    tx,
    projectId,
    versions.filter((version) => version !== ''),
  )
  for (const issue of gone) {
    const given = await giveThings(tx, issue, intoId, atMs)
    const hashes = await hashesOf(tx, issue.id)
    await tx
      .insertInto('issue_merge')
      .values({
        issue_id: issue.id,
        project_id: projectId,
        into_issue_id: intoId,
        actor,
        at_ms: atMs,
        removed_count: Math.max(0, issue.event_count - (stored.get(issue.id) ?? 0)),
        hashes: JSON.stringify(hashes),
        gave: JSON.stringify(given),
      })
      .execute()
    await tx
      .insertInto('issue_redirect')
      .values({
        from_issue_id: issue.id,
        project_id: projectId,
        short_number: issue.short_number,
        into_issue_id: intoId,
        at_ms: atMs,
      })
      .execute()
    await tx.updateTable('issue_hash').set({ issue_id: intoId }).where('issue_id', '=', issue.id).execute()
    await tx.updateTable('issue').set({ event_count: 0 }).where('id', '=', issue.id).execute()
    const merged = {
      ...mergedFigures(figuresIn(into), issue, compare),
      ...mergedDecision(into, issue),
      event_count: into.event_count + issue.event_count,
    }
    const changed = { ...merged, ...ruledPriority(merged) }
    await tx.updateTable('issue').set(changed).where('id', '=', intoId).execute()
    into = { ...into, ...changed }
  }
  await noteDecided(tx, into)
  for (const issue of gone) {
    const rows = groups.filter(({ issueId }) => issueId === issue.id)
    await askToMove(tx, {
      projectId,
      fromId: issue.id,
      intoId,
      hashes: undefined,
      total: rows.reduce((sum, group) => sum + group.rows, 0),
      isSettled,
      atMs,
    })
  }
  return { into: named(into), merged: gone.map(named) }
}

export const named = ({ id, short_number: shortNumber, title }: Issue): NamedIssue => ({
  id,
  shortNumber,
  title,
})

/** What it is without others: before the first of them, and of what somebody decided about the whole since, that. */
async function keepBase(tx: Records, issue: Issue, atMs: number): Promise<void> {
  const now = decisionIn(issue)
  const before = await readBase(tx, issue)
  if (before) {
    await writeBase(tx, issue.id, rebased(before, now, atMs))
    return
  }
  await tx
    .insertInto('issue_merge_base')
    .values({
      issue_id: issue.id,
      figures: JSON.stringify(figuresIn(issue)),
      decision: JSON.stringify(now),
      decided: JSON.stringify(now),
    })
    .execute()
}

async function noteDecided(tx: Records, issue: Issue): Promise<void> {
  const base = await readBase(tx, issue)
  if (base) await writeBase(tx, issue.id, { ...base, decided: decisionIn(issue) })
}

/** Undefined: nothing was merged into it. `figures` undefined: a part of it was split off since. */
export async function readBase(
  tx: Records,
  issue: Issue,
): Promise<(DecisionBase & { readonly figures: Figures | undefined }) | undefined> {
  const row = await tx
    .selectFrom('issue_merge_base')
    .selectAll()
    .where('issue_id', '=', issue.id)
    .executeTakeFirst()
  if (!row) return undefined
  // An earlier version knew of no priority: then that of now is as good as any.
  const { sinceMs = {}, ...own } = JSON.parse(row.decision) as Decision & Partial<DecisionBase>
  return {
    figures: row.figures === '' ? undefined : (JSON.parse(row.figures) as Figures),
    own: { ...decisionIn(issue), ...own },
    sinceMs,
    decided: { ...decisionIn(issue), ...(JSON.parse(row.decided) as Decision) },
  }
}

export async function writeBase(
  tx: Records,
  issueId: number,
  { own, sinceMs, decided }: DecisionBase,
): Promise<void> {
  await tx
    .updateTable('issue_merge_base')
    .set({ decision: JSON.stringify({ ...own, sinceMs }), decided: JSON.stringify(decided) })
    .where('issue_id', '=', issueId)
    .execute()
}

export type MoveAsked = {
  readonly projectId: number
  readonly fromId: number
  readonly intoId: number
  /** Undefined: all of its events are looked at. */
  readonly hashes: readonly string[] | undefined
  readonly total: number
  /** Nothing of the project is on its way: who is may put rows where none were seen. */
  readonly isSettled: boolean
  readonly atMs: number
}

// The engine takes a statement of 256 kB; of more fingerprints all events are looked at.
const MAX_NAMED_HASHES = 2_000

export async function askToMove(
  tx: Records,
  { projectId, fromId, intoId, hashes, total, isSettled, atMs }: MoveAsked,
): Promise<void> {
  if (total === 0 && isSettled) return
  await tx
    .insertInto('issue_move')
    .values({
      project_id: projectId,
      from_issue_id: fromId,
      into_issue_id: intoId,
      hashes: hashes && hashes.length <= MAX_NAMED_HASHES ? JSON.stringify(hashes) : '',
      total_count: total,
      requested_ms: atMs,
      finished_ms: null,
    })
    .execute()
}
