/**
 * `POST /api/{project_id}/unreal/{key}/`: a crash of Unreal Engine, as its CrashReportClient sends it. It becomes an
 * envelope, so the pipeline knows one form only. https://docs.sentry.io/platforms/unreal/configuration/setup-crashreporter/
 */
import {
  type Auth,
  createEnvelope,
  type Envelope,
  ITEM_MAX_BYTES,
  newEventId,
  normalizeEventId,
  serializeEnvelope,
} from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { admitSender, type EndpointTools, receiveBody, type RequestContext } from '../request-context.ts'
import { takeEnvelope } from '../take-envelope.ts'
import { readUnrealArchive, unrealItems, withUnrealFiles } from './unreal-archive.ts'

export async function unrealEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { auth, key } = await admitSender(tools, context, context.endpoint.publicKey)
  const body = await receiveBody(tools, context, key)
  if (body.length > ITEM_MAX_BYTES.attachment)
    throw refuse(413, 'too_large', `a crash report has at most ${ITEM_MAX_BYTES.attachment} bytes`)
  const files = await readUnrealArchive(body, tools.limits.envelopeBytes)
  const eventId = newEventId()
  const envelope = createEnvelope({ event_id: eventId }, unrealItems(files, eventId))
  const bytes = serializeEnvelope(envelope)
  holdUnpacked(context, bytes.length)
  const { headers } = await takeEnvelope(tools, context, key, auth, envelope, bytes)
  const answer = { status: 200, body: eventId, contentType: 'text/plain' }
  return headers === undefined ? answer : { ...answer, headers }
}

/** As `takeEnvelope`; a crash report of Unreal Engine among the items is unpacked before. */
export function takeUnpacked(
  tools: EndpointTools,
  context: RequestContext,
  key: KeyInfo,
  auth: Auth,
  envelope: Envelope,
  body: Uint8Array,
): Promise<Answer> {
  const report = envelope.items.find(({ header }) => header.type === 'unreal_report')
  return report
    ? takeUnreal(tools, context, key, auth, envelope)
    : takeEnvelope(tools, context, key, auth, envelope, body)
}

/** The files of a crash report of Unreal Engine are items of their own from here on. */
async function takeUnreal(
  tools: EndpointTools,
  context: RequestContext,
  key: KeyInfo,
  auth: Auth,
  sent: Envelope,
): Promise<Answer> {
  const eventId = normalizeEventId(sent.header['event_id']) ?? newEventId()
  const envelope = (await withUnrealFiles(sent, eventId, tools.limits.envelopeBytes)) ?? sent
  const bytes = serializeEnvelope(envelope)
  holdUnpacked(context, bytes.length)
  return takeEnvelope(tools, context, key, auth, envelope, bytes)
}

/** What was unpacked is held as the body is. Throws 503. */
function holdUnpacked({ lease }: RequestContext, bytes: number): void {
  if (lease?.take(bytes) === false)
    throw refuse(503, 'overload', 'too much is on its way at the moment', { retryAfterSec: 1 })
}
