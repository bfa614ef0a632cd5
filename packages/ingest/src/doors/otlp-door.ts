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
import { checkKey, missingAuth, readProjectId } from '../admit/authenticate.ts'
import { checkPage } from '../admit/check-page.ts'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { otlpContentType, otlpResponse } from './otlp/otlp-answer.ts'
import { MalformedOtlp, type Survey, TooManyInOtlp } from './otlp/survey.ts'
import { surveyJson } from './otlp/survey-json.ts'
import { surveyProtobuf } from './otlp/survey-protobuf.ts'
import { takeEnvelope } from './take-envelope.ts'
import { type DoorTools, findKey, receiveBody, type Visit } from './visit.ts'

const MAX_BYTES = ITEM_MAX_BYTES.container

export async function otlpDoor(tools: DoorTools, visit: Visit): Promise<Answer> {
  const { req, door } = visit
  const projectId = readProjectId(door.projectId ?? '')
  const auth = tools.readRequestAuth(req, door.query)
  if (!auth) throw missingAuth()
  const key = await findKey(tools, visit, auth.publicKey)
  checkKey(key, projectId)
  checkPage(key, req)
  const type = otlpContentType(req.headers['content-type'])
  if (type === undefined)
    throw refuse(415, 'bad_mime_type', 'OTLP is sent as application/x-protobuf or application/json')

  const body = await receiveBody(tools, visit, key)
  // Before anybody looks at what is in it.
  if (body.length > MAX_BYTES) throw refuse(413, 'too_large', `a request has at most ${MAX_BYTES} bytes`)
  const { spans, unusable } = survey(body, type)
  // Exporters look whether they are heard with a request that holds nothing.
  if (spans === 0) return { status: 200, ...otlpResponse(type, 0, '') }
  const header = { type: OTLP_TRACES_ITEM, content_type: type, item_count: spans }
  const envelope = createEnvelope({}, [{ header, payload: body }])
  const { headers } = await takeEnvelope(tools, visit, key, auth, envelope, serializeEnvelope(envelope))
  const why = 'spans without a trace id, a span id or a start time were left out'
  return {
    status: 200,
    ...otlpResponse(type, unusable, why),
    ...(headers === undefined ? {} : { headers }),
  }
}

function survey(body: Buffer, type: OtlpContentType): Survey {
  try {
    return type === OTLP_JSON ? surveyJson(body) : surveyProtobuf(body)
  } catch (error) {
    if (error instanceof TooManyInOtlp) throw refuse(413, 'too_many_items', error.message)
    if (error instanceof MalformedOtlp) throw refuse(400, 'bad_otlp', error.message)
    throw error
  }
}
