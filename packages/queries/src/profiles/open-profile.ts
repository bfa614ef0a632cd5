/** One profile with its stacks; all chunks of a profiler within a time; one tree of the newest of many. */
import type { Grant } from '@sonde/access'
import { boundedQuery } from '../explore/bounded-query.ts'
import type { QueryDeps } from '../query-deps.ts'
import {
  FEWER_PROFILES,
  LISTED,
  type ListedProfile,
  newestProfiles,
  type ProfilesInput,
} from './list-profiles.ts'
import { type ProfileTree, treeOf } from './profile-tree.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>

/** Text of so many bytes is read for one tree: some hundred usual profiles. */
const MAX_BYTES = 16 * 1024 * 1024
export const MAX_PROFILES = 100

export type OpenedProfile = { readonly profiles: readonly ListedProfile[]; readonly tree: ProfileTree }

/** `id`: of a profile, of a chunk, or of a profiler (its newest chunks). Undefined: there is none. */
export async function openProfile(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  { id, thread }: { readonly id: string; readonly thread?: string | undefined },
): Promise<OpenedProfile | undefined> {
  if (!/^[0-9a-f]{32}$/.test(id)) return undefined
  const found = await boundedQuery<ListedProfile>(
    deps,
    `SELECT ${LISTED} FROM profiles
     WHERE project_id = {project:UInt32} AND (profile_id = {id:String} OR profiler_id = {id:String})
     ORDER BY timestamp DESC, profiles.profile_id LIMIT ${MAX_PROFILES}`,
    { project: grant.projectId, id },
    FEWER_PROFILES,
  )
  if (found.length === 0) return undefined
  const own = found.filter(({ profileId }) => profileId === id).slice(0, 1)
  return opened(deps, grant, own.length > 0 ? own : found, thread)
}

/** Of the newest that match, as many as can be read. */
export async function aggregateProfile(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  input: ProfilesInput,
): Promise<OpenedProfile> {
  return opened(deps, grant, await newestProfiles(deps, grant, { ...input, limit: MAX_PROFILES }), undefined)
}

async function opened(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  found: readonly ListedProfile[],
  thread: string | undefined,
): Promise<OpenedProfile> {
  const { profiles, bodies } = await readBodies(deps, grant, found)
  return { profiles, tree: treeOf(bodies, thread) }
}

/** Of the first ones as many as can be read at once; at least one. */
export async function readBodies(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  found: readonly ListedProfile[],
): Promise<{ readonly profiles: readonly ListedProfile[]; readonly bodies: readonly string[] }> {
  let bytes = 0
  const profiles = found.filter(({ bodySize }, at) => (bytes += bodySize) <= MAX_BYTES || at === 0)
  const rows =
    profiles.length === 0
      ? []
      : await boundedQuery<{ body: string }>(
          deps,
          `SELECT body FROM profiles
           WHERE project_id = {project:UInt32} AND profile_id IN {ids:Array(String)}
           LIMIT 1 BY profile_id`,
          { project: grant.projectId, ids: profiles.map(({ profileId }) => profileId) },
          FEWER_PROFILES,
        )
  return { profiles, bodies: rows.map(({ body }) => body) }
}
