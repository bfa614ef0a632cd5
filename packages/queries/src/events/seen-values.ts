/** Environments and users that events named lately, for the lists of the public API. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { eventSample } from '../suggest/suggest-within.ts'

const DAY_MS = 86_400_000
// About a second: of more events, every n-th block of them is looked at.
const MAX_ROWS = 1_000_000
const MAX_ENVIRONMENTS = 500
const MAX_USERS = 100

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>

/** Of the last 90 days, by name, without the empty one. Of very many events one that is rare may be missing. */
export async function seenEnvironments(
  deps: Deps,
  grant: Grant<'project:read', 'org' | 'project'>,
  { projectIds }: { readonly projectIds: readonly number[] },
): Promise<readonly string[]> {
  const visible = await projectIdsOf(deps, grant)
  const projects = projectIds.length === 0 ? visible : visible.filter((id) => projectIds.includes(id))
  if (projects.length === 0) return []
  const sinceMs = Math.max(0, deps.clock.nowMs() - 90 * DAY_MS)
  const { sql, params } = await eventSample(deps, { projectIds: projects, sinceMs, maxRows: MAX_ROWS })
  const rows = await deps.telemetry.query<{ readonly environment: string }>(
    `SELECT environment FROM events WHERE ${sql} AND environment != ''
     GROUP BY environment ORDER BY environment LIMIT ${MAX_ENVIRONMENTS}`,
    params,
  )
  return rows.map(({ environment }) => environment)
}

export type SeenUser = {
  /** `id:42`, `email:…`, `username:…` or `ip:…`: what of the user came first in this order. */
  readonly key: string
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

/** Of the last 30 days, the last seen first, at most a hundred. `contains`: a part of the key. */
export async function seenUsers(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  { contains = '' }: { readonly contains?: string },
): Promise<readonly SeenUser[]> {
  const sinceMs = Math.max(0, deps.clock.nowMs() - 30 * DAY_MS)
  const projectIds = [grant.projectId]
  const { sql, params } = await eventSample(deps, { projectIds, sinceMs, maxRows: MAX_ROWS })
  return deps.telemetry.query<SeenUser>(
    `SELECT user_key AS key, toUnixTimestamp64Milli(min(timestamp)) AS firstSeenMs,
       toUnixTimestamp64Milli(max(timestamp)) AS lastSeenMs
     FROM events WHERE ${sql} AND user_key != ''
       AND positionCaseInsensitiveUTF8(user_key, {contains:String}) > 0
     GROUP BY user_key ORDER BY lastSeenMs DESC, key LIMIT ${MAX_USERS}`,
    { ...params, contains },
  )
}
