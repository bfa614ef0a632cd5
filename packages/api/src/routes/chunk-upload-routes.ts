/** How sentry-cli and the bundler plugins send an upload: in pieces that are named by their SHA-1. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createSemaphore, SondeError } from '@sonde/base'
import { CHUNK_LIMITS, MAX_BUNDLE_BYTES, openChunkUpload } from '@sonde/commands'
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { API_BODY_BYTES } from '../body-limits.ts'
import { type FormFile, readForm } from '../multipart.ts'

const unzip = promisify(gunzip)
const PATH = '/organizations/:org/chunk-upload'

// Each holds up to 8 MiB. A slow line needs minutes for one, so few would let two builds block all others.
const CHUNKS_AT_ONCE = 24
const ENTER_WITHIN_MS = 30_000
// A packed chunk that does not pack.
const SLACK_BYTES = 64 * 1024

const LIMITS = {
  requestBytes: API_BODY_BYTES.chunks,
  fileBytes: CHUNK_LIMITS.chunkBytes + SLACK_BYTES,
  files: CHUNK_LIMITS.chunksPerRequest,
  fields: 16,
} as const

export function chunkUploadRoutes(api: Api, options: ApiOptions): void {
  const { commands } = options
  const enter = createSemaphore(CHUNKS_AT_ONCE, {
    waitMs: ENTER_WITHIN_MS,
    operation: 'take an upload',
    what: 'uploads',
  })

  api.get(PATH, async (c) => {
    const { orgSlug } = await orgGrant(c, 'release:write')
    return c.json({
      url: `${originOf(c, options)}/api/0/organizations/${orgSlug}/chunk-upload/`,
      chunkSize: CHUNK_LIMITS.chunkBytes,
      chunksPerRequest: CHUNK_LIMITS.chunksPerRequest,
      maxFileSize: MAX_BUNDLE_BYTES,
      maxRequestSize: CHUNK_LIMITS.requestBytes,
      maxWait: 0,
      concurrency: CHUNK_LIMITS.concurrency,
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      // v2: what is missing is told before anything is sent.
      accept: ['release_files', 'artifact_bundles', 'artifact_bundles_v2'],
    })
  })

  api.post(PATH, async (c) => {
    const takeChunk = openChunkUpload(commands, await orgGrant(c, 'release:write'))
    let count = 0
    const take = async (file: FormFile): Promise<void> => {
      if (file.field !== 'file' && file.field !== 'file_gzip') return
      await takeChunk(file.fileName, await plainBytes(file))
      count++
    }
    await readForm(c, LIMITS, take, enter)
    if (count === 0)
      throw new SondeError('invalid', 'the form has no part called "file" or "file_gzip"', {
        operation: 'take chunks',
      })
    return c.body(null, 200)
  })
}

async function plainBytes({ field, fileName, bytes }: FormFile): Promise<Uint8Array> {
  if (field === 'file') return bytes
  return await unzip(bytes, { maxOutputLength: CHUNK_LIMITS.chunkBytes }).catch((cause: unknown) => {
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    const what = isLarge ? `has more than ${CHUNK_LIMITS.chunkBytes} bytes` : 'cannot be unpacked'
    throw new SondeError('invalid', `the chunk ${fileName.slice(0, 60)} ${what}`, {
      operation: 'take chunks',
      cause,
    })
  })
}

/**
 * Absolute and of the origin that was asked, because clients refuse to send their token anywhere else. Only our own names
 * are believed.
 */
function originOf(c: ApiContext, { publicUrl, trustedOrigins = [] }: ApiOptions): string {
  const host = c.req.header('host')
  return trustedOrigins.find((origin) => new URL(origin).host === host) ?? publicUrl
}
