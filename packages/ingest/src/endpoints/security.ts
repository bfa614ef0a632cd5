/**
 * `POST /api/{project_id}/security/`, `…/csp-report/` and `…/nel/`: reports that browsers send by themselves, with
 * the key in the query. The report goes on as one `raw_security` item, as upstream does.
 * https://docs.sentry.io/security-legal-pii/security/security-policy-reporting/
 */
import { createEnvelope, newEventId, serializeEnvelope } from '@sonde/protocol'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { admitSender, type EndpointTools, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'

const MIME_TYPES: ReadonlySet<string> = new Set([
  'application/csp-report',
  'application/reports+json',
  'application/json',
  'application/expect-ct-report',
  'application/expect-ct-report+json',
  'application/expect-staple-report',
])

export async function securityEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req, endpoint } = context
  const { auth, key } = await admitSender(tools, context)
  const mimeType = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!MIME_TYPES.has(mimeType)) throw refuse(415, 'bad_mime_type', 'the content type is none of a report')

  const body = await receiveBody(tools, context, key)
  if (body.length === 0) throw refuse(400, 'bad_json', 'the body is empty')
  const query = new URLSearchParams(endpoint.query)
  const release = query.get('sentry_release')
  const environment = query.get('sentry_environment')
  const header = {
    type: 'raw_security',
    content_type: mimeType,
    ...(release ? { sentry_release: release } : {}),
    ...(environment ? { sentry_environment: environment } : {}),
  }
  const envelope = createEnvelope({ event_id: newEventId() }, [{ header, payload: body }])
  const { status, headers } = await takeEnvelope(
    tools,
    context,
    key,
    auth,
    envelope,
    serializeEnvelope(envelope),
  )
  // Browsers read nothing of it.
  return headers === undefined ? { status, body: '' } : { status, body: '', headers }
}
