/** What the commands about uploads share: the errors of their input are texts, as the uploading tools print them. */
import { createHash } from 'node:crypto'
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { CHUNK_LIMITS, storeChunk } from '@sonde/stores'
import type { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import type { Uploads } from './start-uploads.ts'
import { noRoom, roomForChunks } from './store-contents.ts'

// Takes pieces of an upload.

/** `name`: the SHA-1 of the bytes, in hex. Idempotent; on the disk when it resolves. Throws `SondeError` (`invalid`, `unavailable`). */
export type TakeChunk = (name: string, bytes: Uint8Array) => Promise<void>

/** The grant is of before the first byte of a request is read. Throws `SondeError` (`unavailable`). */
export function openChunkUpload(deps: CommandDeps, { orgId }: Grant<'release:write', 'org'>): TakeChunk {
  const uploads = uploadsOf(deps)
  return async (name, bytes) => {
    const sha1 = name.toLowerCase()
    if (!/^[0-9a-f]{40}$/.test(sha1))
      throw invalid(`a chunk is called ${JSON.stringify(name.slice(0, 60))}; its name is its SHA-1`)
    if (bytes.length > CHUNK_LIMITS.chunkBytes)
      throw invalid(`the chunk ${sha1} has more than ${CHUNK_LIMITS.chunkBytes} bytes`)
    const found = createHash('sha1').update(bytes).digest('hex')
    if (found !== sha1) throw invalid(`the chunk ${sha1} has the SHA-1 ${found}: it was changed on its way`)
    if ((await roomForChunks(uploads, orgId)) < bytes.length) throw noRoom(uploads.quotaBytes)
    await storeChunk(uploads, orgId, sha1, bytes)
  }
}

const invalid = (message: string): SondeError =>
  new SondeError('invalid', message, { operation: 'take a chunk' })

/** Throws `SondeError` (`unavailable`) when this Sonde takes no uploads. */
export function uploadsOf({ uploads }: CommandDeps): Uploads {
  if (uploads) return uploads
  throw new SondeError('unavailable', 'uploads are not taken here', { operation: 'upload' })
}

/** Throws `SondeError` (`invalid`), never `InvalidInput`: tools read `detail`. */
export function readUploadInput<Schema extends z.ZodType>(
  operation: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  try {
    return readInput(operation, schema, input)
  } catch (error) {
    throw error instanceof InvalidInput ? textOf(error) : error
  }
}

/** The same for a job that reads input of its own. */
export async function withText<Result>(job: Promise<Result>): Promise<Result> {
  return await job.catch((error: unknown) => {
    throw error instanceof InvalidInput ? textOf(error) : error
  })
}

const textOf = (error: InvalidInput): SondeError =>
  new SondeError('invalid', error.message, { operation: error.operation })
