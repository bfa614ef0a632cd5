/** Blobs as objects of an S3 bucket. docs/operate/s3.md, docs/decisions/0032-blobs-on-s3.md */
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type Clock, ConfigError, type SondeError, systemClock } from '@sonde/base'
import { checkBlobName, isBlobName } from '../blob-name.ts'
import type { Blobs } from '../blobs.ts'
import { readS3Url, type S3Place } from './s3-address.ts'
import { createS3Client, type S3Answer, type S3Client, type S3Limits } from './s3-client.ts'
import { cutShort, damaged, errorOf, S3Failure } from './s3-errors.ts'
import { abandonOld, inMemory, isLarge, type PartSource, putLarge } from './s3-multipart.ts'
import { elementsIn, textIn } from './s3-xml.ts'

/**
 * As metadata: every server keeps it, also of what was put in parts, and copies of the bucket have it. Not all know S3's
 * own checksums.
 */
const CHECKSUM = 'x-amz-meta-crc32'

/** Looks whether the bucket can be used at all. Throws `ConfigError` where it cannot, `UnavailableError` without an answer. */
export async function openS3Blobs(place: S3Place, limits?: S3Limits): Promise<Blobs> {
  const client = openClient(place, limits)
  const blobs = s3Blobs(client)
  try {
    await tryOut(client)
  } catch (error) {
    const { cause, message, hint } = error as SondeError
    if (cause instanceof S3Failure && !cause.isPassing)
      throw new ConfigError('SONDE_BLOBS_URL', message, hint)
    throw error
  }
  return blobs
}

/** Gives up uploads that a crash left unfinished more than a day ago. See `sweepBlobs`. */
export async function sweepS3(place: S3Place, clock: Clock = systemClock): Promise<void> {
  await abandonOld(openClient(place), clock.nowMs())
}

function openClient({ url, keys }: S3Place, limits?: S3Limits): S3Client {
  const address = readS3Url(url)
  if (!address)
    throw new ConfigError('SONDE_BLOBS_URL', 'is no URL such as s3://bucket/prefix?endpoint=…&region=…')
  if (!keys)
    throw new ConfigError(
      'SONDE_BLOBS_URL',
      'needs a key',
      'set SONDE_BLOBS_ACCESS_KEY and SONDE_BLOBS_SECRET_KEY',
    )
  return createS3Client(address, keys, limits)
}

