import type { Grant } from '@sonde/access'
import type { Records } from '@sonde/stores'

/** Names of files have no index: those of older uploads are found by release or debug id. */
export const FILES_SEARCHED_IN = 200

/** The project's bundles that a text matches: of release, dist, debug id, checksum, or, of the newest, a file's name. */
export function sqlOfUploads(
  records: Records,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  text: string,
) {
  const all = records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('artifact_bundle.org_id', '=', orgId)
  if (text === '') return all
  const part = likePart(text)
  const newest = records
    .selectFrom('artifact_bundle_project')
    .select('bundle_id')
    .where('project_id', '=', projectId)
    .orderBy('bundle_id', 'desc')
    .limit(FILES_SEARCHED_IN)
  return all.where((on) =>
    on.or([
      on('artifact_bundle.release', 'like', part),
      on('artifact_bundle.dist', '=', text),
      on('artifact_bundle.checksum', '=', text.toLowerCase()),
      on('artifact_bundle.id', 'in', (file) =>
        file
          .selectFrom('artifact_file')
          .select('bundle_id')
          .where('org_id', '=', orgId)
          .where('debug_id', '=', text.toLowerCase())
          .where('debug_id', '<>', ''),
      ),
      on('artifact_bundle.id', 'in', (file) =>
        file
          .selectFrom('artifact_file')
          .select('bundle_id')
          .where('bundle_id', 'in', newest)
          .where('url', 'like', part),
      ),
    ]),
  )
}

/** SQLite's `LIKE` has no escape of its own, so what it reads as a pattern matches any one character. */
export const likePart = (text: string): string => `%${text.slice(0, 200).replaceAll('%', '_')}%`
