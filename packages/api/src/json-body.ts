/** Reads the JSON object of a request, field by field. */
import { Readable } from 'node:stream'
import { CHUNK_LIMITS, InvalidInput, MAX_CHUNKS } from '@sonde/commands'
import type { ApiContext } from './api-context.ts'

/** How large the body of a request may be, by what it carries. Whatever stands in front must let these through. */
const MIB = 1024 * 1024

export const API_BODY_BYTES = {
  /** Few requests have a long body; a longer one is refused before it is read. */
  json: 100_000,
  /** What a chat or pager tells: Slack sends its whole message back, each character as up to nine. */
  hook: 256 * 1024,
  /** A set of commits with their files. */
  releaseJson: 16 * MIB,
  /** A project with its rules of grouping: two texts of 150,000 characters, each sign as up to three bytes. */
  rules: MIB,
  /** Ownership rules and CODEOWNERS files. */
  ownership: MIB,
  /** Of the pieces of an upload, 43 characters each, and names. */
  assembleJson: MAX_CHUNKS * 50 + 100_000,
  /** Pieces of an upload, what stands between them, and a piece that packing made longer. */
  chunks: CHUNK_LIMITS.requestBytes + CHUNK_LIMITS.chunksPerRequest * 1024 + 64 * 1024,
  /** A code, or what an application registers. */
  oauth: 16 * 1024,
  /** What an issue tracker tells: an issue with its text, which GitHub bounds by 64 KiB, and what stands around it. */
  webhook: 1_000_000,
  /** What a sign-in provider posts: base64 in a form. */
  saml: 512 * 1024,
  /** A person of a directory. */
  scimUser: 100_000,
  /** A group of a directory: 10,000 members of some 300 characters each. */
  scimGroup: 4 * MIB,
  /** One file, whole in memory and a few times its size while it is looked at. Larger ones go in chunks. */
  releaseFile: 33 * MIB,
} as const

export type JsonBody = {
  /** Undefined when absent or not of that type. */
  text(name: string): string | undefined
  flag(name: string): boolean | undefined
  /** Of any type. */
  value(name: string): unknown
  readonly names: readonly string[]
}

/** No body is an empty object. Throws `InvalidInput`. */
export async function jsonObject(c: ApiContext, maxBytes: number): Promise<object> {
  const tooLong = (): InvalidInput =>
    new InvalidInput('read the body', { detail: [`a body has at most ${maxBytes} bytes`] })
  const pieces: Buffer[] = []
  for await (const piece of boundedBody(c, maxBytes, tooLong)) pieces.push(piece)
  return parse(Buffer.concat(pieces).toString())
}

/** For what reads a body that many shapes may have. */
export function fieldsOf(body: object): JsonBody {
  const fields = new Map(Object.entries(body))
  const value = (name: string): unknown => fields.get(name)
  return {
    text: (name) => (typeof value(name) === 'string' ? (value(name) as string) : undefined),
    flag: (name) => (typeof value(name) === 'boolean' ? (value(name) as boolean) : undefined),
    value,
    names: [...fields.keys()],
  }
}

function parse(text: string): object {
  if (text.trim() === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch {
    // answered below
  }
  throw new InvalidInput('read the body', { detail: ['a JSON object is needed'] })
}

// The bytes of a request as they come, counted while they are read: a chunked body tells its length to nobody.

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
