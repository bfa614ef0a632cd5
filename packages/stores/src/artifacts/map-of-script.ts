/** From a script that was uploaded to its map: what its header or its last comment names, among the files beside it. */
import type { Records } from '../records/schema.ts'
import { mapNames } from './artifact-urls.ts'
import { FILE_COLUMNS, type FileRow, foundFile, type FoundFiles, foundMap, notFound } from './found-files.ts'

/** `bundleIds`: where the map may lie, the newest first. */
export async function mapOfScript(
  records: Records,
  script: FileRow,
  bundleIds: readonly number[],
): Promise<FoundFiles> {
  const reference = mapReference(script)
  if (reference.startsWith('data:')) {
    if (script.blob === '') return notFound('too_large', `${script.url}: ${script.problem_detail}`)
    return { ok: true, map: foundFile(script), isInline: true, script: foundFile(script) }
  }
  // Tools write a map beside its script under its name; many servers are told not to name it.
  const names = reference === '' ? [`${script.url}.map`] : mapNames(script.url, reference)
  const map = await newestNamed(records, names, bundleIds)
  if (map) return foundMap(map, script)
  const detail =
    reference === ''
      ? `${script.url} names no map, and ${script.url}.map was not uploaded`
      : `${script.url} names ${reference.slice(0, 200)}, which was not uploaded`
  return notFound('no_map', detail)
}

function mapReference({ map_ref: reference, headers }: FileRow): string {
  if (reference !== '') return reference
  try {
    const named = JSON.parse(headers) as Readonly<Record<string, unknown>>
    const value = named['sourcemap'] ?? named['x-sourcemap']
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}

/** A map under one of these names; of several in the newest bundle. */
export async function newestNamed(
  records: Records,
  names: readonly string[],
  bundleIds: readonly number[],
): Promise<FileRow | undefined> {
  if (names.length === 0 || bundleIds.length === 0) return undefined
  return await records
    .selectFrom('artifact_file')
    .select(FILE_COLUMNS)
    .where('bundle_id', 'in', bundleIds)
    .where('url', 'in', names)
    .where('type', '=', 'source_map')
    .orderBy('bundle_id', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
