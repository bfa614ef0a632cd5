/** The body of an OTLP request in either encoding; undefined when it is none. */
import { OTLP_PROTOBUF } from '@sonde/protocol/otlp'
import { parseEventJson } from '../normalize/parse-json.ts'
import type { OtlpResource } from './otlp-request.ts'
import { readOtlpJson } from './read-json.ts'
import { readOtlpProtobuf } from './read-protobuf.ts'

export function readOtlp(bytes: Uint8Array, contentType: unknown): readonly OtlpResource[] | undefined {
  if (contentType === OTLP_PROTOBUF) return readOtlpProtobuf(bytes)
  const parsed = parseEventJson(bytes)
  return parsed.ok ? readOtlpJson(parsed.value) : undefined
}
