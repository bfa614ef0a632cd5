/**
 * `POST /api/{project_id}/otlp/v1/traces` and `…/v1/logs` and `…/v1/metrics`, each also below `/integration/`: spans and log records from
 * any OpenTelemetry SDK or collector. The body goes on untouched as one item of an envelope; reading it is the pipeline's.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
import {
  createEnvelope,
  ITEM_MAX_BYTES,
  OTLP_JSON,
  OTLP_LOGS_ITEM,
  OTLP_METRICS_ITEM,
  OTLP_PROTOBUF,
  OTLP_TRACES_ITEM,
  type OtlpContentType,
  serializeEnvelope,
} from '@sonde/protocol'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { admitSender, type EndpointTools, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'
import { prescanJson } from './otlp/prescan-json.ts'
import { prescanProtobuf } from './otlp/prescan-protobuf.ts'
import { MalformedOtlp, type OtlpSignal, type Prescan, TooManyInOtlp } from './otlp/prescan.ts'

const MAX_BYTES = ITEM_MAX_BYTES.container
const ITEM_TYPES: { readonly [Signal in OtlpSignal]: string } = {
  traces: OTLP_TRACES_ITEM,
  logs: OTLP_LOGS_ITEM,
  metrics: OTLP_METRICS_ITEM,
}
const LEFT_OUT: { readonly [Signal in OtlpSignal]: string } = {
  traces: 'spans without a trace id, a span id or a start time were left out',
  logs: 'log records that are no objects were left out',
  metrics: 'points that are no objects were left out',
}

const REJECTED: { readonly [Signal in OtlpSignal]: string } = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
}

export async function otlpEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req, endpoint } = context
  const { auth, key } = await admitSender(tools, context)
  const type = otlpContentType(req.headers['content-type'])
  if (type === undefined)
    throw refuse(415, 'bad_mime_type', 'OTLP is sent as application/x-protobuf or application/json')

  const body = await receiveBody(tools, context, key)
  // Before anybody looks at what is in it.
  if (body.length > MAX_BYTES) throw refuse(413, 'too_large', `a request has at most ${MAX_BYTES} bytes`)
  const signal = endpoint.signal ?? 'traces'
  const { count, unusable } = prescan(body, type, signal)
  // Exporters look whether they are heard with a request that holds nothing.
  if (count === 0) return { status: 200, ...otlpResponse(type, signal, 0) }
  const header = { type: ITEM_TYPES[signal], content_type: type, item_count: count }
  const envelope = createEnvelope({}, [{ header, payload: body }])
  const { headers } = await takeEnvelope(tools, context, key, auth, envelope, serializeEnvelope(envelope))
  return {
    status: 200,
    ...otlpResponse(type, signal, unusable),
    ...(headers === undefined ? {} : { headers }),
  }
}

function prescan(body: Buffer, type: OtlpContentType, signal: OtlpSignal): Prescan {
  try {
    return type === OTLP_JSON ? prescanJson(body, signal) : prescanProtobuf(body, signal)
  } catch (error) {
    if (error instanceof TooManyInOtlp) throw refuse(413, 'too_many_items', error.message)
    if (error instanceof MalformedOtlp) throw refuse(400, 'bad_otlp', error.message)
    throw error
  }
}

/**
 * Answers in the encoding of their request: an `ExportTraceServiceResponse` or `ExportLogsServiceResponse`, or a `google.rpc.Status`.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp-response
 */
type OtlpBody = Pick<Answer, 'body'> & { readonly contentType: OtlpContentType }

/** `refused` of them are said to be no use sending again. 0: everything was taken, and the message is left out. */
function otlpResponse(type: OtlpContentType, signal: OtlpSignal, refused: number): OtlpBody {
  const why = LEFT_OUT[signal]
  if (refused === 0) return { contentType: type, body: type === OTLP_JSON ? '{}' : new Uint8Array() }
  if (type === OTLP_JSON) {
    const partialSuccess = { [REJECTED[signal]]: String(refused), errorMessage: why }
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
