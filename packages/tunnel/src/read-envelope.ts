/** Reads a request's body within bounds, and stops at its first line when that names no allowed server. */
import { type Dsn, parseDsn } from '@sonde/protocol/dsn'
import { EnvelopeError, MAX_HEADER_BYTES, readEnvelopeHeader } from '@sonde/protocol/envelope'
import { Refusal } from './refusal.ts'

export type ReadLimits = {
  readonly maxBytes: number
  /** Ends the reading; its reason is thrown. */
  readonly signal: AbortSignal
  /** Called for every chunk before it is kept. May throw. */
  readonly onBytes: (count: number) => void
}

const NEWLINE = 0x0a

/** `decide` is called once, as soon as the first line is there; what it throws ends the reading. */
export async function readEnvelope<T>(
  body: ReadableStream<Uint8Array> | null,
  decide: (dsn: Dsn) => T,
  { maxBytes, signal, onBytes }: ReadLimits,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly decided: T }> {
  const reader = body?.getReader()
  const onAbort = (): void => void reader?.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', onAbort, { once: true })
  const chunks: Uint8Array[] = []
  let length = 0
  let decided: { readonly value: T } | undefined
  try {
    for (;;) {
      signal.throwIfAborted()
      const part = await reader?.read()
      signal.throwIfAborted()
      if (!part || part.done) break
      length += part.value.byteLength
      if (length > maxBytes) throw new Refusal(413, `the body has more than the ${maxBytes} bytes allowed`)
      onBytes(part.value.byteLength)
      chunks.push(part.value)
      if (!decided && (part.value.includes(NEWLINE) || length > MAX_HEADER_BYTES))
        decided = { value: decide(readDsn(joined(chunks, length))) }
    }
    const bytes = joined(chunks, length)
    decided ??= { value: decide(readDsn(bytes)) }
    return { bytes, decided: decided.value }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Does nothing when the body has ended; otherwise tells the sender that nobody reads on.
    await reader?.cancel().catch(() => undefined)
  }
}

function readDsn(bytes: Uint8Array): Dsn {
  try {
    const dsn = parseDsn(readEnvelopeHeader(bytes).header['dsn'])
    if (dsn) return dsn
  } catch (error) {
    if (error instanceof EnvelopeError) throw new Refusal(400, `this is no envelope: ${error.message}`)
    throw error
  }
  throw new Refusal(
    400,
    'the header of the envelope has no DSN: set "tunnel" in the page, not this URL as DSN',
  )
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
