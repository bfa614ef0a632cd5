/**
 * Signed requests to one bucket: each with a time within which something must come, tried again a few times where that
 * may help. Signatures by aws4fetch: docs/decisions/0032-blobs-on-s3.md
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Address, S3Keys } from './s3-address.ts'
import { errorOf, failureIn, noAnswer, tooLate } from './s3-errors.ts'

export type S3Request = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** A blob's name; undefined: the bucket. */
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** For errors: 'write a blob'. */
  readonly operation: string
  /** Somebody looks whether the server answers: one try, a short one. */
  readonly isLook?: boolean
}

export type S3Answer = {
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array>
  /** All of it, as text. */
  text(): Promise<string>
}

export type S3Client = {
  readonly address: S3Address
  /**
   * Resolves with what `read` made of the answer, undefined when there is no such blob. `read` is called again when the
   * request is repeated. Throws `SondeError` after all tries.
   */
  send<Result>(request: S3Request, read: (answer: S3Answer) => Promise<Result>): Promise<Result | undefined>
}

export type S3Limits = {
  /** Within which an answer begins, and within which more of a body comes. */
  readonly quietMs: number
  readonly attempts: number
}

// Whoever looks at the status page waits for it.
const LOOK_MS = 3_000
// Servers answer within a second; one that is repaired or very busy may take some. Three tries end within half a minute.
const LIMITS: S3Limits = { quietMs: 10_000, attempts: 3 }
// An upload says nothing before it is there: on a slow line it may take its bytes' time.
const SLOWEST_BYTES_PER_MS = 100
const FIRST_PAUSE_MS = 100
/** A 404 of something else than the blob. */
const OTHERS_MISSING = new Set(['NoSuchBucket', 'NoSuchUpload'])

export function createS3Client(address: S3Address, keys: S3Keys, limits: S3Limits = LIMITS): S3Client {
  const { quietMs, attempts } = limits
  const signingKeys = new Map<string, ArrayBuffer>()

  const sign = async ({ method, name, query, headers, body }: S3Request) => {
    const key = name === undefined ? '' : `/${address.prefix}${name}`
    const url = new URL(`${address.endpoint}/${address.bucket}${key}`)
    for (const [one, value] of Object.entries(query ?? {})) url.searchParams.set(one, value)
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      // Signed: the server checks that these are the bytes that it got.
      headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? NOTHING) },
      service: 's3',
      region: address.region,
      accessKeyId: keys.accessKey,
      secretAccessKey: keys.secretKey,
      cache: signingKeys,
    })
    const signed = await signer.sign()
    // Unsigned, since proxies change it: what they compress could not be checked.
    signed.headers.set('accept-encoding', 'identity')
    return signed
  }

  const once = async <Result>(
    request: S3Request,
    read: (answer: S3Answer) => Promise<Result>,
  ): Promise<Result | undefined> => {
    const { method, url, headers } = await sign(request)
    const { body } = request
    const abort = new AbortController()
    const untilMs =
      (request.isLook ? Math.min(LOOK_MS, quietMs) : quietMs) + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS
    const late = setTimeout(() => abort.abort(tooLate(untilMs)), untilMs)
    let answer: Response
    try {
      const init = { method, headers, signal: abort.signal, redirect: 'manual' } as const
      answer = await fetch(
        url,
        body === undefined ? init : { ...init, body: body as Uint8Array<ArrayBuffer> },
      )
    } finally {
      clearTimeout(late)
    }
    const stream = unquiet(answer.body, quietMs, abort)
    if (answer.ok) return await read({ headers: answer.headers, body: stream, text: () => textOf(stream) })
    const region = answer.headers.get('x-amz-bucket-region') ?? undefined
    const failure = failureIn(await textOf(stream), answer.status, region)
    const isMissing = answer.status === 404 && request.name !== undefined && !OTHERS_MISSING.has(failure.code)
    if (isMissing) return undefined
    throw failure
  }

  return {
    address,
    async send(request, read) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(request, read)
        } catch (error) {
          const failure = noAnswer(error)
          if (attempt < attempts && failure.isPassing && !request.isLook) {
            await sleep(FIRST_PAUSE_MS * 4 ** (attempt - 1) * (0.5 + Math.random() / 2))
            continue
          }
          const subject = request.name ?? address.bucket
          throw errorOf(failure, address, { operation: request.operation, subject })
        }
      }
    },
  }
}

const NOTHING = new Uint8Array()
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

/** Fails when a part that was asked for does not come in time. Whoever reads slowly has all the time. */
function unquiet(
  body: ReadableStream<Uint8Array> | null,
  quietMs: number,
  abort: AbortController,
): ReadableStream<Uint8Array> {
  const reader = body?.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(to) {
        const late = setTimeout(() => abort.abort(tooLate(quietMs)), quietMs)
        try {
          const part = await reader?.read()
          if (part?.value) to.enqueue(part.value)
          else to.close()
        } catch (error) {
          to.error(error)
        } finally {
          clearTimeout(late)
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
