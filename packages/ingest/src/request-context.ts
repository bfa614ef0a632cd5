/** One request on its way through an endpoint, and what endpoints work with. */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import type { Auth } from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import type { Lease, MemoryBudget } from './body/memory-budget.ts'
import type { ReadBody } from './body/read-body.ts'
import type { Answer } from './http/answer.ts'
import type { Endpoint } from './http/endpoint-path.ts'
import type { IngestLimits } from './limits.ts'
import type { SenderClock } from './sender-clock.ts'
import {
  checkKey,
  checkPage,
  missingAuth,
  readKeyAuth,
  readProjectId,
  type ReadRequestAuth,
} from './validate/authenticate.ts'
import type { KeyLookup } from './validate/key-directory.ts'
import type { OutcomeOwner, OutcomeCounter } from './validate/outcome-counter.ts'
import type { RateLimiter } from './validate/rate-limiter.ts'

/** `little`: no attachments are taken. `too-little`: nothing is. */
export type DiskSpace = 'enough' | 'little' | 'too-little'

export type RequestContext = {
  readonly req: IncomingMessage
  readonly endpoint: Endpoint
  /** Whom a refusal is counted for; nobody until the key is known. */
  owner: OutcomeOwner
  /** What the body holds in memory; released when the answer is decided. */
  lease: Lease | undefined
}

export type EndpointTools = {
  readonly log: LogWriter
  readonly limits: IngestLimits
  readonly clock: Clock
  readonly senderClock: SenderClock
  readonly budget: MemoryBudget
  readonly outcomes: OutcomeCounter
  readonly limiter: RateLimiter
  readonly diskSpace: () => DiskSpace
  readonly readRequestAuth: ReadRequestAuth
  readonly lookUpKey: KeyLookup
  readonly readBody: ReadBody
  readonly clientAddress: (req: IncomingMessage) => string | undefined
}

/** Throws `Refusal` for everything that is the sender's or the load's fault. */
export type EndpointHandler = (tools: EndpointTools, context: RequestContext) => Promise<Answer>

// Bodies that carry their key inside share one owner, so that they cannot crowd out the others.
const UNKNOWN_OWNER = 0

export function receiveBody(
  tools: EndpointTools,
  context: RequestContext,
  key: KeyInfo | undefined,
): Promise<Buffer> {
  const lease = tools.budget.lease(key?.projectId ?? UNKNOWN_OWNER)
  context.lease = lease
  return tools.readBody(context.req, lease)
}

/** The known key of `publicKey`, from now on the one that refusals are counted for. At once when memory knows it. */
export function findKey(
  tools: EndpointTools,
  context: RequestContext,
  publicKey: string,
): KeyInfo | Promise<KeyInfo> {
  const own = (key: KeyInfo): KeyInfo => {
    context.owner = key
    return key
  }
  const found = tools.lookUpKey(publicKey)
  return found instanceof Promise ? found.then(own) : own(found)
}

/**
 * Who sends, known before the body is read: by the key in the path (`publicKey`), else by the one that SDKs put into a header or the
 * query. Throws 400 for a path without a project, 401 and 403 for a key that may not.
 */
export async function admitSender(
  tools: EndpointTools,
  context: RequestContext,
  publicKey?: string,
): Promise<{ readonly auth: Auth; readonly key: KeyInfo }> {
  const { req, endpoint } = context
  const projectId = readProjectId(endpoint.projectId ?? '')
  const auth = publicKey === undefined ? tools.readRequestAuth(req, endpoint.query) : readKeyAuth(publicKey)
  if (!auth) throw missingAuth()
  const key = await findKey(tools, context, auth.publicKey)
  checkKey(key, projectId)
  checkPage(key, req)
  return { auth, key }
}
