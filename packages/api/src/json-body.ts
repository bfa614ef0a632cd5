/** Reads the JSON object of a request, field by field. */
import { InvalidInput } from '@sonde/commands'
import type { ApiContext } from './api-context.ts'
import { API_BODY_BYTES } from './body-limits.ts'
import { boundedBody } from './bounded-body.ts'

export type JsonBody = {
  /** Undefined when absent or not of that type. */
  text(name: string): string | undefined
  flag(name: string): boolean | undefined
  /** Of any type. */
  value(name: string): unknown
}

/** No body is an empty object. Throws `InvalidInput`. */
export async function jsonBody(c: ApiContext, maxBytes: number = API_BODY_BYTES.json): Promise<JsonBody> {
  const tooLong = (): InvalidInput =>
    new InvalidInput('read the body', { detail: [`a body has at most ${maxBytes} bytes`] })
  const pieces: Buffer[] = []
  for await (const piece of boundedBody(c, maxBytes, tooLong)) pieces.push(piece)
  const text = Buffer.concat(pieces).toString()
  const fields = new Map(Object.entries(parse(text)))
  const value = (name: string): unknown => fields.get(name)
  return {
    text: (name) => (typeof value(name) === 'string' ? (value(name) as string) : undefined),
    flag: (name) => (typeof value(name) === 'boolean' ? (value(name) as boolean) : undefined),
    value,
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
