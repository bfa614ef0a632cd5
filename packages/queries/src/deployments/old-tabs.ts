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
const MAX_ENVIRONMENTS = 20

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
  const rows = await deps.telemetry.query<Ages>(
    // The rank beyond the last is an element that is not there, which is 0.
    `${sql}, ofBuild AS (
       SELECT environment, build, count() AS n, groupArray(toFloat64(age)) AS ages,
         countIf(receivedMs >= {openSince:Int64} AND lastMs >= {openSince:Int64} - ${CLOCK_SLACK_MS}) AS seen
       FROM lived GROUP BY environment, build
     )
     SELECT environment, builds, toUInt32(n) AS tabs, toUInt32(seen) AS open,
       sorted[-1] AS longestMs, sorted[toUInt32(ceil(n * ${LEVEL}))] AS ms,
       sorted[toUInt32(greatest(1, floor(n * (${LEVEL} - error))))] AS lowMs,
       sorted[toUInt32(ceil(n * (${LEVEL} + error)))] AS highMs
     FROM (
       SELECT environment, sum(each.n) AS n, sum(each.seen) AS seen, groupArray((build, toUInt32(each.n))) AS builds,
         ${Z} * sqrt(${LEVEL} * (1 - ${LEVEL}) / n) AS error, arraySort(groupArrayArray(ages)) AS sorted
       FROM ofBuild AS each GROUP BY environment
     ) ORDER BY tabs DESC, environment`,
    params,
  )
  const left = rows.flatMap(({ environment: own, builds: of }) =>
    of.map(([build, count]) => ({ build, environment: own, tabs: count })),
  )
  return { left, keep: rows.slice(0, MAX_ENVIRONMENTS).map(keepOf) }
}

/** A tab that missed code was there, though its next beat was not due yet. */
const FAILED_SQL = `SELECT strings['${CHUNK_FAILURE_PREFIX}build'] AS build, environment, strings['${CHUNK_FAILURE_PREFIX}tab'] AS tab,
     toUnixTimestamp64Milli(toDateTime64(timestamp, 3)) AS seenMs, toUnixTimestamp64Milli(received) AS receivedMs
   FROM spans WHERE is_segment = 0 AND op = '${CHUNK_FAILURE_OP}' AND strings['${CHUNK_FAILURE_PREFIX}tab'] != ''`

const keyOf = ({ environment, build }: Pick<Build, 'build' | 'environment'>): string =>
  `${environment}\n${build}`

type Ages = Omit<KeepFiles, 'p99' | 'deployments'> & {
  readonly builds: readonly (readonly [build: string, tabs: number])[]
  readonly ms: number
  readonly lowMs: number
  /** 0: beyond the last. */
  readonly highMs: number
}

const keepOf = ({ builds, ms, lowMs, highMs, environment, tabs, open, longestMs }: Ages): KeepFiles => ({
  environment,
  tabs,
  deployments: builds.length,
  open,
  longestMs,
  p99: tabs < MIN_KEEP_TABS ? undefined : { ms, lowMs, highMs: highMs > 0 ? highMs : undefined },
})
