/** What changed between the profiles of two releases, or of two times. */
import type { Grant } from '@sonde/access'
import { boundedQuery } from '../explore/bounded-query.ts'
import type { QueryDeps } from '../query-deps.ts'
import { FEWER_PROFILES, newestProfiles, profileConditions, type ProfilesInput } from './list-profiles.ts'
import { MAX_PROFILES, readBodies } from './open-profile.ts'
import { type Pair, type ProfileDifference, profileDifference } from './profile-difference.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'project'>

export type ProfiledRelease = {
  readonly release: string
  readonly profiles: number
  readonly samples: number
  /** Of its first profile in the window. */
  readonly firstMs: number
}

const MAX_RELEASES = 50

/** Those whose first profile is the newest come first. Reads the columns of the window’s profiles, no stacks. */
export async function profiledReleases(
  deps: Deps,
  grant: ReadGrant,
  input: ProfilesInput,
): Promise<readonly ProfiledRelease[]> {
  const where = await profileConditions(deps, grant, { ...input, release: [] })
  if (where === undefined) return []
  return boundedQuery(
    deps,
    `SELECT release, count() AS profiles, sum(samples) AS samples,
       toUnixTimestamp64Milli(toDateTime64(min(timestamp), 3, 'UTC')) AS firstMs
     FROM profiles WHERE ${where.sql} AND release != ''
     GROUP BY release ORDER BY firstMs DESC, release DESC LIMIT ${MAX_RELEASES}`,
    where.params,
    FEWER_PROFILES,
  )
}

export type ComparedProfiles = ProfileDifference & { readonly profiles: Pair }

/** Of each side the newest, as many as can be read. */
export async function compareProfiles(
  deps: Deps,
  grant: ReadGrant,
  { before, after }: { readonly before: ProfilesInput; readonly after: ProfilesInput },
): Promise<ComparedProfiles> {
  const [old, recent] = await Promise.all(
    [before, after].map(async (input) => {
      const found = await newestProfiles(deps, grant, { ...input, limit: MAX_PROFILES })
      return readBodies(deps, grant, found)
    }),
  )
  return {
    ...profileDifference(old!.bodies, recent!.bodies),
    profiles: { before: old!.profiles.length, after: recent!.profiles.length },
  }
}
