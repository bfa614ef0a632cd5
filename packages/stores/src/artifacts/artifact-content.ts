/** How the bytes of an uploaded file lie on the disk: one zstd frame, a fifth of a source map. */
import { promisify } from 'node:util'
import { zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib'
import { SondeError } from '@sonde/base'
import type { Blobs } from '../blobs/blobs.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Of a row of `artifact_file`. */
export type StoredContent = { readonly blob: string; readonly bytes: number }

/**
 * Packing so much takes a third of a millisecond. For the many small files of a large build the way to another thread and
 * back costs several times what the work does.
 */
const AT_ONCE_BYTES = 64 * 1024

/** What is not small on libuv's threads. */
export const packContent = async (bytes: Uint8Array): Promise<Uint8Array> =>
  bytes.length <= AT_ONCE_BYTES ? zstdCompressSync(bytes) : await compress(bytes)

/**
 * The whole file. Undefined: it is not kept (`too_large`), or was deleted after its row was read, so it is to be looked up
 * again. Throws `SondeError`: `unavailable` when the blobs cannot be read, `internal` when they are damaged.
 */
export async function readArtifact(
  blobs: Pick<Blobs, 'get' | 'note'>,
  file: StoredContent,
): Promise<Uint8Array | undefined> {
  if (file.blob === '') return undefined
  const packed = await blobs.get(file.blob)
  if (packed === undefined) {
    blobs.note?.(file.blob, 'missing')
    return undefined
  }
  const damaged = (cause?: unknown): SondeError => {
    blobs.note?.(file.blob, 'damaged')
    return damagedFile(file.blob, cause)
  }
  // An empty buffer is refused as a limit.
  const bytes = await decompress(packed, { maxOutputLength: Math.max(1, file.bytes) }).catch(
    (cause: unknown) => {
      throw damaged(cause)
    },
  )
  if (bytes.length !== file.bytes) throw damaged()
  return bytes
}

function damagedFile(blob: string, cause?: unknown): SondeError {
  return new SondeError('internal', 'the uploaded file is damaged on the server', {
    operation: 'read an uploaded file',
    subject: blob,
    cause,
    hint: 'delete the upload on the Source maps screen and upload it again',
  })
}
