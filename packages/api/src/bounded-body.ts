/** The bytes of a request as they come, counted while they are read: a chunked body tells its length to nobody. */
import { Readable } from 'node:stream'
import type { ApiContext } from './api-context.ts'

/** Throws what `tooLarge` makes as soon as more than `maxBytes` are told or have come. What is left is not read. */
export async function* boundedBody(
  c: ApiContext,
  maxBytes: number,
  tooLarge: () => Error,
): AsyncGenerator<Buffer> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge()
  const { body } = c.req.raw
  if (body === null) return
  let received = 0
  for await (const piece of Readable.fromWeb(body as never) as AsyncIterable<Buffer>) {
    received += piece.length
    if (received > maxBytes) throw tooLarge()
    yield piece
  }
}
