/** A file that a row promises: as it was written, or an error that says in words why not. */
import { createHash } from 'node:crypto'
import { errorKind, SondeError } from '@sonde/base'
import type { BlobProblem, Blobs, OpenBlob } from '@sonde/stores'

type PromisedFile = { readonly blob: string; readonly bytes: number; readonly sha1: string }

/**
 * Throws `SondeError`: `gone` when the file is missing or damaged, `unavailable` when it cannot be read now. What shows only at
 * the end of a long file breaks the stream before its last bytes: whoever reads it never has all of it.
 */
export async function openWhole(
  blobs: Pick<Blobs, 'open' | 'note'>,
  { blob, bytes, sha1 }: PromisedFile,
): Promise<OpenBlob> {
  const problem = (what: BlobProblem, cause?: unknown): SondeError => {
    blobs.note?.(blob, what)
    return fileGone(what, { blob, cause })
  }
  const opened = await blobs.open(blob).catch((cause: unknown) => {
    throw errorKind(cause) === 'internal' ? problem('damaged', cause) : cause
  })
  if (!opened) throw problem('missing')
  if (opened.bytes !== bytes) {
    await opened.stream.cancel()
    throw problem('damaged')
  }
  const parts = checked(opened.stream, sha1, (cause) => problem('damaged', cause))
  // Before anybody is answered: a short file is known by then.
  const first = await parts.next()
  return { bytes, stream: streamOf(first, parts) }
}

/** Of files that have no checksum in their row. Undefined: missing or damaged. Throws `SondeError` (`unavailable`). */
export async function getWhole(
  blobs: Pick<Blobs, 'get' | 'note'>,
  blob: string,
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await blobs.get(blob)
    if (bytes === undefined) blobs.note?.(blob, 'missing')
    return bytes
  } catch (error) {
    if (errorKind(error) !== 'internal') throw error
    return undefined
  }
}

/** Its text goes to whoever asked: without the name of the file. */
export function fileGone(
  what: BlobProblem | 'missing or damaged',
  { blob, cause }: { readonly blob: string; readonly cause?: unknown },
): SondeError {
  const message = `This file is ${what} on the server. Its operator finds it named by \`sonde doctor\`, and may have it in a backup.`
  return new SondeError('gone', message, { operation: 'read a stored file', subject: blob, cause })
}

/** One part late, so that the last one is held until the sum is known. */
async function* checked(
  stream: ReadableStream<Uint8Array>,
  sha1: string,
  failing: (cause?: unknown) => SondeError,
): AsyncGenerator<Uint8Array, undefined> {
  const hash = createHash('sha1')
  let held: Uint8Array | undefined
  try {
    for await (const part of stream) {
      hash.update(part)
      if (held) yield held
      held = part
    }
  } catch (cause) {
    throw failing(cause)
  }
  if (hash.digest('hex') !== sha1) throw failing()
  if (held) yield held
}

function streamOf(
  first: IteratorResult<Uint8Array, undefined>,
  rest: AsyncGenerator<Uint8Array, undefined>,
): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array, undefined> | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(to) {
        const { done, value } = next ?? (await rest.next())
        next = undefined
        if (done) to.close()
        else to.enqueue(value)
      },
      cancel: async () => void (await rest.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
