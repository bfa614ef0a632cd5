/** Which uploaded names are nearest to the address of a script that none of them is: to see what went wrong. */
import type { Records } from '../records/schema.ts'
import { uploadNames } from './artifact-urls.ts'

const MAX_COMPARED = 2000
const MAX_SHOWN = 3
// Of a file, from its end: enough to tell two builds of it.
const MAX_NAME = 200

export async function nearestNames(
  records: Records,
  bundleIds: readonly number[],
  url: string,
): Promise<readonly string[]> {
  const rows = await records
    .selectFrom('artifact_file')
    .select('url')
    .distinct()
    .where('bundle_id', 'in', bundleIds)
    .where('type', 'in', ['minified_source', 'source'])
    .limit(MAX_COMPARED)
    .execute()
  const wanted = (uploadNames(url).at(-1) ?? url).split('/')
  return rows
    .map((row) => ({ url: row.url, score: likeness(wanted, row.url.split('/')) }))
    .toSorted((a, b) => b.score - a.score || a.url.localeCompare(b.url))
    .slice(0, MAX_SHOWN)
    .map((row) => row.url.slice(0, 200))
}

/** The same file in another folder first, then another build of it, then its neighbours. */
function likeness(wanted: readonly string[], name: readonly string[]): number {
  let same = 0
  while (same < wanted.length && same < name.length && wanted.at(-1 - same) === name.at(-1 - same)) same++
  const folders = wanted.slice(0, -1).filter((folder) => folder !== '~' && name.includes(folder)).length
  return same * 100 + (stemOf(wanted) === stemOf(name) ? 50 : 0) + folders
}

/** `index-Bx3f9a1c.js` → `index`. */
function stemOf(path: readonly string[]): string {
  const name = (path.at(-1) ?? '').slice(-MAX_NAME)
  return name
    .replace(/[-._][\w-]{6,}(?=\.)/, '')
    .split('.', 1)
    .join()
}
