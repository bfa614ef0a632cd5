import type { Records } from '../records/schema.ts'
import { FILE_COLUMNS, type FileRow, foundFile, type FoundFiles, foundMap, notFound } from './found-files.ts'

/** How the address of a script that ran is compared with the name that its file was uploaded under. */

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(?=\/|$)/i
const DRIVE = /^[a-z]:(?=\/)/i
/** Never asked for: it only makes the resolver treat a path as one. */
const NOWHERE = 'http://nowhere.invalid'

/**
 * The names under which a script may have been uploaded, the most exact first: its whole address, then `~/path`, which
 * stands for any host. Query and fragment say how it was asked for, not which file it is.
 */
export function uploadNames(url: string): readonly string[] {
  // Webpack's names of sources have a dot after the host: `webpack:///./src/a.ts`.
  const plain = withoutQuery(url.replaceAll('\\', '/')).replaceAll('/./', '/')
  const { origin, path } = splitOrigin(plain)
  if (path === '' || path === '/') return [plain]
  const underAnyHost = `~${path.startsWith('/') ? '' : '/'}${path}`
  const names = [withoutQuery(url), plain, underAnyHost]
  if (/^file:/i.test(origin)) names.push(path)
  // Browsers write `[id].js` as `%5Bid%5D.js`.
  return [...new Set([...names, ...names.map(decoded)])]
}

/** Where a file says that its map is, as names of uploads. `base` is the name that the file itself was uploaded under. */
export function mapNames(base: string, reference: string): readonly string[] {
  if (ORIGIN.test(reference)) return uploadNames(reference)
  const { origin, path } = splitOrigin(base.startsWith('~/') ? base.slice(1) : base)
  const isRooted = path.startsWith('/')
  let resolved: string
  try {
    const { pathname } = new URL(withoutQuery(reference), `${NOWHERE}/${path.replace(/^\//, '')}`)
    resolved = pathname
  } catch {
    return []
  }
  const own = isRooted ? `${origin}${resolved}` : resolved.slice(1)
  const names = [...(base.startsWith('~/') ? [] : [own]), `~${resolved}`]
  return [...new Set([...names, ...names.map(decoded)])]
}

function withoutQuery(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

function splitOrigin(url: string): { readonly origin: string; readonly path: string } {
  const origin = ORIGIN.exec(url)?.[0] ?? DRIVE.exec(url)?.[0] ?? ''
  return { origin, path: url.slice(origin.length) }
}

function decoded(name: string): string {
  try {
    return decodeURI(name).replaceAll('%5B', '[').replaceAll('%5D', ']')
  } catch {
    return name
  }
}

// From a script that was uploaded to its map: what its header or its last comment names, among the files beside it.

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
