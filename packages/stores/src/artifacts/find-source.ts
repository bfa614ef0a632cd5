/** The source that a map names without having its text: it may have been uploaded as a file of its own. */
import type { Records } from '../records/schema.ts'
import { mapNames, uploadNames } from './artifact-urls.ts'
import { FILE_COLUMNS, type FoundFile, foundFile, isUsable } from './found-files.ts'

/** `path` as the map says it, relative to where the map was uploaded. Undefined: it was not uploaded with it. */
export async function findSource(
  records: Records,
  map: Pick<FoundFile, 'bundleId' | 'url'>,
  path: string,
): Promise<FoundFile | undefined> {
  const names = [...new Set([...mapNames(map.url, path), ...uploadNames(path)])]
  const file = await records
    .selectFrom('artifact_file')
    .select(FILE_COLUMNS)
    .where('bundle_id', '=', map.bundleId)
    .where('url', 'in', names)
    .where('type', '=', 'source')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return file && isUsable(file) ? foundFile(file) : undefined
}
