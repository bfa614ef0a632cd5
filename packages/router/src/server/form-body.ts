/** A posted form, read once and no further than its limits. */
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { httpError } from './results.ts'

/** Forms of people are small; uploads have doors of their own. */
export const MAX_FORM_BYTES = 1_048_576
/** Tables with some dozens of rows and a handful of fields each fit well. */
export const MAX_FORM_FIELDS = 1_000
const MAX_NAME_BYTES = 100
// What is read in vain behind a limit.
const PIECE_BYTES = 16_384

export type FormBody = {
  /** @throws an HTTP error: 413 beyond a limit or with a file, 415 when it is no form, 400 when malformed */
  read(): Promise<FormData>
  /** What was typed, if it was read: the texts, without what looks secret. */
  typed(): Record<string, string> | undefined
}

export function createFormBody(request: Request, maxBytes: number = MAX_FORM_BYTES): FormBody {
  let form: Promise<FormData> | undefined
  let parsed: FormData | undefined
  const parse = async (): Promise<FormData> => (parsed = await readForm(request, maxBytes))
  return {
    read: () => (form ??= parse()),
    typed() {
      if (!parsed) return undefined
      const texts: [string, string][] = []
      for (const [name, value] of parsed) {
        if (typeof value === 'string' && !LOOKS_SECRET.test(name)) texts.push([name, value])
      }
      return Object.fromEntries(texts)
    },
  }
}

/** Never echoed into a page, not even to the person who typed it. */
const LOOKS_SECRET = /pass|secret|token|otp|pin$|code$|csrf/i

async function readForm(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) return httpError(415)
  const form = new FormData()
  let status = 400
  let count = 0
  const tooLarge = (): Error => {
    status = 413
    return new Error('the form is larger than its limits')
  }
  async function* body(): AsyncGenerator<Uint8Array> {
    let size = 0
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge()
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES)
    }
  }
  try {
    const parser = openParser(type, maxBytes)
    parser.on('field', (name: string | undefined, value, isNameCut, isValueCut) => {
      if (name === undefined) parser.destroy(new Error('a field has no name'))
      else if (++count > MAX_FORM_FIELDS || isNameCut || isValueCut) parser.destroy(tooLarge())
      else form.append(name, value)
    })
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
      parser.once(limit, () => parser.destroy(tooLarge()))
    await pipeline(body(), parser)
  } catch {
    return httpError(status)
  }
  return form
}

const openParser = (type: string, maxBytes: number): BusboyInstance =>
  new Busboy({
    headers: { 'content-type': type },
    isPartAFile: (_field, _type, fileName) => fileName !== undefined,
    limits: {
      // One more, since of a urlencoded form the parser leaves out what is beyond without a word.
      fields: MAX_FORM_FIELDS + 1,
      parts: MAX_FORM_FIELDS + 1,
      files: 0,
      fieldNameSize: MAX_NAME_BYTES,
      fieldSize: maxBytes,
      headerPairs: 20,
      headerSize: 8_192,
    },
  })
