/**
 * `POST /api/{project_id}/otlp/v1/traces` and `…/integration/otlp/v1/traces`: spans from any OpenTelemetry SDK or
 * collector. The body goes on untouched as one item of an envelope; reading it is the pipeline's.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
import {
  createEnvelope,
  ITEM_MAX_BYTES,
  OTLP_JSON,
  OTLP_TRACES_ITEM,
  type OtlpContentType,
  serializeEnvelope,
} from '@sonde/protocol'
import { checkKey, checkPage, missingAuth, readProjectId } from '../validate/authenticate.ts'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { otlpContentType, otlpResponse } from './otlp/otlp-response.ts'
import { MalformedOtlp, type Prescan, TooManyInOtlp } from './otlp/prescan.ts'
import { prescanJson } from './otlp/prescan-json.ts'
import { prescanProtobuf } from './otlp/prescan-protobuf.ts'
import { takeEnvelope } from '../take-envelope.ts'
import { type EndpointTools, findKey, receiveBody, type RequestContext } from '../request-context.ts'

const MAX_BYTES = ITEM_MAX_BYTES.container

export async function otlpEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req, endpoint } = context
  const projectId = readProjectId(endpoint.projectId ?? '')
  const auth = tools.readRequestAuth(req, endpoint.query)
  if (!auth) throw missingAuth()
  const key = await findKey(tools, context, auth.publicKey)
  checkKey(key, projectId)
  checkPage(key, req)
  const type = otlpContentType(req.headers['content-type'])
  if (type === undefined)
    throw refuse(415, 'bad_mime_type', 'OTLP is sent as application/x-protobuf or application/json')

  const body = await receiveBody(tools, context, key)
  // Before anybody looks at what is in it.
  if (body.length > MAX_BYTES) throw refuse(413, 'too_large', `a request has at most ${MAX_BYTES} bytes`)
  const { spans, unusable } = prescan(body, type)
  // Exporters look whether they are heard with a request that holds nothing.
  if (spans === 0) return { status: 200, ...otlpResponse(type, 0, '') }
  const header = { type: OTLP_TRACES_ITEM, content_type: type, item_count: spans }
  const envelope = createEnvelope({}, [{ header, payload: body }])
  const { headers } = await takeEnvelope(tools, context, key, auth, envelope, serializeEnvelope(envelope))
  const why = 'spans without a trace id, a span id or a start time were left out'
  return {
    status: 200,
    ...otlpResponse(type, unusable, why),
    ...(headers === undefined ? {} : { headers }),
  }
}

function prescan(body: Buffer, type: OtlpContentType): Prescan {
  try {
    return type === OTLP_JSON ? prescanJson(body) : prescanProtobuf(body)
  } catch (error) {
    if (error instanceof TooManyInOtlp) throw refuse(413, 'too_many_items', error.message)
    if (error instanceof MalformedOtlp) throw refuse(400, 'bad_otlp', error.message)
    throw error
  }
}
