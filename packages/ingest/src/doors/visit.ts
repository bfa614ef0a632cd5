/** One request on its way through a door, and what doors work with. */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import type { ReadRequestAuth } from '../admit/authenticate.ts'
import type { KeyInfo, KeyLookup } from '../admit/key-directory.ts'
import type { OutcomeOwner, OutcomeTally } from '../admit/outcome-tally.ts'
import type { RateLimiter } from '../admit/rate-limiter.ts'
import type { Lease, MemoryBudget } from '../body/memory-budget.ts'
import type { ReadBody } from '../body/read-body.ts'
import type { Answer } from '../http/answer.ts'
import type { Door } from '../http/door-path.ts'
import type { IngestLimits } from '../limits.ts'

/** `little`: no attachments are taken. `too-little`: nothing is. */
export type DiskSpace = 'enough' | 'little' | 'too-little'

export type Visit = {
  readonly req: IncomingMessage
  readonly door: Door
  /** Whom a refusal is counted for; nobody until the key is known. */
  owner: OutcomeOwner
  /** What the body holds in memory; released when the answer is decided. */
  lease: Lease | undefined
}

export type DoorTools = {
  readonly log: LogWriter
  readonly limits: IngestLimits
  readonly clock: Clock
  readonly budget: MemoryBudget
  readonly tally: OutcomeTally
  readonly limiter: RateLimiter
  readonly diskSpace: () => DiskSpace
  readonly readRequestAuth: ReadRequestAuth
  readonly lookUpKey: KeyLookup
  readonly readBody: ReadBody
  readonly clientAddress: (req: IncomingMessage) => string | undefined
}

/** Throws `Refusal` for everything that is the sender's or the load's fault. */
export type DoorHandler = (tools: DoorTools, visit: Visit) => Promise<Answer>

// Bodies whose key stands inside of them share one owner, so that they cannot crowd out the others.
const UNKNOWN_OWNER = 0

export function receiveBody(tools: DoorTools, visit: Visit, key: KeyInfo | undefined): Promise<Buffer> {
  const lease = tools.budget.lease(key?.projectId ?? UNKNOWN_OWNER)
  visit.lease = lease
  return tools.readBody(visit.req, lease)
}

/** The known key of `publicKey`, from now on the one that refusals are counted for. At once when memory knows it. */
export function findKey(tools: DoorTools, visit: Visit, publicKey: string): KeyInfo | Promise<KeyInfo> {
  const own = (key: KeyInfo): KeyInfo => {
    visit.owner = key
    return key
  }
  const found = tools.lookUpKey(publicKey)
  return found instanceof Promise ? found.then(own) : own(found)
}
