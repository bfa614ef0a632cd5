/** `POST /api/{project_id}/envelope/`: what every current SDK sends to. */
import { type Auth, type Dsn, type Envelope, EnvelopeError, parseDsn, parseEnvelope } from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { type EndpointTools, findKey, receiveBody, type RequestContext } from '../request-context.ts'
import {
  checkEnvelopeDsn,
  checkKey,
  checkPage,
  missingAuth,
  readDsnAuth,
  readProjectId,
} from '../validate/authenticate.ts'
import { takeUnpacked } from './unreal.ts'

export async function envelopeEndpoint(tools: EndpointTools, context: RequestContext): Promise<Answer> {
  const { req, endpoint } = context
  const projectId = readProjectId(endpoint.projectId ?? '')
  const auth = tools.readRequestAuth(req, endpoint.query)
  if (!auth) return authenticateByDsn(tools, context, projectId)
  // Before the body: a sender without a key costs a header, not a body.
  const found = findKey(tools, context, auth.publicKey)
  const key = found instanceof Promise ? await found : found
  checkKey(key, projectId)
  checkPage(key, req)
  const body = await receiveBody(tools, context, key)
  const envelope = parseBody(body, tools.limits.itemsPerEnvelope)
  const dsn = envelopeDsn(envelope)
  if (dsn) checkEnvelopeDsn(dsn, auth, key)
  tools.senderClock.saw(envelope.header['sent_at'])
  // Handing the promise on instead would cost two more turns of the microtask queue.
  return await takeUnpacked(tools, context, key, auth, envelope, body)
}

async function authenticateByDsn(
  tools: EndpointTools,
  context: RequestContext,
  projectId: string,
): Promise<Answer> {
  const body = await receiveBody(tools, context, undefined)
  const envelope = parseBody(body, tools.limits.itemsPerEnvelope)
  const dsn = envelopeDsn(envelope)
  if (!dsn) throw missingAuth()
  if (dsn.projectId !== projectId)
    throw refuse(400, 'dsn_mismatch', 'the dsn of the envelope has another project than the path')
  const { auth, key } = await authenticateDsn(tools, context, dsn)
  return takeUnpacked(tools, context, key, auth, envelope, body)
}

export async function authenticateDsn(
  tools: EndpointTools,
  context: RequestContext,
  dsn: Dsn,
): Promise<{ auth: Auth; key: KeyInfo }> {
  const auth = readDsnAuth(dsn)
  const key = await findKey(tools, context, auth.publicKey)
  checkKey(key, dsn.projectId)
  checkPage(key, context.req)
  return { auth, key }
}

/** A malformed dsn counts as none: it must not cost the envelope when the request itself names the key. */
function envelopeDsn({ header }: Envelope): Dsn | undefined {
  return header['dsn'] === undefined ? undefined : parseDsn(header['dsn'])
}

export function parseBody(body: Uint8Array, maxItems: number): Envelope {
  try {
    return parseEnvelope(body, { maxItems })
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    if (error.code === 'too-many-items') throw refuse(413, 'too_many_items', error.message)
    throw refuse(400, 'bad_envelope', error.message, { causes: [error.code] })
  }
}
