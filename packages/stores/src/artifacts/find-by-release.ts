/** Script and map by release, dist and address: for code that has no debug ids. Only files of the event's own project. */
import type { Records } from '../records/schema.ts'
import { mapOfScript, newestNamed, uploadNames } from './artifact-urls.ts'
import { FILE_COLUMNS, type FoundFiles, foundMap, isScript, isUsable, notFound } from './found-files.ts'

export type ReleaseOfProject = {
  readonly projectId: number
  readonly release: string
  /** Empty: none. It must be the same as at the upload. */
  readonly dist: string
}

export type FoundRelease =
  /** The newest first. */
  { readonly ok: true; readonly bundleIds: readonly number[] } | Extract<FoundFiles, { readonly ok: false }>

// A release that is uploaded by every branch of a pull request has hundreds; the newest are what runs.
const MAX_BUNDLES = 500

/** What was uploaded for a release at all. */
export async function findRelease(
  records: Records,
  orgId: number,
  { projectId, release, dist }: ReleaseOfProject,
): Promise<FoundRelease> {
  const bundles = await records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .select(['artifact_bundle.id', 'artifact_bundle.dist'])
    .where('artifact_bundle.org_id', '=', orgId)
    .where('artifact_bundle.release', '=', release)
    .where('artifact_bundle_project.project_id', '=', projectId)
    .orderBy('artifact_bundle.id', 'desc')
    .limit(MAX_BUNDLES)
    .execute()
  const own = bundles.filter((bundle) => bundle.dist === dist).map(({ id }) => id)
  if (own.length > 0) return { ok: true, bundleIds: own }
  if (bundles.length > 0) {
    const others = [...new Set(bundles.map((bundle) => bundle.dist))].slice(0, 5).map(distText)
    return notFound(
      'other_dist',
      `the event has ${distText(dist)}, the files have ${others.join(', ')}`,
    ) as FoundRelease
  }
  return notFound(
    'no_release_files',
    await otherUploads(records, orgId, { projectId, release }),
  ) as FoundRelease
}

/** Its script by the address that it was loaded from, and then its map. */
export async function findByUrl(
  records: Records,
  orgId: number,
  release: ReleaseOfProject,
  url: string,
): Promise<FoundFiles> {
  const found = await findRelease(records, orgId, release)
  if (!found.ok) return found
  const { bundleIds } = found
  const names = uploadNames(url)
  const files = await records
    .selectFrom('artifact_file')
    .select(FILE_COLUMNS)
    .where('bundle_id', 'in', bundleIds)
    .where('url', 'in', names)
    .orderBy('bundle_id', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  const newest = files[0]?.bundle_id
  const script = files
    .filter((file) => isScript(file) && file.bundle_id === newest)
    .toSorted((a, b) => names.indexOf(a.url) - names.indexOf(b.url))[0]
  if (script) return await mapOfScript(records, script, bundleIds)
  const ram = files.find(({ type }) => type === 'indexed_ram_bundle')
  if (ram) return notFound('unsupported_map', `${ram.url} is a RAM bundle`)
  // Some upload the maps alone.
  const alone = await newestNamed(
    records,
    names.map((name) => `${name}.map`),
    bundleIds,
  )
  if (alone && isUsable(alone)) return foundMap(alone, undefined)
  const nearest = await nearestNames(records, bundleIds, url)
  const detail = nearest.length === 0 ? 'no script was uploaded' : `uploaded are ${nearest.join(', ')}`
  return notFound('no_such_file', `looked for ${names.at(0)?.slice(0, 200)}; ${detail}`)
}

const distText = (dist: string): string => (dist === '' ? 'no dist' : `dist ${dist}`)

/** What may have been meant: the release of another project, or the project's releases that have files. */
async function otherUploads(
  records: Records,
  orgId: number,
  { projectId, release }: Pick<ReleaseOfProject, 'projectId' | 'release'>,
): Promise<string> {
  const elsewhere = await records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .innerJoin('project', 'project.id', 'artifact_bundle_project.project_id')
    .select('project.slug')
    .distinct()
    .where('artifact_bundle.org_id', '=', orgId)
    .where('artifact_bundle.release', '=', release)
    .limit(3)
    .execute()
  if (elsewhere.length > 0)
    return `release ${release} has files only of ${elsewhere.map(({ slug }) => slug).join(', ')}`
  const releases = await records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .select((select) => ['artifact_bundle.release', select.fn.max('artifact_bundle.id').as('newest')])
    .where('artifact_bundle.org_id', '=', orgId)
    .where('artifact_bundle.release', '!=', '')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .groupBy('artifact_bundle.release')
    .orderBy('newest', 'desc')
    .limit(3)
    .execute()
  if (releases.length === 0) return `release ${release}`
  return `release ${release}; files are there of ${releases.map((each) => each.release).join(', ')}`
}

/** Which uploaded names are nearest to the address of a script that none of them is: to see what went wrong. */
const MAX_COMPARED = 2000
const MAX_SHOWN = 3
// Of a file, from its end: enough to tell two builds of it.
const MAX_NAME = 200

async function nearestNames(
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
