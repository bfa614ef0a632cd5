/** Resolves, ignores and reopens issues: those that are named, or all that match. */
import { actorOf, type Grant } from '@sonde/access'
import {
  type AuditAction,
  type IssueChange,
  type IssueChangeKind,
  ISSUE_STATUSES,
  type IssueStatus,
  noteIssueChanges,
  subscribe,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import {
  type Resolution,
  resolutionField,
  RESOLVED_AT_ONCE,
  resolvedInProject,
} from '../releases/resolution.ts'
import { type Archive, archiveField, isUntilEscalatingAlone, snooze, substatusOf } from './archive.ts'
import { type ChangedMatching, followed, grantedIssues, inSteps, issueIdsField } from './many-issues.ts'
import { writeUndo } from './undo-text.ts'

/** What an open issue may be said to be: each of them an issue may have been before somebody changed it. */
export const OPEN_SUBSTATUSES = ['new', 'ongoing', 'regressed', 'escalating'] as const

const INPUT = z.object({
  ids: issueIdsField,
  status: z.enum(ISSUE_STATUSES, { error: `is one of ${ISSUE_STATUSES.join(', ')}` }),
  resolution: resolutionField.optional(),
  archive: archiveField.optional(),
  substatus: z.enum(OPEN_SUBSTATUSES, { error: `is one of ${OPEN_SUBSTATUSES.join(', ')}` }).optional(),
})

export type UpdateIssuesInput = {
  /** "All that match" is `updateMatchingIssues`. */
  readonly ids: readonly number[]
  readonly status: IssueStatus
  /** Of `resolved`: from which release on it may come back. Absent: any event brings it back. */
  readonly resolution?: Resolution | undefined
  /** Of `ignored`: until when. Absent: until somebody reopens it. */
  readonly archive?: Archive | undefined
  /** Of `unresolved`. Absent: an issue that is reopened is `ongoing`. */
  readonly substatus?: (typeof OPEN_SUBSTATUSES)[number] | undefined
}

/** What an issue was before a change: what an undo gives back. */
export type IssueBefore = {
  readonly id: number
  readonly status: IssueStatus
  readonly substatus: string
  /** Of a resolved one: from which release on it may come back. Empty: from any. */
  readonly resolvedIn: '' | 'release' | 'next_release'
  readonly resolvedRelease: string
}

export type UpdatedIssues = {
  readonly ids: readonly number[]
  readonly before: readonly IssueBefore[]
  /** What `undoIssues` takes to give back what the issues were. Undefined: there is nothing to undo, or too much. */
  readonly undo: string | undefined
}

/** What an issue's second state becomes: a reopened one is not new any more. */
export const SUBSTATUS_OF: Readonly<Record<IssueStatus, string>> = {
  unresolved: 'ongoing',
  resolved: '',
  ignored: 'archived_forever',
}
export const CHANGE_OF: Readonly<Record<IssueStatus, IssueChangeKind>> = {
  unresolved: 'reopened',
  resolved: 'resolved',
  ignored: 'ignored',
}
export const ACTION_OF: Readonly<Record<IssueStatus, AuditAction>> = {
  unresolved: 'issue.reopen',
  resolved: 'issue.resolve',
  ignored: 'issue.ignore',
}

/** What the activity says of the release: `next_release` is after it. */
const resolvedDetail = ({ resolved_in, resolved_release }: typeof RESOLVED_AT_ONCE) =>
  resolved_in === '' ? {} : { resolvedIn: resolved_in, release: resolved_release }

/**
 * Returns the ids that exist within the grant (`followed`; changed now or in that state before) and what those that changed were,
 * read in the same transaction; others are left out silently, they may be somebody else's. Idempotent; the audit has one entry per call that changed something.
 * What an issue was resolved in is forgotten with every other state. Throws `InvalidInput`.
 */
export async function updateIssues(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  input: UpdateIssuesInput,
): Promise<UpdatedIssues> {
  const { ids, status, resolution, archive, substatus: asked } = readInput('update issues', INPUT, input)
  if (resolution && status !== 'resolved')
    throw new InvalidInput('update issues', {
      statusDetails: ['only a resolved issue is resolved in a release'],
    })
  if (asked && status !== 'unresolved')
    throw new InvalidInput('update issues', { substatus: ['only an open issue has one to choose'] })
  if (archive && status !== 'ignored')
    throw new InvalidInput('update issues', { statusDetails: ['only an ignored issue comes back by itself'] })
  const substatus = asked ?? (archive && substatusOf(archive))
  const { viewer } = grant
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const rows = await grantedIssues(tx, grant, await followed(tx, ids))
      .select(['issue.id', 'issue.status', 'issue.substatus', 'issue.resolved_in', 'issue.resolved_release'])
      .select(['issue.project_id', 'project.slug'])
      .execute()
    const before: IssueBefore[] = []
    const changes: IssueChange[] = []
    for (const own of Map.groupBy(rows, (row) => row.project_id).values()) {
      const [{ project_id: id, slug } = { project_id: 0, slug: '' }] = own
      const resolvedIn = resolution
        ? await resolvedInProject(tx, { id, slug, orgId: grant.orgId }, resolution)
        : RESOLVED_AT_ONCE
      // Without a resolution one that is resolved stays as it is, in whichever release.
      const others = own.filter(
        (row) =>
          row.status !== status ||
          (substatus && row.substatus !== substatus) ||
          (archive && !isUntilEscalatingAlone(archive)) ||
          (resolution &&
            (row.resolved_in !== resolvedIn.resolved_in ||
              row.resolved_release !== resolvedIn.resolved_release)),
      )
      if (others.length === 0) continue
      const othersIds = others.map((row) => row.id)
      before.push(
        ...others.map((row) => ({
          id: row.id,
          status: row.status,
          substatus: row.substatus,
          resolvedIn: row.resolved_in,
          resolvedRelease: row.resolved_release,
        })),
      )
      await tx
        .updateTable('issue')
        .set({ status, substatus: substatus ?? SUBSTATUS_OF[status], ...resolvedIn })
        // Who opens an issue has looked at it; an undo of the other states finds it in the inbox again.
        .$if(status === 'unresolved', (query) => query.set({ review_reason: '' }))
        .where('id', 'in', othersIds)
        .execute()
      if (archive) await snooze(tx, othersIds, archive, atMs)
      const actor = actorOf(viewer)
      for (const row of others)
        // Another promise about one that is ignored already is told too.
        if (row.status !== status || archive)
          changes.push({
            projectId: id,
            issueId: row.id,
            kind: CHANGE_OF[status],
            actor,
            detail: { ...resolvedDetail(resolvedIn), ...(archive && { archive }) },
          })
    }
    await noteIssueChanges(tx, changes, atMs)
    const changed = before.map(({ id }) => id)
    if (viewer.kind === 'user')
      await subscribe(tx, { issueIds: changed, userIds: [viewer.userId] }, 'changed_status', atMs)
    if (changed.length > 0)
      await writeAudit(tx, {
        orgId: grant.orgId,
        viewer,
        action: ACTION_OF[status],
        subject: nameOf(grant),
        // The number tells the size of the deed; a list of thousands would bury it.
        detail: {
          count: changed.length,
          ids: changed.slice(0, 100),
          ...(resolution && { resolution }),
          ...(archive && { archive }),
        },
        atMs,
      })
    return { ids: rows.map((row) => row.id), before, undo: writeUndo(status, before) }
  })
}

/**
 * Changes all that a search finds, in steps of what one search finds. `find` has to leave out what is in the state already,
 * as `matchingIssueIds` of the queries does with `otherThan`: then each step finds others. `count` is how many exist within the
 * grant; `isComplete` says that nothing that matched was left.
 */
export async function updateMatchingIssues(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  change: Omit<UpdateIssuesInput, 'ids'>,
  find: () => Promise<readonly number[]>,
): Promise<ChangedMatching> {
  const { before, ...changed } = await inSteps(find, (ids) => updateIssues(deps, grant, { ...change, ids }))
  return { ...changed, undo: writeUndo(change.status, before) }
}
