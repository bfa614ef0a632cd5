/** Resolves, ignores and reopens issues. */
import type { Viewer } from '@sonde/access'
import { ISSUE_STATUSES, type IssueStatus } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { refField } from './fields.ts'
import { readInput } from './invalid-input.ts'

/** Also what `queries.listIssues` finds as candidates at most; SQLite binds 32,766 values. */
export const MAX_ISSUES_AT_ONCE = 5_000

const INPUT = z.object({
  org: refField,
  project: refField.optional(),
  ids: z
    .array(z.int().positive())
    .min(1, 'at least one is needed')
    .max(MAX_ISSUES_AT_ONCE, `at most ${MAX_ISSUES_AT_ONCE} at once`),
  status: z.enum(ISSUE_STATUSES, { error: `is one of ${ISSUE_STATUSES.join(', ')}` }),
})

export type UpdateIssuesInput = {
  readonly org: string | number
  /** Without it issues of all projects of the organisation may be named. */
  readonly project?: string | number | undefined
  /** "All that match" is `queries.matchingIssueIds` first. */
  readonly ids: readonly number[]
  readonly status: IssueStatus
}

/** What an issue's second state becomes: a reopened one is not new any more. */
const SUBSTATUS: Readonly<Record<IssueStatus, string>> = {
  unresolved: 'ongoing',
  resolved: '',
  ignored: 'archived_forever',
}
const ACTION: Readonly<Record<IssueStatus, string>> = {
  unresolved: 'issue.reopen',
  resolved: 'issue.resolve',
  ignored: 'issue.ignore',
}

/**
 * Returns the ids that exist within the scope (changed now or in that state before); others are left out
 * silently, they may be somebody else's. Idempotent; the audit has one entry per call that changed something.
 * Permission `event:write`. Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`).
 */
export async function updateIssues(
  deps: CommandDeps,
  viewer: Viewer,
  input: UpdateIssuesInput,
): Promise<{ readonly ids: readonly number[] }> {
  const { org, project, ids, status } = readInput('update issues', INPUT, input)
  const orgScope = await deps.access.openOrg(viewer, org, 'event:write')
  const projectScope =
    project === undefined ? undefined : await deps.access.openProject(viewer, org, project, 'event:write')
  const atMs = deps.clock.nowMs()
  return deps.records.transaction().execute(async (tx) => {
    let visible = tx
      .selectFrom('issue')
      .innerJoin('project', 'project.id', 'issue.project_id')
      .select(['issue.id', 'issue.status'])
      .where('project.org_id', '=', orgScope.orgId)
      .where('issue.id', 'in', ids)
      .orderBy('issue.id')
    if (projectScope) visible = visible.where('project.id', '=', projectScope.projectId)
    const rows = await visible.execute()
    const changed = rows.filter((row) => row.status !== status).map((row) => row.id)
    if (changed.length > 0) {
      await tx
        .updateTable('issue')
        .set({ status, substatus: SUBSTATUS[status] })
        .where('id', 'in', changed)
        .execute()
      await writeAudit(tx, {
        orgId: orgScope.orgId,
        viewer,
        action: ACTION[status],
        subject: projectScope ? `${orgScope.orgSlug}/${projectScope.projectSlug}` : orgScope.orgSlug,
        // The number tells the size of the deed; a list of thousands would bury it.
        detail: { count: changed.length, ids: changed.slice(0, 100) },
        atMs,
      })
    }
    return { ids: rows.map((row) => row.id) }
  })
}
