/**
 * Large blobs in parts: what fails is sent again in parts, not whole. The blob is there once all parts are, whole or not
 * at all. https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
import { createPool } from '@sonde/base'
import type { S3Client } from './s3-client.ts'
import { errorOf, failureIn } from './s3-errors.ts'
import { elementsIn, textIn } from './s3-xml.ts'

// At least 5 MiB, and all but the last equally long: some servers ask for that.
const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 4
const OPERATION = 'write a blob'

/** Bytes in memory, or of a file that is read part by part. */
export type PartSource = {
  readonly length: number
  read(from: number, to: number): Promise<Uint8Array>
}

export const isLarge = ({ length }: { readonly length: number }): boolean => length > 2 * PART_BYTES

export const inMemory = (bytes: Uint8Array): PartSource => ({
  length: bytes.length,
  read: async (from, to) => bytes.subarray(from, to),
})

export async function putLarge(
  client: S3Client,
  name: string,
  source: PartSource,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const to = { name, operation: OPERATION } as const
  const begun = await client.send({ ...to, method: 'POST', query: { uploads: '' }, headers }, (answer) =>
    answer.text(),
  )
  const uploadId = textIn(begun ?? '', 'UploadId') ?? ''
  try {
    const slots = createPool(Array.from({ length: PARTS_AT_ONCE }, (_, at) => at))
    const count = Math.ceil(source.length / PART_BYTES)
    const ends = await Promise.allSettled(
      Array.from({ length: count }, (_, at) =>
        slots.use(async () => {
          const body = await source.read(at * PART_BYTES, Math.min(source.length, (at + 1) * PART_BYTES))
          const query = { partNumber: String(at + 1), uploadId }
          const tag = await client.send({ ...to, method: 'PUT', query, body }, (answer) =>
            Promise.resolve(answer.headers.get('etag') ?? ''),
          )
          return `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`
        }),
      ),
    )
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    const parts = ends.map((end) => (end as PromiseFulfilledResult<string>).value)
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    const done = await client.send({ ...to, method: 'POST', query: { uploadId }, body }, (answer) =>
      answer.text(),
    )
    // Putting the parts together may fail after the answer has begun as a success.
    if (done?.includes('<Error>'))
      throw errorOf(failureIn(done, 500), client.address, { ...to, subject: name })
  } catch (error) {
    // What cannot be given up now goes with `abandonOld`.
    await abandon(client, name, uploadId).catch(() => undefined)
    throw error
  }
}

async function abandon(client: S3Client, name: string, uploadId: string): Promise<void> {
  const request = { method: 'DELETE', name, query: { uploadId }, operation: 'give up an upload' } as const
  await client.send(request, (answer) => answer.text())
}

// Longer than any upload takes: another Sonde on the same bucket may be writing.
const OLD_MS = 24 * 3_600_000

/** Gives up what a crash left unfinished, of any process. Resolves with how many that were. */
export async function abandonOld(client: S3Client, nowMs: number): Promise<number> {
  const { prefix } = client.address
  let count = 0
  for (let from: Readonly<Record<string, string>> | undefined = {}; from;) {
    const query: Readonly<Record<string, string>> = { uploads: '', prefix, ...from }
    const request = { method: 'GET', query, operation: 'look for unfinished uploads' } as const
    const page: string = (await client.send(request, (answer) => answer.text())) ?? ''
    for (const upload of elementsIn(page, 'Upload')) {
      const key = textIn(upload, 'Key') ?? ''
      const uploadId = textIn(upload, 'UploadId') ?? ''
      const isOld = Date.parse(textIn(upload, 'Initiated') ?? '') < nowMs - OLD_MS
      if (!isOld || !key.startsWith(prefix) || uploadId === '') continue
      await abandon(client, key.slice(prefix.length), uploadId)
      count++
    }
    const keyMarker = textIn(page, 'NextKeyMarker')
    const isMore = textIn(page, 'IsTruncated') === 'true' && keyMarker !== undefined
    from = isMore
      ? { 'key-marker': keyMarker, 'upload-id-marker': textIn(page, 'NextUploadIdMarker') ?? '' }
      : undefined
  }
  return count
}
