/** What all changes to many issues have in common: those that are named, within a grant, or all that a search finds. */
import type { Grant } from '@sonde/access'
import { inProjects, mergedInto, type Records } from '@sonde/stores'
import { z } from 'zod'

/** Also what `queries.listIssues` finds as candidates at most; SQLite binds 32,766 values. */
export const MAX_ISSUES_AT_ONCE = 5_000

export const issueIdsField = z
  .array(z.int().positive())
  .min(1, 'at least one is needed')
  .max(MAX_ISSUES_AT_ONCE, `at most ${MAX_ISSUES_AT_ONCE} at once`)

/** Ids that somebody said, with an answer to what happens to those that are part of another issue now. */
export type NamedIssues = { readonly ids: readonly number[] }

/** Every change that can be taken back: who names a part means the whole, as by its address. */
export async function followed(tx: Records, ids: readonly number[]): Promise<NamedIssues> {
  const leads = await mergedInto(tx, ids)
  return { ids: [...new Set(ids.map((id) => leads.get(id) ?? id))] }
}

/** What takes a change back: merging is a change since, so what is part of another is left alone. */
export async function stillThere(tx: Records, ids: readonly number[]): Promise<NamedIssues> {
  const leads = await mergedInto(tx, ids)
  return { ids: ids.filter((id) => !leads.has(id)) }
}

/** Those of them that the grant covers, by id; others are left out silently, they may be somebody else's. */
export const grantedIssues = (
  tx: Records,
  grant: Grant<'event:read', 'org' | 'project'>,
  { ids }: NamedIssues,
) =>
  tx
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .where(inProjects(grant))
    .where('issue.id', 'in', ids)
    .orderBy('issue.id')

export type ChangedMatching = {
  readonly count: number
  readonly undo: string | undefined
  readonly isComplete: boolean
}

/** So that a search that always finds others does not run for ever. */
const MAX_STEPS = 40

/** `find` leaves out what `change` has changed already: then each step finds others. */
export async function inSteps<Before>(
  find: () => Promise<readonly number[]>,
  change: (
    ids: readonly number[],
  ) => Promise<{ readonly ids: readonly number[]; readonly before: readonly Before[] }>,
): Promise<{ readonly count: number; readonly before: readonly Before[]; readonly isComplete: boolean }> {
  const before: Before[] = []
  let count = 0
  let isComplete = false
  for (let step = 0; step < MAX_STEPS && !isComplete; step++) {
    const ids = await find()
    isComplete = ids.length < MAX_ISSUES_AT_ONCE
    if (ids.length === 0) break
    const changed = await change(ids)
    before.push(...changed.before)
    count += changed.ids.length
  }
  return { count, before, isComplete }
}
