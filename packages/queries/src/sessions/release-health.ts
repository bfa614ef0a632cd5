/** How healthy releases are: their sessions and users, how many were without a crash, and their share of all. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import {
  crashFree,
  type CrashFree,
  type SessionCounts,
  type SessionFilter,
  sessionGroups,
} from './session-groups.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>
type ProjectGrant = Grant<'event:read', 'project'>
/** A crash-free rate needs no others. */
const USERS = ['all', 'crashed'] as const
type HealthCounts = SessionCounts<(typeof USERS)[number]>
type HealthFilter = Omit<SessionFilter, 'release' | 'projectIds'>

export type Health = HealthCounts & {
  readonly crashFreeSessions: CrashFree
  /** Undefined: no session names its user. */
  readonly crashFreeUsers: CrashFree | undefined
}
export type ReleaseHealth = Health & { readonly release: string }
export type ReleasesHealth = {
  /** Of every release. Undefined: there was no session in this time. */
  readonly total: Health | undefined
  /** Of those that were asked for and had a session. */
  readonly releases: readonly ReleaseHealth[]
}

/** More rows than a page of the list has releases. */
const MAX_RELEASES = 200

export async function releasesHealth(
  deps: Deps,
  grant: ProjectGrant,
  { releases, ...filter }: HealthFilter & { readonly releases: readonly string[] },
): Promise<ReleasesHealth> {
  const [[total], rows] = await Promise.all([
    sessionGroups(deps, grant, { ...filter, by: [], users: USERS, limit: 1 }),
    releases.length === 0
      ? []
      : sessionGroups(deps, grant, {
          ...filter,
          release: releases,
          by: ['release'],
          users: USERS,
          limit: MAX_RELEASES,
        }),
  ])
  return {
    total: total && healthOf(total),
    releases: rows.map((row) => ({ release: row.release, ...healthOf(row) })),
  }
}

const healthOf = ({ sessions, users }: HealthCounts): Health => ({
  sessions,
  users,
  crashFreeSessions: crashFree(sessions),
  crashFreeUsers: users.all === 0 ? undefined : crashFree(users),
})

/** `fromMs`/`toMs` are the asked window widened to whole buckets. */
export type HealthSeries = BucketWindow & {
  /** One per element of `startsMs`: sessions that began then. */
  readonly sessions: readonly number[]
  /** Those of them that crashed. */
  readonly crashed: readonly number[]
}
export type HealthOfRelease = {
  /** Of the release, and of all together. Undefined: none. */
  readonly release: Health | undefined
  readonly total: Health | undefined
  /** Of the release. */
  readonly environments: readonly (Health & { readonly environment: string })[]
  readonly series: HealthSeries
  /** Of the release before, in the same buckets. */
  readonly before: Pick<HealthSeries, 'sessions' | 'crashed'> | undefined
}

const MAX_ENVIRONMENTS = 20
const MAX_BUCKETS = 60

/** Five reads of the sessions in the window. Throws `SondeError` (`invalid`) for a window without length. */
export async function releaseHealth(
  deps: Deps,
  grant: ProjectGrant,
  {
    release,
    before,
    ...filter
  }: HealthFilter & { readonly release: string; readonly before: string | undefined },
): Promise<HealthOfRelease> {
  const window = bucketWindow({ fromMs: filter.fromMs, toMs: filter.toMs, buckets: MAX_BUCKETS }, '1m')
  const { fromMs, toMs, stepMs, startsMs } = window
  const steps = async (version: string) => {
    const rows = await sessionGroups(deps, grant, {
      ...filter,
      fromMs,
      toMs,
      release: [version],
      by: [],
      users: [],
      stepMs,
      limit: startsMs.length,
    })
    const of = (kind: 'all' | 'crashed'): readonly number[] => {
      const byStep = new Map(rows.map(({ step, sessions }) => [step, sessions[kind]]))
      return startsMs.map((_, at) => byStep.get(at) ?? 0)
    }
    return { sessions: of('all'), crashed: of('crashed') }
  }
  const [{ total, releases }, environments, series, earlier] = await Promise.all([
    releasesHealth(deps, grant, { ...filter, releases: [release] }),
    sessionGroups(deps, grant, {
      ...filter,
      release: [release],
      by: ['environment'],
      users: USERS,
      limit: MAX_ENVIRONMENTS,
    }),
    steps(release),
    before === undefined ? undefined : steps(before),
  ])
  return {
    release: releases[0],
    total,
    environments: environments.map((row) => ({ environment: row.environment, ...healthOf(row) })),
    series: { ...window, ...series },
    before: earlier,
  }
}
