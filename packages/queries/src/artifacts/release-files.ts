/** The files that were uploaded one by one for a release, as `sentry-cli releases files list` shows them. */
import type { Grant } from '@sonde/access'
import { inProjects } from '@sonde/stores'
import { type Cursor, FIRST_PAGE, offsetOf, offsetPage, type Page, pageLimit } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'

/** "Is what makes these scripts readable there?" Asked by builds before they go live, with the debug ids of their files. */
const ARTIFACT_STATES = ['readable', 'broken', 'missing'] as const
export type ArtifactState = (typeof ARTIFACT_STATES)[number]

export type DebugIdState = {
  /** Lower case with hyphens, as asked. */
  readonly debugId: string
  readonly state: ArtifactState
  /** What is wrong with it, for people; empty: nothing. */
  readonly detail: string
}

export const MAX_REQUESTED_IDS = 1_000

/**
 * In the order of what is asked. The newest map of a debug id decides, as it does when a frame is read. Reads one range of
 * `artifact_file_by_debug_id` per id.
 */
export async function artifactStates(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org'>,
  debugIds: readonly string[],
): Promise<readonly DebugIdState[]> {
  const requested = [...new Set(debugIds)].slice(0, MAX_REQUESTED_IDS)
  if (requested.length === 0) return []
  const files = await records
    .selectFrom('artifact_file')
    .select(['debug_id', 'type', 'problem', 'problem_detail'])
    .where('org_id', '=', grant.orgId)
    .where('debug_id', 'in', requested)
    .where('debug_id', '<>', '')
    .orderBy('id', 'desc')
    .execute()
  const newest = new Map<string, (typeof files)[number]>()
  const known = new Set<string>()
  for (const file of files) {
    known.add(file.debug_id)
    if (file.type === 'source_map' && !newest.has(file.debug_id)) newest.set(file.debug_id, file)
  }
  return requested.map((debugId) => {
    const map = newest.get(debugId)
    if (map && map.problem === '') return { debugId, state: 'readable', detail: '' }
    if (map) return { debugId, state: 'broken', detail: `${map.problem}: ${map.problem_detail}` }
    if (known.has(debugId))
      return { debugId, state: 'broken', detail: 'the script was uploaded without its map' }
    return { debugId, state: 'missing', detail: '' }
  })
}

export type ReleaseFile = {
  readonly id: number
  readonly name: string
  /** Empty: none. */
  readonly dist: string
  /** JSON object. */
  readonly headers: string
  readonly bytes: number
  readonly sha1: string
  readonly createdMs: number
}

export type ReleaseFilesInput = {
  readonly version: string
  readonly fileId?: number
  readonly limit?: number | undefined
  readonly cursor?: Cursor | undefined
}

/** By name. Of a release in several projects a file is listed once. */
export async function releaseFiles(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  { version, fileId, limit, cursor = FIRST_PAGE }: ReleaseFilesInput,
): Promise<Page<ReleaseFile>> {
  const rows = pageLimit(limit, 100)
  let first = records
    .selectFrom('artifact_file')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_file.bundle_id')
    .select(({ fn }) => fn.min('artifact_file.id').as('id'))
    .where('artifact_bundle.org_id', '=', grant.orgId)
    .where('artifact_bundle.release', '=', version)
    .where('artifact_bundle.kind', '=', 'release_files')
  if ('projectId' in grant || grant.projects !== undefined)
    first = first.where('artifact_bundle.id', 'in', (eb) =>
      eb
        .selectFrom('artifact_bundle_project')
        .innerJoin('project', 'project.id', 'artifact_bundle_project.project_id')
        .select('bundle_id')
        .where(inProjects(grant)),
    )
  if (fileId !== undefined) first = first.where('artifact_file.id', '=', fileId)
  const found = await records
    .selectFrom('artifact_file')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_file.bundle_id')
    .select([
      'artifact_file.id',
      'artifact_file.url as name',
      'artifact_bundle.dist',
      'artifact_file.headers',
      'artifact_file.bytes',
      'artifact_file.sha1',
      'artifact_file.created_ms as createdMs',
    ])
    .where(
      'artifact_file.id',
      'in',
      first.groupBy(['artifact_file.url', 'artifact_bundle.dist', 'artifact_file.sha1']),
    )
    .orderBy('artifact_file.url')
    .orderBy('artifact_bundle.dist')
    .orderBy('artifact_file.sha1')
    .limit(rows + 1)
    .offset(offsetOf(cursor))
    .execute()
  return offsetPage(found, cursor, rows)
}
