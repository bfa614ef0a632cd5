/**
 * Answers in the encoding of their request: an `ExportTraceServiceResponse`, or a `google.rpc.Status`.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp-response
 */
import { OTLP_JSON, OTLP_PROTOBUF, type OtlpContentType } from '@sonde/protocol'
import type { Answer } from '../../http/answer.ts'

export type OtlpBody = Pick<Answer, 'body'> & { readonly contentType: OtlpContentType }

/** `refused` spans are said to be no use sending again. 0: everything was taken, and the message is left out. */
export function otlpResponse(type: OtlpContentType, refused: number, why: string): OtlpBody {
  if (refused === 0) return { contentType: type, body: type === OTLP_JSON ? '{}' : new Uint8Array() }
  if (type === OTLP_JSON) {
    const partialSuccess = { rejectedSpans: String(refused), errorMessage: why }
    return { contentType: type, body: JSON.stringify({ partialSuccess }) }
  }
  const partial = Buffer.concat([Buffer.of(0x08), varint(refused), bytesField(0x12, why)])
  return { contentType: type, body: bytesField(0x0a, partial) }
}

/** The specification does without `code`; senders read the HTTP status. */
export function otlpStatus(type: OtlpContentType, message: string): OtlpBody {
  return {
    contentType: type,
    body: type === OTLP_JSON ? JSON.stringify({ message }) : bytesField(0x12, message),
  }
}

/** Undefined: neither of the two. Parameters such as `charset` change nothing. */
export function otlpContentType(header: string | undefined): OtlpContentType | undefined {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === OTLP_JSON) return OTLP_JSON
  return type === OTLP_PROTOBUF || type === 'application/protobuf' ? OTLP_PROTOBUF : undefined
}

/** `tag` is the field's number times 8, plus 2 for "bytes". */
function bytesField(tag: number, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([Buffer.of(tag), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.of(...bytes, left)
    bytes.push((left % 128) | 0x80)
  }
}
