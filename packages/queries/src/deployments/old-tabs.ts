/**
 * How long tabs live on after a newer build came: how many were left on each, and for how long a site must keep its old
 * files so that 99 % of them never miss one.
 */
import type { Grant } from '@sonde/access'
import { CHUNK_FAILURE_OP, CHUNK_FAILURE_PREFIX } from '@sonde/protocol/navigation'
import { MIN_KEEP_TABS } from '../contract.ts'
import { Z } from '../performance/change-interval.ts'
import { performanceConditions } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type Build, nextBuild, PAGE_SEGMENTS_SQL } from './build.ts'
import { CLOCK_SLACK_MS, OPEN_WITHIN_MS } from './open-tabs.ts'

export type OldTabs = {
  readonly build: string
  readonly environment: string
  /** Seen on it after the next build came. */
  readonly tabs: number
}

/** For how long old files are needed. Tabs of all deployments of the last 30 days to one environment, together. */
export type KeepFiles = {
  readonly environment: string
  readonly tabs: number
  readonly deployments: number
  /** Of them still open; while these are more than 1 %, the time can only grow. */
  readonly open: number
  readonly longestMs: number
  /** Undefined with fewer than `MIN_KEEP_TABS`: the slowest one in a hundred was not seen yet. */
  readonly p99:
    | {
        readonly ms: number
        readonly lowMs: number
        /** Undefined: it lies beyond the tab that was open longest. */
        readonly highMs: number | undefined
      }
    | undefined
}

const LOOKED_BACK_MS = 30 * 86_400_000
const LEVEL = 0.99

/** `builds`: all that `buildsInUse` knows of at least the last 30 days. Reads a row for each page load of that time. */
export async function oldTabs(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  builds: readonly Build[],
  environment: readonly string[] = [],
): Promise<{ readonly left: readonly OldTabs[]; readonly keep: readonly KeepFiles[] }> {
  const nowMs = deps.clock.nowMs()
  const window = { fromMs: nowMs - LOOKED_BACK_MS, toMs: nowMs + 60_000, environment }
  const where = await performanceConditions(deps, grant, window)
  const replaced = builds.flatMap((build) => {
    const next = nextBuild(builds, build)
    return next === undefined ? [] : [{ key: keyOf(build), atMs: next.servedMs }]
  })
  if (where === undefined || replaced.length === 0) return { left: [], keep: [] }
  // Only what pages of other SDKs did shows their tabs; a site that reports tabs needs no such guess.
  const tabs = `tabs WHERE ${where.sql} AND build != ''`
  const sql = `WITH transform(concat(environment, '\\n', build), {keys:Array(String)}, {replacedMs:Array(UInt64)}, toUInt64(0)) AS since,
     lived AS (
       SELECT build, environment, tab, max(seenMs) - any(since) AS age, max(receivedMs) AS receivedMs, max(seenMs) AS lastMs FROM (
         SELECT build, environment, if(tab_id = '', toString(page_id), tab_id) AS tab,
           toUnixTimestamp64Milli(timestamp) AS seenMs, toUnixTimestamp64Milli(received) AS receivedMs FROM ${tabs}
         UNION ALL ${FAILED_SQL} AND ${where.sql}
         UNION ALL
         SELECT release AS build, environment, if(user_key != '', user_key, toString(trace_id)) AS tab,
           toUnixTimestamp64Milli(toDateTime64(timestamp, 3)) AS seenMs, toUnixTimestamp64Milli(received) AS receivedMs
         FROM spans WHERE ${where.sql} AND ${PAGE_SEGMENTS_SQL} AND NOT (SELECT count() > 0 FROM ${tabs})
       ) WHERE since > 0 AND seenMs > since GROUP BY build, environment, tab
     )`
  const params = {
    ...where.params,
    keys: replaced.map(({ key }) => key),
    replacedMs: replaced.map(({ atMs }) => atMs),
    openSince: nowMs - OPEN_WITHIN_MS,
  }
  const [left, ages] = await Promise.all([
    deps.telemetry.query<OldTabs>(
      `${sql} SELECT build, environment, toUInt32(count()) AS tabs FROM lived GROUP BY build, environment`,
      params,
    ),
    deps.telemetry.query<Ages>(
      // The rank beyond the last is an element that is not there, which is 0.
      `${sql} SELECT environment, toUInt32(n) AS tabs, toUInt32(builds) AS deployments, toUInt32(seen) AS open,
         sorted[-1] AS longestMs, sorted[toUInt32(ceil(n * ${LEVEL}))] AS ms,
         sorted[toUInt32(greatest(1, floor(n * (${LEVEL} - error))))] AS lowMs,
         sorted[toUInt32(ceil(n * (${LEVEL} + error)))] AS highMs
       FROM (
         SELECT environment, count() AS n, uniqExact(build) AS builds, countIf(receivedMs >= {openSince:Int64} AND lastMs >= {openSince:Int64} - ${CLOCK_SLACK_MS}) AS seen,
           ${Z} * sqrt(${LEVEL} * (1 - ${LEVEL}) / n) AS error, arraySort(groupArray(toFloat64(age))) AS sorted
         FROM lived GROUP BY environment
       ) ORDER BY tabs DESC LIMIT 20`,
      params,
    ),
  ])
  return { left, keep: ages.map(keepOf) }
}

/** A tab that missed code was there, though its next beat was not due yet. */
const FAILED_SQL = `SELECT strings['${CHUNK_FAILURE_PREFIX}build'] AS build, environment, strings['${CHUNK_FAILURE_PREFIX}tab'] AS tab,
     toUnixTimestamp64Milli(toDateTime64(timestamp, 3)) AS seenMs, toUnixTimestamp64Milli(received) AS receivedMs
   FROM spans WHERE is_segment = 0 AND op = '${CHUNK_FAILURE_OP}' AND strings['${CHUNK_FAILURE_PREFIX}tab'] != ''`

const keyOf = ({ environment, build }: Pick<Build, 'build' | 'environment'>): string =>
  `${environment}\n${build}`

type Ages = Omit<KeepFiles, 'p99'> & {
  readonly ms: number
  readonly lowMs: number
  /** 0: beyond the last. */
  readonly highMs: number
}

const keepOf = ({ ms, lowMs, highMs, environment, tabs, deployments, open, longestMs }: Ages): KeepFiles => ({
  environment,
  tabs,
  deployments,
  open,
  longestMs,
  p99: tabs < MIN_KEEP_TABS ? undefined : { ms, lowMs, highMs: highMs > 0 ? highMs : undefined },
})
