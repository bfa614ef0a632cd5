import type { ProjectScope, Records } from '@sonde/stores'

/** The project's bundles that a text matches: of release, dist, debug id, checksum, or a file's name. */
export function sqlOfUploads(records: Records, { orgId, projectId }: ProjectScope, text: string) {
  const all = records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('artifact_bundle.org_id', '=', orgId)
  if (text === '') return all
  const part = likePart(text)
  return all.where((on) =>
    on.or([
      on('artifact_bundle.release', 'like', part),
      on('artifact_bundle.dist', '=', text),
      on('artifact_bundle.checksum', '=', text.toLowerCase()),
      on.exists(
        on
          .selectFrom('artifact_file')
          .select('artifact_file.id')
          .whereRef('artifact_file.bundle_id', '=', 'artifact_bundle.id')
          .where((file) =>
            file.or([
              file('artifact_file.url', 'like', part),
              file('artifact_file.debug_id', '=', text.toLowerCase()),
            ]),
          ),
      ),
    ]),
  )
}

/** SQLite's `LIKE` has no escape of its own, so what it reads as a pattern matches any one character. */
export const likePart = (text: string): string => `%${text.slice(0, 200).replaceAll('%', '_')}%`
