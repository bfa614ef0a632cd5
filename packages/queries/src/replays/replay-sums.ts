/** A replay as the sum over its rows: what lists, the player and the API show of it. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

export type Replay = {
  readonly projectId: number
  /** 32 lower hex. */
  readonly replayId: string
  readonly startedMs: number
  readonly finishedMs: number
  readonly durationMs: number
  readonly segments: number
  /** `session`, or `buffer`: kept because of an error. Empty: the SDK's own event has not come. */
  readonly replayType: string
  /** At most 100 each, in the order of the visit. */
  readonly urls: readonly string[]
  readonly errorIds: readonly string[]
  readonly traceIds: readonly string[]
  readonly errors: number
  readonly clicks: number
  readonly rageClicks: number
  readonly deadClicks: number
  readonly navigations: number
  readonly requests: number
  readonly failedRequests: number
  readonly consoleLines: number
  /** 0 to 10. */
  readonly activity: number
  readonly release: string
  readonly environment: string
  readonly platform: string
  readonly sdk: string
  readonly userKey: string
  readonly userName: string
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  /** IANA name, as the SDK says; empty: it did not. */
  readonly timeZone: string
}

const MAX_LISTED = 100
/** Of the newest row that says it; the zone of the oldest. */
const FACTS = [
  'release',
  'environment',
  'platform',
  'sdk_name',
  'sdk_version',
  'user_key',
  'user_name',
  'browser',
  'os',
  'device',
  'country',
  'connection',
  'time_zone',
  'replay_type',
] as const
/** What a page says on its way out is not always the visitor's zone; a browser that closes says UTC. */
const chosenBy = (column: (typeof FACTS)[number]): string =>
  column === 'time_zone' ? 'argMinIf' : 'argMaxIf'
const COUNTS = {
  clicks: 'clicks',
  rageClicks: 'rage_clicks',
  deadClicks: 'dead_clicks',
  navigations: 'navigations',
  requests: 'requests',
  failedRequests: 'failed_requests',
  consoleLines: 'console_lines',
} as const
const COUNTED = Object.entries(COUNTS)

/**
 * When it began is what the recording says: the SDK's event names the first of its buffer, which may be gone. Activity: a
 * click counts one, an error three, a navigation, a rage and a dead click two; ten and more are 10. What is summed has a
 * name of its own first, for an alias that is a column's name would be taken for the column.
 * `where`: over the rows. Reads along the key (project, replay, segment).
 */
export const replaySums = (
  where: string,
): string => `SELECT projectId, projectId AS project_id, replayId, started, ended,
  toUnixTimestamp64Milli(started) AS startedMs, toUnixTimestamp64Milli(ended) AS finishedMs,
  finishedMs - startedMs AS durationMs, segments, urls, errorIds, length(errorIds) AS errors, traceIds,
  ${COUNTED.map(([name]) => `s_${name} AS ${name}`).join(', ')},
  ${FACTS.map((column) => `s_${column} AS ${column}`).join(', ')},
  least(10, s_clicks + 3 * length(errorIds) + 2 * (s_navigations + s_rageClicks + s_deadClicks)) AS activity
FROM (
  SELECT project_id AS projectId, toString(replay_id) AS replayId, countIf(kind = 'recording') > 0 AS isRecorded,
    if(isRecorded, minIf(timestamp, kind = 'recording'), min(timestamp)) AS started,
    greatest(started, if(isRecorded, maxIf(finished, kind = 'recording'), max(finished))) AS ended,
    uniqExact(segment) AS segments,
    arraySlice(arrayDistinct(groupArrayArray(${3 * MAX_LISTED})(replays.urls)), 1, ${MAX_LISTED}) AS urls,
    groupUniqArrayArray(${MAX_LISTED})(error_ids) AS errorIds,
    groupUniqArrayArray(${MAX_LISTED})(trace_ids) AS traceIds,
    ${COUNTED.map(([name, column]) => `sum(${column}) AS s_${name}`).join(', ')},
    ${FACTS.map((column) => `${chosenBy(column)}(${column}, segment, ${column} != '') AS s_${column}`).join(', ')}
  FROM replays WHERE ${where} GROUP BY project_id, replay_id)`

/** Of `replaySums`, as `Replay` has them. */
export const REPLAY_COLUMNS = `projectId, replayId, startedMs, finishedMs, durationMs, segments, replay_type AS replayType,
  urls, errorIds, traceIds, errors, ${Object.keys(COUNTS).join(', ')}, activity, release, environment, platform,
  if(sdk_version = '', sdk_name, concat(sdk_name, ' ', sdk_version)) AS sdk, user_key AS userKey,
  user_name AS userName, browser, os, device, country,
  time_zone AS timeZone`

/** Pending deletions are few, and end within minutes. */
const MAX_DELETED = 1_000

/** Ids that were deleted, whose rows the engine may still have. */
export async function deletedReplays(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
): Promise<readonly string[]> {
  const rows = await records
    .selectFrom('replay_deletion')
    .innerJoin('project', 'project.id', 'replay_deletion.project_id')
    .select('replay_deletion.replay_id')
    .where('project.org_id', '=', grant.orgId)
    .orderBy('replay_deletion.requested_ms', 'desc')
    .limit(MAX_DELETED)
    .execute()
  return rows.map(({ replay_id }) => replay_id)
}
