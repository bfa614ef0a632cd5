/**
 * `POST /api/{project_id}/otlp/v1/traces` and `…/integration/otlp/v1/traces`: spans from any OpenTelemetry SDK or
 * collector. The body goes on untouched as one item of an envelope; reading it is the pipeline's.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
import {
  createEnvelope,
  OTLP_JSON,
  OTLP_MAX_SPANS,
  OTLP_TRACES_ITEM,
  type OtlpContentType,
  serializeEnvelope,
} from '@sonde/protocol'
import { checkKey, missingAuth, readProjectId } from '../admit/authenticate.ts'
import { checkPage } from '../admit/check-page.ts'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { otlpContentType, otlpResponse } from './otlp/otlp-answer.ts'
import { MalformedOtlp, type Survey } from './otlp/survey.ts'
import { surveyJson } from './otlp/survey-json.ts'
import { surveyProtobuf } from './otlp/survey-protobuf.ts'
import { takeEnvelope } from './take-envelope.ts'
import { type DoorTools, findKey, receiveBody, type Visit } from './visit.ts'

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
  const { spans, unusable } = survey(body, type)
  if (spans > OTLP_MAX_SPANS)
    throw refuse(413, 'too_many_items', `a request holds at most ${OTLP_MAX_SPANS} spans, this one ${spans}`)
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
    if (!(error instanceof MalformedOtlp)) throw error
    throw refuse(400, 'bad_otlp', error.message)
  }
}
