/** "Is what makes these scripts readable there?" Asked by builds before they go live, with the debug ids of their files. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

const ARTIFACT_STATES = ['readable', 'broken', 'missing'] as const
export type ArtifactState = (typeof ARTIFACT_STATES)[number]

export type DebugIdState = {
  /** Lower case with hyphens, as asked. */
  readonly debugId: string
  readonly state: ArtifactState
  /** What is wrong with it, for people; empty: nothing. */
  readonly detail: string
}

export const MAX_ASKED_IDS = 1_000

/**
 * In the order of what is asked. The newest map of a debug id decides, as it does when a frame is read. Reads one range of
 * `artifact_file_by_debug_id` per id.
 */
export async function artifactStates(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org'>,
  debugIds: readonly string[],
): Promise<readonly DebugIdState[]> {
  const asked = [...new Set(debugIds)].slice(0, MAX_ASKED_IDS)
  if (asked.length === 0) return []
  const files = await records
    .selectFrom('artifact_file')
    .select(['debug_id', 'type', 'problem', 'problem_detail'])
    .where('org_id', '=', grant.orgId)
    .where('debug_id', 'in', asked)
    .where('debug_id', '<>', '')
    .orderBy('id', 'desc')
    .execute()
  const newest = new Map<string, (typeof files)[number]>()
  const known = new Set<string>()
  for (const file of files) {
    known.add(file.debug_id)
    if (file.type === 'source_map' && !newest.has(file.debug_id)) newest.set(file.debug_id, file)
  }
  return asked.map((debugId) => {
    const map = newest.get(debugId)
    if (map && map.problem === '') return { debugId, state: 'readable', detail: '' }
    if (map) return { debugId, state: 'broken', detail: `${map.problem}: ${map.problem_detail}` }
    if (known.has(debugId))
      return { debugId, state: 'broken', detail: 'the script was uploaded without its map' }
    return { debugId, state: 'missing', detail: '' }
  })
}