function s3Blobs(client: S3Client): Blobs {
  return {
    async put(name, bytes) {
      checkBlobName(name)
      await put(client, name, bytes)
    },
    async putFile(name, path) {
      checkBlobName(name)
      const file = await open(path)
      try {
        await putFrom(client, name, {
          length: (await file.stat()).size,
          async read(from, to) {
            const bytes = Buffer.allocUnsafe(to - from)
            for (let at = 0; at < bytes.length;) {
              const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at)
              if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`)
              at += bytesRead
            }
            return bytes
          },
        })
      } finally {
        await file.close()
      }
    },
    async get(name) {
      checkBlobName(name)
      return await get(client, name)
    },
    async open(name) {
      checkBlobName(name)
      const about = { operation: 'read a blob', subject: name }
      return await client.send({ method: 'GET', name, operation: about.operation }, async (answer) => {
        const parts = checked(answer)
        // Within the tries: what breaks at once is asked for again.
        const first = await parts.next()
        const bytes = Number(answer.headers.get('content-length'))
        return { bytes, stream: streamOf(first, parts, (cause) => errorOf(cause, client.address, about)) }
      })
    },
    async delete(name) {
      checkBlobName(name)
      await remove(client, name)
    },
    list: (prefix) => list(client, prefix),
    async checksum(name) {
      checkBlobName(name)
      const request = { method: 'HEAD', name, operation: 'look at a blob' } as const
      return await client.send(request, async ({ headers }) => headers.get(CHECKSUM) ?? undefined)
    },
    async whereabouts() {
      await listPage(client, '', { 'max-keys': '1' }, true)
      const { bucket, prefix, endpoint } = client.address
      return `bucket ${bucket}${prefix === '' ? '' : `, ${prefix}`} at ${endpoint} answers`
    },
  }
}

// The checksum of 128 MiB at once would hold up everything for a tenth of a second.
const CHECKSUM_AT_ONCE_BYTES = 8 * 1024 * 1024

const put = (client: S3Client, name: string, bytes: Uint8Array): Promise<void> =>
  putFrom(client, name, inMemory(bytes))

async function putFrom(client: S3Client, name: string, source: PartSource): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream', [CHECKSUM]: await checksumOf(source) }
  if (isLarge(source)) return await putLarge(client, name, source, headers)
  const body = await source.read(0, source.length)
  const request = { method: 'PUT', name, headers, body, operation: 'write a blob' } as const
  await client.send(request, (answer) => answer.text())
}

/** As `Blobs.checksum`. */
export const blobChecksum = (bytes: Uint8Array): Promise<string> => checksumOf(inMemory(bytes))

async function checksumOf(source: PartSource): Promise<string> {
  let sum = 0
  for (let at = 0; at < source.length; at += CHECKSUM_AT_ONCE_BYTES) {
    if (at > 0) await turn()
    sum = crc32(await source.read(at, Math.min(source.length, at + CHECKSUM_AT_ONCE_BYTES)), sum)
  }
  return hex(sum)
}

const hex = (sum: number): string => sum.toString(16).padStart(8, '0')

async function get(client: S3Client, name: string): Promise<Uint8Array | undefined> {
  return await client.send({ method: 'GET', name, operation: 'read a blob' }, async (answer) => {
    const parts: Uint8Array[] = []
    for await (const part of checked(answer)) parts.push(part)
    return Buffer.concat(parts)
  })
}

/** Fails at its end when these were not all bytes, or not those that were written. */
async function* checked({ headers, body }: S3Answer): AsyncGenerator<Uint8Array, undefined> {
  const wanted = { bytes: Number(headers.get('content-length')), sum: headers.get(CHECKSUM) ?? undefined }
  let bytes = 0
  let sum = 0
  for await (const part of body) {
    bytes += part.length
    sum = crc32(part, sum)
    yield part
  }
  if (bytes !== wanted.bytes) throw cutShort(bytes, wanted.bytes)
  if (wanted.sum !== undefined && wanted.sum !== hex(sum))
    throw damaged(`its checksum is ${hex(sum)}, that of what was written ${wanted.sum}`)
}

type Part = IteratorResult<Uint8Array, undefined>

function streamOf(
  first: Part,
  rest: AsyncGenerator<Uint8Array, undefined>,
  failing: (cause: unknown) => Error,
): ReadableStream<Uint8Array> {
  let next: Part | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(to) {
        try {
          const { done, value } = next ?? (await rest.next())
          next = undefined
          if (done) to.close()
          else to.enqueue(value)
        } catch (error) {
          throw failing(error)
        }
      },
      cancel: async () => void (await rest.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}

async function remove(client: S3Client, name: string): Promise<void> {
  await client.send({ method: 'DELETE', name, operation: 'delete a blob' }, (answer) => answer.text())
}

async function* list(client: S3Client, prefix: string): ReturnType<Blobs['list']> {
  const skip = client.address.prefix.length
  for (let more: Readonly<Record<string, string>> | undefined = {}; more;) {
    const page: string = await listPage(client, prefix, more)
    for (const object of elementsIn(page, 'Contents')) {
      const name = (textIn(object, 'Key') ?? '').slice(skip)
      // What else lies in the bucket is not ours.
      if (isBlobName(name)) yield { name, bytes: Number(textIn(object, 'Size')) }
    }
    const token = textIn(page, 'NextContinuationToken')
    more = token === undefined ? undefined : { 'continuation-token': token }
  }
}

async function listPage(
  client: S3Client,
  prefix: string,
  more: Readonly<Record<string, string>>,
  isLook = false,
): Promise<string> {
  const query = { 'list-type': '2', prefix: client.address.prefix + prefix, ...more }
  const request = { method: 'GET', query, operation: 'list blobs', isLook } as const
  return (await client.send(request, (answer) => answer.text())) ?? ''
}

/** All rights that Sonde needs but those of uploads in parts. No blob's name begins with a dot. */
async function tryOut(client: S3Client): Promise<void> {
  const name = `.probe-${randomUUID()}`
  await listPage(client, '', { 'max-keys': '1' })
  await put(client, name, Buffer.from('probe'))
  await get(client, name)
  await remove(client, name)
}
