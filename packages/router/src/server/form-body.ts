/** A posted form, read once within a bound. */
import { httpError } from './results.ts'

/** Forms of people are small; uploads have doors of their own. */
export const MAX_FORM_BYTES = 1_048_576

export type FormBody = {
  /** @throws an HTTP error: 413 when larger than the bound, 415 when it is no form, 400 when malformed */
  read(): Promise<FormData>
  /** What was typed, if it was read: the texts, without what looks secret. */
  typed(): Record<string, string> | undefined
}

export function createFormBody(request: Request, maxBytes: number = MAX_FORM_BYTES): FormBody {
  let form: Promise<FormData> | undefined
  let parsed: FormData | undefined
  const parse = async (): Promise<FormData> => {
    const type = request.headers.get('content-type') ?? ''
    if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) return httpError(415)
    const bytes = await readBounded(request, maxBytes)
    try {
      parsed = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    } catch {
      return httpError(400)
    }
    return parsed
  }
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

async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) return httpError(413)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
