/** Who looked at replays. */
import type { Grant } from '@sonde/access'
import { inProjects, peopleSee } from '@sonde/stores'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>

export type ReplayViewer = { readonly userId: string; readonly name: string; readonly email: string }

const SHOWN = 100

/** The last first. Neither who left the organization nor who does not see the project any more. */
export async function replayViewers(
  { records }: Deps,
  { orgId }: Grant<'event:read', 'org' | 'project'>,
  { projectId, replayId }: { readonly projectId: number; readonly replayId: string },
): Promise<readonly ReplayViewer[]> {
  const rows = await records
    .selectFrom('replay_view as view')
    .innerJoin('user', 'user.id', 'view.user_id')
    .innerJoin('member', 'member.user_id', 'user.id')
    .select(['user.id', 'user.name', 'user.email'])
    .where('member.org_id', '=', orgId)
    .where('view.project_id', '=', projectId)
    .where('view.replay_id', '=', replayId)
    .where('user.disabledMs', 'is', null)
    .where(peopleSee(projectId))
    .orderBy('view.at_ms', 'desc')
    .orderBy('user.id')
    .limit(SHOWN)
    .execute()
  return rows.map(({ id: userId, name, email }) => ({ userId, name: name || email, email }))
}

/** Which of them the viewer looked at. */
export async function viewedReplays(
  { records }: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  replayIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const userId = personOf(grant.viewer)
  if (userId === undefined || replayIds.length === 0) return new Set()
  const rows = await records
    .selectFrom('replay_view')
    .innerJoin('project', 'project.id', 'replay_view.project_id')
    .select('replay_view.replay_id')
    .where(inProjects(grant))
    .where('replay_view.user_id', '=', userId)
    .where('replay_view.replay_id', 'in', [...replayIds])
    .execute()
  return new Set(rows.map(({ replay_id }) => replay_id))
}
