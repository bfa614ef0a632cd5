/** An upload that is one debug file: what it is is read from its bytes, and it is stored under its debug id. */
import { type BundleLimits, BundleError, type ChunkSource, writeTransaction } from '@sonde/stores'
import { readDebugFile, SymbolError } from '@sonde/symbols'
import { writeAuditOf } from '../audit.ts'
import type { Upload, UploadStores } from './assemble-upload.ts'
import type { FileFields } from './bundle-files.ts'
import { debugIdsOf, insertBundle, requestReprocessing } from './commit-bundle.ts'
import { openContentStore } from './store-contents.ts'
import { rowOf } from './upload-key.ts'

const MAX_NAME = 1_000

/** Throws `BundleError` for what is wrong with the file, and what `assembleUpload` throws. */
export async function storeDebugFile(
  stores: UploadStores,
  upload: Upload,
  { name, debugId }: { readonly name: string; readonly debugId: string },
  source: ChunkSource,
  limits: Pick<BundleLimits, 'fileBytes'>,
): Promise<void> {
  if (source.bytes > limits.fileBytes)
    throw new BundleError(
      `${name} has ${source.bytes} bytes; of a debug file at most ${limits.fileBytes} are kept`,
    )
  const bytes = await source.read(0, source.bytes)
  const found = parts(bytes, name, debugId)
  const contents = await openContentStore(stores, upload.orgId)
  try {
    const files: FileFields[] = []
    for (const part of found) {
      const stored = await contents.add(part.bytes)
      files.push({
        type: part.kind,
        url: name.slice(0, MAX_NAME),
        debug_id: part.debugId,
        map_ref: part.codeId,
        headers: JSON.stringify({ cpu: part.cpu, features: part.features.join(' ') }),
        blob: stored.blob,
        bytes: part.bytes.length,
        stored_bytes: stored.storedBytes,
        sha1: stored.sha1,
        problem: '',
        problem_detail: '',
      })
    }
    await contents.flush()
    const { orgId, checksum, actor, target } = upload
    const { projectIds } = target
    const atMs = stores.clock.nowMs()
    await writeTransaction(stores.records, async (tx) => {
      await contents.claim(tx)
      const kind = 'debug_file' as const
      const bundle = { orgId, kind, checksum, debugId, release: '', dist: '', projectIds, actor, atMs }
      const id = await insertBundle(tx, bundle, files)
      await requestReprocessing(tx, bundle, { debugIds: debugIdsOf(files), projectIds })
      const key = rowOf(upload)
      await tx
        .updateTable('artifact_assembly')
        .set({ state: 'ok', detail: '', can_retry: 0, updated_ms: atMs })
        .where('org_id', '=', key.org_id)
        .where('checksum', '=', key.checksum)
        .where('target', '=', key.target)
        .execute()
      const detail = { bundleId: id, name, debugIds: debugIdsOf(files), projectIds }
      await writeAuditOf(tx, { orgId, actor, action: 'artifact.upload', subject: name, detail, atMs })
    })
  } catch (error) {
    await contents.discard()
    throw error
  }
}

function parts(bytes: Uint8Array, name: string, debugId: string) {
  try {
    return readDebugFile(bytes, { name, debugId: debugId === '' ? undefined : debugId })
  } catch (error) {
    throw error instanceof SymbolError ? new BundleError(`${name}: ${error.message}`) : error
  }
}
