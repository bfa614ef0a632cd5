/** `POST /api/{project_id}/envelope/`: what every current SDK sends to. */
import { type Auth, type Dsn, type Envelope, EnvelopeError, parseDsn, parseEnvelope } from '@sonde/protocol'
import { checkEnvelopeDsn, checkKey, missingAuth, readDsnAuth, readProjectId } from '../admit/authenticate.ts'
import { checkPage } from '../admit/check-page.ts'
import type { KeyInfo } from '../admit/key-directory.ts'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { takeEnvelope } from './take-envelope.ts'
import { type DoorTools, findKey, receiveBody, type Visit } from './visit.ts'

export async function envelopeDoor(tools: DoorTools, visit: Visit): Promise<Answer> {
  const { req, door } = visit
  const projectId = readProjectId(door.projectId ?? '')
  const auth = tools.readRequestAuth(req, door.query)
  if (!auth) return authenticateByDsn(tools, visit, projectId)
  // Before the body: a sender without a key costs a header, not a body.
  const found = findKey(tools, visit, auth.publicKey)
  const key = found instanceof Promise ? await found : found
  checkKey(key, projectId)
  checkPage(key, req)
  const body = await receiveBody(tools, visit, key)
  const envelope = parseBody(body, tools.limits.itemsPerEnvelope)
  const dsn = envelopeDsn(envelope)
  if (dsn) checkEnvelopeDsn(dsn, auth, key.projectId)
  // Handing the promise on instead would cost two more turns of the microtask queue.
  return await takeEnvelope(tools, visit, key, auth, envelope, body)
}

async function authenticateByDsn(tools: DoorTools, visit: Visit, projectId: string): Promise<Answer> {
  const body = await receiveBody(tools, visit, undefined)
  const envelope = parseBody(body, tools.limits.itemsPerEnvelope)
  const dsn = envelopeDsn(envelope)
  if (!dsn) throw missingAuth()
  if (dsn.projectId !== projectId)
    throw refuse(400, 'dsn_mismatch', 'the dsn of the envelope has another project than the path')
  const { auth, key } = await authenticateDsn(tools, visit, dsn)
  return takeEnvelope(tools, visit, key, auth, envelope, body)
}

export async function authenticateDsn(
  tools: DoorTools,
  visit: Visit,
  dsn: Dsn,
): Promise<{ auth: Auth; key: KeyInfo }> {
  const auth = readDsnAuth(dsn)
  const key = await findKey(tools, visit, auth.publicKey)
  checkKey(key, dsn.projectId)
  checkPage(key, visit.req)
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
