/** The source that a map names without having its text: it may have been uploaded as a file of its own. */
import { ARTIFACT_TYPES } from '../records/artifact-tables.ts'
import type { Records } from '../records/schema.ts'
import { mapNames, mapOfScript, uploadNames } from './artifact-urls.ts'
import {
  FILE_COLUMNS,
  type FoundFile,
  foundFile,
  type FoundFiles,
  foundMap,
  isScript,
  isUsable,
  notFound,
} from './found-files.ts'

// Script and map by the debug id that a build wrote into both. Ids are unique, so they are looked up in the whole
// organization: an upload to the wrong project works all the same.

/** An id is uploaded again with every build that leaves a file as it was; the newest are enough. */
const MAX_FILES = 50

/** `debugId` in lower case with hyphens. Undefined: no file has it. */
export async function findByDebugId(
  records: Records,
  orgId: number,
  debugId: string,
): Promise<FoundFiles | undefined> {
  const files = await records
    .selectFrom('artifact_file')
    .select(FILE_COLUMNS)
    .where('org_id', '=', orgId)
    .where('debug_id', '=', debugId)
    .where('debug_id', '!=', '')
    .where('type', 'in', ARTIFACT_TYPES)
    .orderBy('id', 'desc')
    .limit(MAX_FILES)
    .execute()
  const maps = files.filter(({ type }) => type === 'source_map')
  const map = maps.find(isUsable) ?? maps[0]
  const scripts = files.filter(isScript)
  const script = scripts.find((each) => each.bundle_id === map?.bundle_id) ?? scripts[0]
  if (map) return foundMap(map, script)
  if (script) return await mapOfScript(records, script, [script.bundle_id])
  const bundle = files[0]
  return bundle && notFound('unsupported_map', `${bundle.url} is a RAM bundle`)
}

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
