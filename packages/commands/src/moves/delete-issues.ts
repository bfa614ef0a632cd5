/** Deletes issues with their events, which can be taken back for a day; on demand all that would come like them, which cannot. */
import { actorOf, type Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { mergedInto, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { grantedIssues } from '../issues/many-issues.ts'
import { doneOr, movesOf } from './issue-moves.ts'

type DeleteGrant = Grant<'event:delete', 'org' | 'project'>

/** Each is a handful of rows of one transaction, and of all their events one deletion. */
const MAX_DELETED = 1_000

const INPUT = z.object({
  ids: z
    .array(z.int().positive())
    .min(1, 'at least one is needed')
    .max(MAX_DELETED, `at most ${MAX_DELETED} at once`),
  discard: z.boolean().default(false),
})

export type DeleteIssuesInput = {
  readonly ids: readonly number[]
  /** New events with one of their fingerprints are dropped. Else the next one makes a new issue. */
  readonly discard?: boolean | undefined
}
export type DeletedIssues = {
  readonly count: number
  readonly events: number
  /** For `restoreDeleted`: one a project. None of what was discarded. */
  readonly deletedIds: readonly number[]
}

/**
 * Nobody sees them when it resolves. For a day `restoreDeleted` has them back; what is discarded is gone. What the grant does not cover is left out
 * silently; what is part of another by now is refused, because the whole would go with it. Throws `SondeError` (`not-found` for none, `conflict` for a part and while events move), `InvalidInput`, `UnavailableError`.
 */
export async function deleteIssues(
  deps: CommandDeps,
  grant: DeleteGrant,
  input: DeleteIssuesInput,
): Promise<DeletedIssues> {
  const operation = 'delete issues'
  const { ids, discard } = readInput(operation, INPUT, input)
  const moves = movesOf(deps, operation)
  const rows = await grantedIssues(deps.records, grant, { ids })
    .select(['issue.id', 'issue.project_id'])
    .execute()
  const leads = await mergedInto(
    deps.records,
    rows.map(({ id }) => id),
  )
  if (leads.size > 0)
    throw new SondeError('conflict', 'an issue was merged into another meanwhile', {
      operation,
      subject: [...leads.keys()].slice(0, 10).join(', '),
      hint: 'delete the other one, or give this one back first',
    })
  if (rows.length === 0) throw new SondeError('not-found', 'no such issue', { operation })
  const actor = actorOf(grant.viewer)
  let count = 0
  let events = 0
  const deletedIds: number[] = []
  for (const [projectId, own] of Map.groupBy(rows, (row) => row.project_id)) {
    const end = await moves.delete(
      { projectId, issueIds: own.map(({ id }) => id), discard, actor },
      (tx, done, atMs) =>
        writeAudit(tx, {
          orgId: grant.orgId,
          viewer: grant.viewer,
          action: discard ? 'issue.discard' : 'issue.delete',
          subject: nameOf(grant),
          detail: { count: done.issues.length, events: done.events, issues: done.issues.slice(0, 100) },
          atMs,
        }),
    )
    const done = doneOr(operation, end)
    count += done.issues.length
    events += done.events
    if (done.deletedId !== undefined) deletedIds.push(done.deletedId)
  }
  if (discard) deps.onMoves?.()
  return { count, events, deletedIds }
}

/** From the next event on an issue is made of them again. By the number of the issue that was discarded; idempotent. */
export async function stopDiscarding(
  deps: CommandDeps,
  grant: Grant<'event:delete', 'project'>,
  { shortNumber }: { readonly shortNumber: number },
): Promise<void> {
  if (!Number.isSafeInteger(shortNumber))
    throw new InvalidInput('stop discarding', { issue: ['is a number'] })
  await writeTransaction(deps.records, async (tx) => {
    const gone = await tx
      .deleteFrom('discarded_hash')
      .where('project_id', '=', grant.projectId)
      .where('short_number', '=', shortNumber)
      .returning(['title', 'dropped_count'])
      .execute()
    const [first] = gone
    if (!first) return
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'issue.discard_stop',
      subject: nameOf(grant),
      detail: {
        shortNumber,
        title: first.title,
        hashes: gone.length,
        dropped: gone.reduce((sum, row) => sum + row.dropped_count, 0),
      },
      atMs: deps.clock.nowMs(),
    })
  })
}
