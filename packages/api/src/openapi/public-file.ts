/** What anybody may read and is made once: packed where the client takes it, and not sent again to who has it. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ApiContext } from '../api-context.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Made = { readonly plain: Bytes; readonly packed: Bytes; readonly etag: string }

const pack = promisify(gzip)

/** `read` is asked for the first who asks, and again only when it failed. */
export function publicFile(
  type: string,
  read: () => Promise<Uint8Array> | Uint8Array | string,
  more: Readonly<Record<string, string>> = {},
): (c: ApiContext) => Promise<Response> {
  let made: Promise<Made> | undefined
  const make = async (): Promise<Made> => {
    const content = await read()
    const plain = new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content)
    // Weak: it stands for the packed form too.
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`
    return { plain, packed: new Uint8Array(await pack(plain)), etag }
  }
  return async (c) => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    const { plain, packed, etag } = await made
    const headers = { etag, 'cache-control': 'public, no-cache', vary: 'accept-encoding', ...more }
    if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
    const isPacked = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
    return c.body(isPacked ? packed : plain, 200, {
      ...headers,
      'content-type': type,
      ...(isPacked && { 'content-encoding': 'gzip' }),
    })
  }
}
