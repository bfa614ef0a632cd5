/** Which replays show issues, and which of some replays are kept. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { deletedReplays } from './replay-sums.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

/** More of one issue are not looked for, as on its page. */
const MAX_OF_ISSUE = 1_000

/** Of each issue the kept replays that its events name, the newest first; without any it is left out. Two reads along keys. */
export async function replaysOfIssues(
  deps: Deps,
  grant: ReadGrant,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const projects = await projectIdsOf(deps, grant)
  if (projects.length === 0 || issueIds.length === 0) return new Map()
  const named = await deps.telemetry.query<{ issueId: number; replayIds: readonly string[] }>(
    `SELECT issue_id AS issueId, groupArray(${MAX_OF_ISSUE})(replayId) AS replayIds FROM (
       SELECT issue_id, lower(replaceAll(tags['replayId'], '-', '')) AS replayId FROM events
       WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)}
         AND match(tags['replayId'], '^[0-9a-fA-F-]{32,36}$')
       GROUP BY issue_id, replayId HAVING length(replayId) = 32 ORDER BY max(timestamp) DESC)
     GROUP BY issueId`,
    { projects, issues: issueIds },
  )
  const kept = await keptReplays(
    deps,
    grant,
    named.flatMap(({ replayIds }) => replayIds),
  )
  const found = named.map(
    ({ issueId, replayIds }) => [issueId, replayIds.filter((id) => kept.has(id))] as const,
  )
  return new Map(found.filter(([, ids]) => ids.length > 0))
}

/** Those of `replayIds` that are there. One read along the key (project, replay). */
export async function keptReplays(
  deps: Deps,
  grant: ReadGrant,
  replayIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const projects = await projectIdsOf(deps, grant)
  if (projects.length === 0 || replayIds.length === 0) return new Set()
  const rows = await deps.telemetry.query<{ id: string }>(
    `SELECT DISTINCT toString(replay_id) AS id FROM replays
     WHERE project_id IN {projects:Array(UInt32)} AND replay_id IN {ids:Array(String)}`,
    { projects, ids: [...new Set(replayIds)] },
  )
  const gone = new Set(await deletedReplays(deps, grant))
  return new Set(rows.map(({ id }) => id).filter((id) => !gone.has(id)))
}
