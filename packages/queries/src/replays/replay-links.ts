/** From an event, a trace or a feedback to the second of the replay in which it happened. */
import type { Grant } from '@sonde/access'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { inProjects } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { sinceWeek } from '../weeks.ts'
import { replayIdOf } from './open-replay.ts'
import { deletedReplays } from './replay-sums.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

export type ReplayMoment = {
  readonly replayId: string
  /** Whole seconds since its beginning. */
  readonly second: number
}

/** What the SDK wrote into an event: the context, or the tag. Undefined: it names no replay. */
export function replayOfEvent({
  contexts,
  tags,
}: Pick<NormalizedEvent, 'contexts' | 'tags'>): string | undefined {
  const named = contexts?.['replay']?.['replay_id'] ?? tags?.find(([key]) => key === 'replayId')?.[1]
  return typeof named === 'string' ? replayIdOf(named) : undefined
}

/** A little before it, so that one sees what led to it. */
const BEFORE_MS = 2_000
const secondAt = (atMs: number, startedMs: number): number =>
  Math.max(0, Math.floor((atMs - startedMs - BEFORE_MS) / 1000))

/** Undefined: the replay is not kept. One range of the key (project, replay). */
export async function replayMoment(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  { replayId, atMs }: { readonly replayId: string; readonly atMs: number },
): Promise<ReplayMoment | undefined> {
  const id = replayIdOf(replayId)
  if (id === undefined) return undefined
  const [row] = await deps.telemetry.query<{ rows: number; startedMs: number }>(
    `SELECT count() AS rows, toUnixTimestamp64Milli(min(timestamp)) AS startedMs FROM replays
     WHERE project_id = {project:UInt32} AND replay_id = {id:String} AND kind = 'recording'`,
    { project: grant.projectId, id },
  )
  if (!row || row.rows === 0 || (await deletedReplays(deps, grant)).includes(id)) return undefined
  return { replayId: id, second: secondAt(atMs, row.startedMs) }
}

const MAX_OF_TRACE = 5
/** As long as a replay may last, and a little. */
const AROUND_MS = 70 * 60_000

/** Replays that name the trace. Reads the weeks since, by the index on times. */
export async function replaysOfTrace(
  deps: Deps,
  grant: Grant<'event:read', 'org'>,
  { traceId, atMs }: { readonly traceId: string; readonly atMs: number },
): Promise<readonly (ReplayMoment & { readonly project: string })[]> {
  const projects = await deps.records
    .selectFrom('project')
    .select(['id', 'slug'])
    .where(inProjects(grant))
    .execute()
  if (projects.length === 0) return []
  const rows = await deps.telemetry.query<{ replayId: string; projectId: number; startedMs: number }>(
    `SELECT toString(replay_id) AS replayId, project_id AS projectId,
       toUnixTimestamp64Milli(min(timestamp)) AS startedMs
     FROM replays WHERE project_id IN {projects:Array(UInt32)} AND ${sinceWeek('toMonday({day:Date})')}
       AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
     GROUP BY project_id, replay_id HAVING countIf(has(trace_ids, {trace:String})) > 0
     ORDER BY startedMs LIMIT ${MAX_OF_TRACE}`,
    {
      projects: projects.map(({ id }) => id),
      day: new Date(Math.max(0, atMs - AROUND_MS)).toISOString().slice(0, 10),
      from: Math.max(0, atMs - AROUND_MS),
      to: atMs + AROUND_MS,
      trace: traceId.toLowerCase(),
    },
  )
  const gone = new Set(rows.length === 0 ? [] : await deletedReplays(deps, grant))
  return rows
    .filter(({ replayId }) => !gone.has(replayId))
    .map(({ replayId, projectId, startedMs }) => ({
      replayId,
      project: projects.find(({ id }) => id === projectId)?.slug ?? '',
      second: secondAt(atMs, startedMs),
    }))
}
