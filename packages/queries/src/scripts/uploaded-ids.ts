/** Which debug id a script has, from the uploads of its release: plugins name files by debug id, and say which file each is of. */
import type { CodePosition } from '@sonde/protocol/code-position'
import { nameOf } from '../deployments/file-releases.ts'
import type { QueryDeps } from '../query-deps.ts'

const MAX_FILES = 2_000

/**
 * Undefined: no upload of the release has a file of that name, or several builds do. Of several dists the script's own
 * counts. One read by index.
 */
export async function uploadedDebugIds(
  { records }: Pick<QueryDeps, 'records'>,
  positions: readonly CodePosition[],
): Promise<(position: CodePosition) => string | undefined> {
  const asked = positions.filter(({ release }) => release !== undefined)
  const names = [...new Set(asked.map(({ url }) => nameOf(url)).filter((name) => name !== ''))]
  if (names.length === 0) return () => undefined
  const projects = [...new Set(asked.map(({ projectId }) => projectId))]
  const files = await records
    .selectFrom('artifact_file')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_file.bundle_id')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .select([
      'artifact_bundle_project.project_id as projectId',
      'artifact_bundle.release',
      'artifact_bundle.dist',
      'artifact_file.built_name as name',
      'artifact_file.debug_id as debugId',
    ])
    .distinct()
    .where('artifact_file.org_id', 'in', (select) =>
      select.selectFrom('project').select('project.org_id').where('project.id', 'in', projects),
    )
    .where('artifact_file.built_name', 'in', names)
    .where('artifact_file.debug_id', '!=', '')
    .where('artifact_bundle_project.project_id', 'in', projects)
    .where('artifact_bundle.release', 'in', [...new Set(asked.flatMap(({ release }) => release ?? []))])
    .limit(MAX_FILES)
    .execute()
  // Of one that was cut off nobody knows whether there is another.
  if (files.length === MAX_FILES) return () => undefined
  const byName = Map.groupBy(files, keyOf)
  return ({ projectId, release = '', dist = '', url }) => {
    const found = byName.get(keyOf({ projectId, release, name: nameOf(url) })) ?? []
    const own = found.filter((file) => file.dist === dist)
    const [id, ...others] = new Set((own.length > 0 ? own : found).map(({ debugId }) => debugId))
    return others.length === 0 ? id : undefined
  }
}

type Key = { readonly projectId: number; readonly release: string; readonly name: string }
const keyOf = ({ projectId, release, name }: Key): string => JSON.stringify([projectId, release, name])
