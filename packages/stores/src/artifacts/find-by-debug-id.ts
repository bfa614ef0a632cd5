/**
 * Script and map by the debug id that a build wrote into both. Ids are unique, so they are looked up in the whole
 * organisation: an upload to the wrong project works all the same.
 */
import type { Records } from '../records/schema.ts'
import { FILE_COLUMNS, type FoundFiles, foundMap, isScript, isUsable, notFound } from './found-files.ts'
import { mapOfScript } from './map-of-script.ts'

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
