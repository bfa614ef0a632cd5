/** One file for a release, as older uploaders send them: found by release, dist and address. */
import { actorOf, type Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  BundleError,
  inProjects,
  isLongName,
  MAX_NAME_BYTES,
  readHeaders,
  type ProjectScope,
  type Records,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { versionField } from '../releases/release-fields.ts'
import { type FileFields, storeFile } from './bundle-files.ts'
import { requestReprocessing, debugIdsOf, insertBundle, insertFiles } from './commit-bundle.ts'
import { openContentStore } from './store-contents.ts'
import { readUploadInput, uploadsOf } from './upload-input.ts'

const INPUT = z.object({
  version: versionField,
  name: z
    .string()
    .trim()
    .min(1, 'is needed')
    .refine((name) => !isLongName(name), `has at most ${MAX_NAME_BYTES} bytes`),
  dist: z.string().trim().max(64, 'has at most 64 characters'),
  headers: z.array(z.string()).max(32, 'are at most 32'),
})

export type ReleaseFileInput = {
  readonly version: string
  /** `~/static/app.js` or a whole URL. */
  readonly name: string
  readonly dist: string
  /** `Sourcemap:app.js.map`. */
  readonly headers: readonly string[]
}
export type SavedReleaseFile = {
  readonly id: number
  readonly sha1: string
  readonly bytes: number
  /** JSON object, names in lower case. */
  readonly headers: string
  readonly createdMs: number
}

/**
 * Throws `SondeError`: `conflict` when the release has a file of that name, `invalid` also for a
 * map that cannot be read, `unavailable`.
 */
export async function saveReleaseFile(
  deps: CommandDeps,
  /** Of an organization: for all projects of the release. */
  grant: Grant<'release:write', 'org' | 'project'>,
  input: ReleaseFileInput,
  bytes: Buffer,
): Promise<SavedReleaseFile> {
  const operation = 'store a file of a release'
  const uploads = uploadsOf(deps)
  const { version, name, dist, headers } = readUploadInput(operation, INPUT, input)
  const { orgId, viewer } = grant
  const projects =
    'projectId' in grant ? [grant.projectId] : await projectsOfRelease(deps.records, grant, version)
  const contents = await openContentStore(uploads, orgId)
  try {
    const given = { type: typeOf(name), url: name, headers: headersOf(headers, name) }
    const file = await storeFile(given, bytes, { contents, maps: uploads.maps })
    checkMap(file)
    await contents.flush()
    const atMs = deps.clock.nowMs()
    const id = await writeTransaction(deps.records, async (tx) => {
      await contents.claim(tx)
      const by = { orgId, actor: actorOf(viewer), atMs }
      let first: number | undefined
      for (const projectId of projects) {
        const bundle = { ...by, projectId, release: version, dist }
        const added = await addFile(tx, bundle, file)
        first ??= added
      }
      if (first === undefined)
        throw new SondeError('conflict', `release ${version} has a file ${name} already`, { operation })
      const target = { debugIds: debugIdsOf([file]), projectIds: projects, release: version }
      await requestReprocessing(tx, by, target)
      const detail = { url: name, dist, bytes: file.bytes, projectIds: projects }
      await writeAudit(tx, { orgId, viewer, action: 'artifact.upload', subject: version, detail, atMs })
      return first
    })
    deps.onArtifacts?.()
    return { id, sha1: file.sha1, bytes: file.bytes, headers: file.headers, createdMs: atMs }
  } catch (error) {
    await contents.discard()
    if (!(error instanceof BundleError)) throw error
    throw new SondeError('invalid', error.message, { operation, cause: error })
  }
}

type Place = {
  readonly orgId: number
  readonly projectId: number
  readonly release: string
  readonly dist: string
  readonly actor: string
  readonly atMs: number
}

/** The id of its row; undefined: there is one of that name. */
async function addFile(tx: Records, place: Place, file: FileFields): Promise<number | undefined> {
  const { orgId, projectId, release, dist, actor, atMs } = place
  const found = await tx
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .select('artifact_bundle.id')
    .where('artifact_bundle.org_id', '=', orgId)
    .where('artifact_bundle.release', '=', release)
    .where('artifact_bundle.dist', '=', dist)
    .where('artifact_bundle.kind', '=', 'release_files')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .executeTakeFirst()
  if (!found) {
    const kind = 'release_files' as const
    const bundle = {
      orgId,
      kind,
      checksum: '',
      debugId: '',
      release,
      dist,
      projectIds: [projectId],
      actor,
      atMs,
    }
    const id = await insertBundle(tx, bundle, [])
    return (await insertFiles(tx, { id, orgId, atMs }, [file]))[0]
  }
  const { id } = found
  const same = await tx
    .selectFrom('artifact_file')
    .select('id')
    .where('bundle_id', '=', id)
    .where('url', '=', file.url)
    .executeTakeFirst()
  return same ? undefined : (await insertFiles(tx, { id, orgId, atMs }, [file]))[0]
}

async function projectsOfRelease(records: Records, scope: ProjectScope, version: string): Promise<number[]> {
  const rows = await records
    .selectFrom('release_project')
    .innerJoin('release', 'release.id', 'release_project.release_id')
    .innerJoin('project', 'project.id', 'release_project.project_id')
    .select('release_project.project_id')
    .where(inProjects(scope))
    .where('release.org_id', '=', scope.orgId)
    .where('release.version', '=', version)
    .execute()
  if (rows.length > 0) return rows.map((row) => row.project_id)
  throw new SondeError('invalid', `release ${version} has no projects: name one with --project`, {
    operation: 'store a file of a release',
  })
}

function typeOf(name: string) {
  const [path = ''] = name.split(/[?#]/, 1)
  if (path.endsWith('.map')) return 'source_map' as const
  return /\.(?:[cm]?js|jsbundle|bundle)$/.test(path) ? ('minified_source' as const) : ('source' as const)
}

function headersOf(lines: readonly string[], name: string): Readonly<Record<string, string>> {
  const pairs = lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, Math.max(0, at)), line.slice(at + 1)] as const
  })
  return readHeaders(Object.fromEntries(pairs.filter(([key]) => key !== '')), name)
}

function checkMap({ type, url, problem, problem_detail: detail }: FileFields): void {
  if (type === 'source_map' && problem !== '' && problem !== 'no_sources')
    throw new BundleError(`${url} cannot be read as a source map: ${detail}`)
}
