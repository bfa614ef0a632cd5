/** Asking for owners to be found again, in the transaction of what makes them others. A job does it: `startOwners` of the pipeline. */
import type { Records } from '../records/schema.ts'

export type OwnershipRunRequest = {
  readonly projectId: number
  /** `actorOf` who asks. */
  readonly actor: string
  /** Also assign open issues that nobody was ever assigned to. */
  readonly isAssigning: boolean
}

/** For the open issues of a project. One that is under way begins anew, and still assigns when it did. */
export async function requestOwnershipRun(
  tx: Records,
  { projectId, actor, isAssigning }: OwnershipRunRequest,
  nowMs: number,
): Promise<void> {
  const before = await tx
    .selectFrom('ownership_run')
    .select(['version', 'is_assigning', 'finished_ms'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const wasAssigning = before?.finished_ms === null && before.is_assigning === 1
  const values = {
    version: (before?.version ?? 0) + 1,
    requested_ms: nowMs,
    actor,
    is_assigning: isAssigning || wasAssigning ? 1 : 0,
    before_number: 0,
    total_count: null,
    seen_count: 0,
    changed_count: 0,
    assigned_count: 0,
    finished_ms: null,
    trouble: '',
  }
  await tx
    .insertInto('ownership_run')
    .values({ project_id: projectId, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

/** For issues whose stored events have other frames now; those that are gone are left out. */
export async function requestOwners(tx: Records, issueIds: readonly number[]): Promise<void> {
  if (issueIds.length === 0) return
  const issues = await tx
    .selectFrom('issue')
    .select(['id', 'project_id'])
    .where('id', 'in', issueIds)
    .execute()
  if (issues.length === 0) return
  await tx
    .insertInto('owner_request')
    .values(issues.map(({ id, project_id }) => ({ issue_id: id, project_id, times: 1 })))
    .onConflict((conflict) =>
      conflict.column('issue_id').doUpdateSet((eb) => ({ times: eb('owner_request.times', '+', 1) })),
    )
    .execute()
}
