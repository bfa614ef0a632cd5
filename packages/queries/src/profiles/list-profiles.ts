/** Which transactions were profiled, which functions take the most time, and the newest profiles. */
import type { Grant } from '@sonde/access'
import { boundedQuery, type Narrowing } from '../explore/bounded-query.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>
export type ProfilesInput = PerformanceFilter & {
  /** Only profiles of this one. */
  readonly transaction?: string | undefined
}

export const FEWER_PROFILES: Narrowing = { what: 'profiles', hint: 'Choose a shorter time or a transaction.' }

export type ProfiledTransaction = {
  readonly transaction: string
  readonly profiles: number
  /** Milliseconds. */
  readonly p75: number
  readonly lastMs: number
}

const MAX_ROWS = 100

/** Those with the most profiles first. */
export async function profiledTransactions(
  deps: Deps,
  grant: ReadGrant,
  input: ProfilesInput,
): Promise<readonly ProfiledTransaction[]> {
  const where = await profileConditions(deps, grant, input)
  if (where === undefined) return []
  return boundedQuery(
    deps,
    `SELECT transaction, count() AS profiles, quantile(0.75)(duration_ms) AS p75,
       toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3, 'UTC')) AS lastMs
     FROM profiles WHERE ${where.sql} AND profiler_id = ''
     GROUP BY transaction ORDER BY profiles DESC, transaction LIMIT ${MAX_ROWS}`,
    where.params,
    FEWER_PROFILES,
  )
}

export type SlowFunction = {
  readonly function: string
  readonly file: string
  readonly inApp: boolean
  /** Milliseconds in the function itself, of one profile. */
  readonly p75: number
  readonly sumMs: number
  readonly profiles: number
  readonly releases: number
}

/** Of the application’s own code, by time in the function itself. A profile has one row of a function. */
export async function slowFunctions(
  deps: Deps,
  grant: ReadGrant,
  input: ProfilesInput,
): Promise<readonly SlowFunction[]> {
  const where = await profileConditions(deps, grant, input)
  if (where === undefined) return []
  return boundedQuery(
    deps,
    `SELECT function, file, max(in_app) = 1 AS inApp, quantile(0.75)(self_ms) AS p75, sum(self_ms) AS sumMs,
       count() AS profiles, uniq(release) AS releases
     FROM profile_functions WHERE ${where.sql} AND in_app = 1
     GROUP BY function, file HAVING sumMs > 0 ORDER BY sumMs DESC, function, file LIMIT ${MAX_ROWS}`,
    where.params,
    FEWER_PROFILES,
  )
}

export type ListedProfile = {
  readonly profileId: string
  /** Empty: of one transaction. */
  readonly profilerId: string
  readonly transaction: string
  readonly traceId: string
  readonly atMs: number
  readonly durationMs: number
  readonly samples: number
  readonly release: string
  readonly environment: string
  readonly platform: string
  readonly threadId: string
  readonly remark: string
  readonly bodySize: number
}

/** The newest first. */
export async function newestProfiles(
  deps: Deps,
  grant: ReadGrant,
  { limit, ...input }: ProfilesInput & { readonly limit: number },
): Promise<readonly ListedProfile[]> {
  const where = await profileConditions(deps, grant, input)
  if (where === undefined) return []
  return boundedQuery(
    deps,
    `SELECT ${LISTED} FROM profiles WHERE ${where.sql}
     ORDER BY timestamp DESC, profile_id LIMIT {limit:UInt32}`,
    { ...where.params, limit: Math.min(MAX_ROWS, limit) },
    FEWER_PROFILES,
  )
}

export const LISTED = `toString(profile_id) AS profileId, profiler_id AS profilerId, transaction,
  trace_id AS traceId, toUnixTimestamp64Milli(toDateTime64(timestamp, 3, 'UTC')) AS atMs, duration_ms AS durationMs,
  samples, release, environment, platform, thread_id AS threadId, remark, body_size AS bodySize`

export async function profileConditions(deps: Deps, grant: ReadGrant, input: ProfilesInput) {
  const where = await performanceConditions(deps, grant, input)
  if (where === undefined || input.transaction === undefined) return where
  return {
    sql: `${where.sql} AND transaction = {transaction:String}`,
    params: { ...where.params, transaction: input.transaction },
  }
}
