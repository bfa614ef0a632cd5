/** Replays of a time, narrowed by a search: the newest, those with the most errors, or the longest first. */
import type { Grant } from '@sonde/access'
import { REPLAY_SORTS, type ReplaySort } from '../contract.ts'
import { boundedQuery, createBind } from '../explore/bounded-query.ts'
import { spanConditions } from '../explore/span-conditions.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { SearchError } from '../search/search-term.ts'
import { FEWER_REPLAYS, REPLAY_SEARCH } from './replay-fields.ts'
import { deletedReplays, REPLAY_COLUMNS, type Replay, replaySums } from './replay-sums.ts'

export type ReplaysInput = PerformanceFilter & {
  /** As typed: `errors:>0 url:*checkout*`. */
  readonly query?: string | undefined
  /** Only replays in which this issue happened. */
  readonly issueId?: number | undefined
  /** Only these; the time is that of their rows all the same. */
  readonly replayIds?: readonly string[] | undefined
  readonly sort?: ReplaySort | undefined
  /** `next` of the page before. */
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}
export type ReplayPage = {
  readonly replays: readonly Replay[]
  /** Undefined: it is the last page. */
  readonly next: string | undefined
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

const MAX_ROWS = 100
const SORTED_BY: Readonly<Record<ReplaySort, string>> = {
  newest: 'startedMs',
  errors: 'errors',
  longest: 'durationMs',
  rage: 'rageClicks + deadClicks',
  activity: 'activity',
}
const CURSOR = /^(\d{1,16})-([0-9a-f]{32})$/
/** More of one issue are not looked for. */
const MAX_OF_ISSUE = 1_000

export const replaySort = (text: string | null | undefined): ReplaySort =>
  REPLAY_SORTS.find((each) => each === text) ?? 'newest'

/**
 * Of a replay with a row in the time all rows count. Throws `SearchError` and `ExploreError`. Two reads of `replays` by its
 * key (project, replay, segment): which have a row within the time, then those whole.
 */
export async function listReplays(deps: Deps, grant: ReadGrant, input: ReplaysInput): Promise<ReplayPage> {
  const { bind, params } = createBind('r')
  const sort = input.sort ?? 'newest'
  const limit = Math.min(MAX_ROWS, Math.max(1, input.limit ?? 50))
  const within = await performanceConditions(deps, grant, input)
  if (within === undefined) return { replays: [], next: undefined }
  const ids = input.issueId === undefined ? input.replayIds : await replaysOfIssue(deps, grant, input.issueId)
  if (ids?.length === 0) return { replays: [], next: undefined }
  const chosen = ids === undefined ? '1' : `replay_id IN ${bind(ids, 'Array(String)')}`
  const search = await spanConditions(deps, grant, input.query ?? '', bind, REPLAY_SEARCH)
  const gone = await deletedReplays(deps, grant)
  const isKept = gone.length === 0 ? '1' : `replay_id NOT IN ${bind(gone, 'Array(String)')}`
  const behind = input.cursor === undefined ? '1' : behindCursor(input.cursor, SORTED_BY[sort], bind)
  const sums = replaySums(`project_id IN {projects:Array(UInt32)} AND ${chosen} AND ${isKept}
    AND (project_id, replay_id) IN (SELECT project_id, replay_id FROM replays WHERE ${within.sql} AND ${chosen})`)
  const rows = await boundedQuery<Replay & { readonly place: number }>(
    deps,
    `SELECT ${REPLAY_COLUMNS}, ${SORTED_BY[sort]} AS place FROM (${sums}) WHERE ${search} AND ${behind}
     ORDER BY place DESC, replayId DESC LIMIT {limit:UInt32}`,
    { ...within.params, ...params, limit: limit + 1 },
    FEWER_REPLAYS,
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    replays: rows.slice(0, limit).map(({ place: _place, ...replay }) => replay),
    next: last && `${last.place}-${last.replayId}`,
  }
}

function behindCursor(text: string, place: string, bind: ReturnType<typeof createBind>['bind']): string {
  const [, value, id] = CURSOR.exec(text) ?? []
  if (value === undefined || id === undefined) throw new SearchError('the cursor names no replay', 0)
  return `(${place}, replayId) < (${bind(Number(value), 'Int64')}, ${bind(id)})`
}

/** Those in whose tags the SDK named a replay; the newest first. Reads the issue's range of `events`. */
async function replaysOfIssue(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  grant: ReadGrant,
  issueId: number,
): Promise<readonly string[]> {
  if (!('projectId' in grant)) return []
  const rows = await telemetry.query<{ replayId: string }>(
    `SELECT lower(replaceAll(tags['replayId'], '-', '')) AS replayId FROM events
     WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND match(tags['replayId'], '^[0-9a-fA-F-]{32,36}$')
     GROUP BY replayId HAVING length(replayId) = 32 ORDER BY max(timestamp) DESC LIMIT ${MAX_OF_ISSUE}`,
    { project: grant.projectId, issue: issueId },
  )
  return rows.map(({ replayId }) => replayId)
}

/** How many kept replays show the issue. Two reads along keys. */
export async function countReplaysOfIssue(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  issueId: number,
): Promise<number> {
  const ids = await replaysOfIssue(deps, grant, issueId)
  const gone = new Set(ids.length === 0 ? [] : await deletedReplays(deps, grant))
  const kept = ids.filter((id) => !gone.has(id))
  if (kept.length === 0) return 0
  const [row] = await deps.telemetry.query<{ count: number }>(
    `SELECT uniqExact(replay_id) AS count FROM replays
     WHERE project_id = {project:UInt32} AND replay_id IN {ids:Array(String)}`,
    { project: grant.projectId, ids: kept },
  )
  return row?.count ?? 0
}
