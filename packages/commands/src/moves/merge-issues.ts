/** Merges issues, gives them back and splits them. What happens to their events: docs/decisions/0047-merged-by-people.md. */
import { actorOf, type Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { mergedInto, noteIssueChanges, type Records } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { grantedIssues, stillThere } from '../issues/many-issues.ts'
import { readIds, writeIds } from '../issues/undo-text.ts'
import { doneOr, type Merged, movesOf, type TakenOut } from './issue-moves.ts'

type WriteGrant = Grant<'event:write', 'org' | 'project'>

/** A person chooses from a list; each is some rows of one transaction. */
const MAX_MERGED = 200

const MERGE_INPUT = z.object({
  ids: z
    .array(z.int().positive())
    .min(1, 'at least one is needed')
    .max(MAX_MERGED, `at most ${MAX_MERGED} at once`),
  into: z.int().positive().optional(),
})

export type MergeIssuesInput = {
  readonly ids: readonly number[]
  /** Absent: the one with the most events, of as many the oldest. */
  readonly into?: number | undefined
}
export type MergedIssues = Merged & {
  /** For `undoIssues`. */
  readonly undo: string
}

/**
 * They count as one when it resolves; their events follow. Throws `InvalidInput` for issues of several projects and for less than
 * two, `SondeError` (`not-found`), `UnavailableError`.
 */
export async function mergeIssues(
  deps: CommandDeps,
  grant: WriteGrant,
  input: MergeIssuesInput,
): Promise<MergedIssues> {
  const operation = 'merge issues'
  const { ids, into } = readInput(operation, MERGE_INPUT, input)
  const { projectId, rows, wholeOf } = await issuesOfOneProject(deps, grant, operation, [
    ...ids,
    ...(into === undefined ? [] : [into]),
  ])
  if (rows.length < 2) throw new InvalidInput(operation, { id: ['at least two issues are needed'] })
  const intoId =
    (into === undefined ? undefined : wholeOf(into)) ??
    rows.reduce((a, b) => (b.event_count > a.event_count ? b : a), rows[0] ?? { id: 0, event_count: 0 }).id
  const issueIds = rows.map(({ id }) => id).filter((id) => id !== intoId)
  const actor = actorOf(grant.viewer)
  const end = await movesOf(deps, operation).merge(
    { projectId, intoId, issueIds, actor },
    async (tx, done, atMs) => {
      const detail = { issues: done.merged.map(({ id, shortNumber, title }) => ({ id, shortNumber, title })) }
      await noteIssueChanges(tx, [{ projectId, issueId: done.into.id, kind: 'merged', actor, detail }], atMs)
      await writeAudit(tx, {
        orgId: grant.orgId,
        viewer: grant.viewer,
        action: 'issue.merge',
        subject: nameOf(grant),
        detail: { into: done.into, from: done.merged.slice(0, 100), count: done.merged.length },
        atMs,
      })
    },
  )
  const done = doneOr(operation, end)
  deps.onMoves?.()
  return { ...done, undo: `merged<${done.into.id}:${writeIds(done.merged.map(({ id }) => id))}` }
}

/** Of the text that a merge answered: which issue, and what became part of it. */
export function readMergeUndo(
  text: string,
): { readonly into: number; readonly ids: readonly number[] } | undefined {
  const match = /^merged<(\d{1,15}):([0-9a-z.-]{1,4000})$/.exec(text)
  const ids = match && readIds(match[2] ?? '', MAX_MERGED)
  return match && ids && ids.length > 0 ? { into: Number(match[1]), ids } : undefined
}

/** The last one first. Returns how many are back; what was given back or merged on meanwhile is left alone. */
export async function unmergeIssues(
  deps: CommandDeps,
  grant: WriteGrant,
  { into, ids }: { readonly into: number; readonly ids: readonly number[] },
): Promise<number> {
  let count = 0
  if ((await stillThere(deps.records, [into])).ids.length === 0) return count
  for (const id of ids.toReversed()) {
    const merge = await deps.records
      .selectFrom('issue_merge')
      .select('issue_id')
      .where('issue_id', '=', id)
      .where('into_issue_id', '=', into)
      .executeTakeFirst()
    if (!merge) continue
    await takeOutFingerprints(deps, grant, { issueId: into, backTo: id, hashes: [] })
    count++
  }
  return count
}

const TAKE_OUT_INPUT = z.object({
  issueId: z.int().positive(),
  hashes: z.array(z.string().min(1).max(100)).max(2_000, 'at most 2000 at once'),
  backTo: z.int().positive().optional(),
})

export type TakeOutInput = {
  readonly issueId: number
  /** Of its fingerprints. Empty: all that `backTo` brought. */
  readonly hashes: readonly string[]
  /** An issue that was merged into it, which comes back with its number. Absent: a new issue. */
  readonly backTo?: number | undefined
}

/** Throws `InvalidInput` when nothing would be left, `SondeError` (`not-found`), `UnavailableError`. */
export async function takeOutFingerprints(
  deps: CommandDeps,
  grant: WriteGrant,
  input: TakeOutInput,
): Promise<TakenOut> {
  const operation = 'take fingerprints out of an issue'
  const { issueId, hashes, backTo } = readInput(operation, TAKE_OUT_INPUT, input)
  if (backTo === undefined && hashes.length === 0)
    throw new InvalidInput(operation, { hashes: ['choose at least one fingerprint'] })
  const { projectId, wholeOf } = await issuesOfOneProject(deps, grant, operation, [issueId])
  const actor = actorOf(grant.viewer)
  const end = await movesOf(deps, operation).takeOut(
    { projectId, issueId: wholeOf(issueId), hashes, backTo },
    async (tx, { from, to, hashes: count, events }, atMs) => {
      const isBack = backTo !== undefined
      const changeOf = (issue: number, how: 'to' | 'from', other: typeof to) => ({
        projectId,
        issueId: issue,
        kind: 'unmerged' as const,
        actor,
        detail: { [how]: other, isBack, hashes: count, events },
      })
      await noteIssueChanges(tx, [changeOf(from.id, 'to', to), changeOf(to.id, 'from', from)], atMs)
      await writeAudit(tx, {
        orgId: grant.orgId,
        viewer: grant.viewer,
        action: isBack ? 'issue.unmerge' : 'issue.split',
        subject: nameOf(grant),
        detail: { from, to, hashes: count, events },
        atMs,
      })
    },
  )
  const done = doneOr(operation, end)
  deps.onMoves?.()
  return done
}

/** Those that the grant covers; one that is part of another by now is that. Throws `not-found` for none, `InvalidInput` for several projects. */
async function issuesOfOneProject(
  { records }: { readonly records: Records },
  grant: Grant<'event:read', 'org' | 'project'>,
  operation: string,
  ids: readonly number[],
) {
  const leads = await mergedInto(records, ids)
  const wholeOf = (id: number): number => leads.get(id) ?? id
  const rows = await grantedIssues(records, grant, { ids: ids.map(wholeOf) })
    .select(['issue.id', 'issue.project_id', 'issue.event_count'])
    .where('issue.event_count', '>', 0)
    .execute()
  const [projectId, ...others] = [...new Set(rows.map((row) => row.project_id))]
  if (projectId === undefined) throw new SondeError('not-found', 'no such issue', { operation })
  if (others.length > 0) throw new InvalidInput(operation, { id: ['are issues of several projects'] })
  return { projectId, rows, wholeOf }
}
