/** One upload from its chunks to its files. Interrupted anywhere, it leaves nothing but reserved names, and can begin anew. */
import { type Clock, SondeError } from '@sonde/base'
import {
  type Blobs,
  BUNDLE_LIMITS,
  BundleError,
  type BundleLimits,
  chunkSource,
  keepChunks,
  type Manifest,
  MAX_BUNDLE_BYTES,
  openBundle,
  readManifest,
  type Records,
  writeTransaction,
} from '@sonde/stores'
import { writeAuditOf } from '../audit.ts'
import { bundleFiles, type FileFields } from './bundle-files.ts'
import { requestReprocessing, checkRelease, debugIdsOf, insertBundle } from './commit-bundle.ts'
import type { MapInspector } from './inspect/map-inspector.ts'
import { openContentStore, type Quota } from './store-contents.ts'
import { storeDebugFile } from './store-debug-file.ts'
import { rowOf, type UploadKey } from './upload-key.ts'

/** `quotaBytes`: what an organization may keep, on the disk. */
export type UploadStores = Quota & {
  readonly blobs: Blobs
  readonly clock: Clock
  readonly maps: MapInspector
  readonly limits?: BundleLimits
}

export type Upload = UploadKey & {
  /** SHA-1, in order. */
  readonly chunks: readonly string[]
  readonly actor: string
}

// What was uploaded is needed no more, unless another upload with the same bytes in it was just told that they are there.
const CHUNKS_AFTERWARDS_MS = 10 * 60_000

/**
 * Throws `BundleError` for what is wrong with the upload, `SondeError`: `invalid` when there is no room, `unavailable` when
 * it cannot be done now; the signal's reason when it was ended.
 */
export async function assembleUpload(
  stores: UploadStores,
  upload: Upload,
  signal: AbortSignal,
): Promise<void> {
  const { records, maps, limits = BUNDLE_LIMITS } = stores
  const source = await openSource(stores, upload)
  const { debugFile } = upload.target
  if (debugFile) return await storeDebugFile(stores, upload, debugFile, source, limits)
  const bundle = await openBundle(source, limits)
  const entry = bundle.entries.get('manifest.json')
  if (!entry) throw new BundleError('the ZIP has no manifest.json: it is no artifact bundle')
  if (entry.bytes > limits.manifestBytes)
    throw new BundleError(`manifest.json has ${entry.bytes} bytes; at most ${limits.manifestBytes} are read`)
  const manifest = readManifest(await bundle.read(entry))
  const projectIds = await projectsOf(records, upload, manifest)
  const release = upload.target.release || manifest.release
  const dist = upload.target.dist || manifest.dist
  checkRelease(release, dist)
  const contents = await openContentStore(stores, upload.orgId)
  try {
    const files = await bundleFiles(bundle, manifest, { contents, maps, limits }, signal)
    checkBundle(files, release)
    await contents.flush()
    signal.throwIfAborted()
    await commit(stores, upload, { manifest, files, projectIds, release, dist }, contents)
  } catch (error) {
    await contents.discard()
    throw error
  }
}

async function openSource({ records, blobs, clock }: UploadStores, upload: Upload) {
  const stored = await keepChunks({ records, clock }, upload.orgId, [...new Set(upload.chunks)])
  const chunks = upload.chunks.map((sha1) => {
    const chunk = stored.get(sha1)
    if (chunk) return chunk
    throw new SondeError('unavailable', 'parts of the upload are not there any more: upload again', {
      operation: 'put an upload together',
      subject: sha1,
    })
  })
  const source = chunkSource(blobs, chunks)
  if (source.bytes > MAX_BUNDLE_BYTES)
    throw new BundleError(`the upload has ${source.bytes} bytes; at most ${MAX_BUNDLE_BYTES} are taken`)
  const sha1 = await source.sha1()
  if (sha1 !== upload.checksum)
    throw new BundleError(`the upload's SHA-1 is ${sha1}, not ${upload.checksum} as was said`)
  return source
}

async function projectsOf(records: Records, upload: Upload, manifest: Manifest): Promise<readonly number[]> {
  if (upload.target.projectIds.length > 0) return upload.target.projectIds
  const row = await records
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', upload.orgId)
    .where('slug', '=', manifest.project)
    .executeTakeFirst()
  if (row) return [row.id]
  throw new BundleError('no project is named: say which with --project')
}

type Found = {
  readonly manifest: Manifest
  readonly files: readonly FileFields[]
  readonly projectIds: readonly number[]
  readonly release: string
  readonly dist: string
}

async function commit(
  { records, clock }: UploadStores,
  upload: Upload,
  { manifest, files, projectIds, release, dist }: Found,
  contents: { claim(tx: Records): Promise<void> },
): Promise<void> {
  const { orgId, checksum, actor } = upload
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    await contents.claim(tx)
    const kind = 'bundle' as const
    const { debugId } = manifest
    const bundle = { orgId, kind, checksum, debugId, release, dist, projectIds, actor, atMs }
    const id = await insertBundle(tx, bundle, files)
    const debugIds = debugIdsOf(files)
    await requestReprocessing(tx, bundle, { debugIds, projectIds, ...(release === '' ? {} : { release }) })
    const key = rowOf(upload)
    await tx
      .updateTable('artifact_assembly')
      .set({ state: 'ok', detail: '', can_retry: 0, updated_ms: atMs })
      .where('org_id', '=', key.org_id)
      .where('checksum', '=', key.checksum)
      .where('target', '=', key.target)
      .execute()
    await tx
      .updateTable('artifact_chunk')
      .set({ expires_ms: atMs + CHUNKS_AFTERWARDS_MS })
      .where('org_id', '=', orgId)
      .where('sha1', 'in', [...new Set(upload.chunks)])
      .execute()
    const detail = { bundleId: id, release, dist, projectIds, fileCount: files.length }
    await writeAuditOf(tx, {
      orgId,
      actor,
      action: 'artifact.upload',
      subject: release || checksum,
      detail,
      atMs,
    })
  })
}

// Uploads that would never make a frame readable are refused, so that a build says it and not a person weeks later.

/** Throws `BundleError`. */
function checkBundle(files: readonly FileFields[], release: string): void {
  if (files.length === 0)
    throw new BundleError('the upload has no scripts or source maps: was the folder the right one?')
  const maps = files.filter(({ type }) => type === 'source_map')
  const usable = maps.filter(({ problem }) => problem === '' || problem === 'no_sources')
  const [broken] = maps
  // One broken map among good ones is shown beside them; a build of nothing but broken ones is stopped.
  if (broken && usable.length === 0) {
    const others = maps.length > 1 ? ` (and ${maps.length - 1} more maps that cannot be read)` : ''
    throw new BundleError(`${broken.url} cannot be read as a source map: ${broken.problem_detail}${others}`)
  }
  if (release === '' && files.every(({ debug_id: id }) => id === ''))
    throw new BundleError(
      'the files have no debug ids and no release, so nothing would find them: run "sentry-cli sourcemaps inject" on them before the build is deployed, or name a release with --release',
    )
}
