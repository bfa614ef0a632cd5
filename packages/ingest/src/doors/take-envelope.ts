/** The last steps behind every door: admit the items, make the rest durable, then say so. */
import { randomUUID } from 'node:crypto'
import { UnavailableError } from '@sonde/base'
import { encodeIntakeHead, type EnvelopeMeta } from '@sonde/log'
import { type Auth, type Envelope, formatRateLimits, normalizeEventId } from '@sonde/protocol'
import { type Admission, admitItems } from '../admit/admit-items.ts'
import type { KeyInfo } from '../admit/key-directory.ts'
import { countItems } from '../admit/count-items.ts'
import { payloadEventId } from '../admit/payload-event-id.ts'
import { acceptedAnswer, type Answer } from '../http/answer.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { DoorTools, Visit } from './visit.ts'

const MAX_USER_AGENT_LENGTH = 512
// Deletions and merges give space back within a minute, if anything does.
const DISK_FULL_RETRY_SEC = 60

/** `body` is `envelope` as bytes: what is stored. Throws 413, 429, 503; their items are counted already. */
export async function takeEnvelope(
  tools: DoorTools,
  visit: Visit,
  key: KeyInfo,
  auth: Auth,
  envelope: Envelope,
  body: Uint8Array,
): Promise<Answer> {
  const space = tools.diskSpace()
  const admission = admitItems(envelope, key, tools.limiter, {
    maxBytes: tools.limits.attachmentBytes,
    areRefused: space !== 'enough',
  })
  for (const { category, outcome, reason, quantity } of admission.refused)
    tools.tally.add(key, category, outcome, reason, quantity)
  const limits = formatRateLimits(admission.rateLimits) || undefined
  const left = envelope.items.length - admission.skip.length
  if (admission.tooLarge) throw itemTooLarge(admission.tooLarge)
  if (left === 0 && limits !== undefined) throw limited(admission, limits)

  const sentId = normalizeEventId(envelope.header['event_id'])
  const eventId =
    sentId ??
    (admission.needsEventId ? (payloadEventId(envelope, admission.skip) ?? newEventId()) : undefined)
  if (left > 0 && space === 'too-little') {
    countItems(tools.tally, key, envelope, admission.skip, 'rate_limited', 'disk_low')
    throw notDurable('disk_low', DISK_FULL_RETRY_SEC)
  }
  if (left > 0) {
    const meta = metaOf(tools, visit, key, auth, eventId, admission)
    try {
      await tools.log.append(encodeIntakeHead(meta), body)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      countItems(tools.tally, key, envelope, admission.skip, 'rate_limited', 'overload')
      throw notDurable('overload', error.retryAfterSec)
    }
  }
  return acceptedAnswer(eventId, limits)
}

function metaOf(
  tools: DoorTools,
  visit: Visit,
  key: KeyInfo,
  auth: Auth,
  eventId: string | undefined,
  admission: Admission,
): EnvelopeMeta {
  const clientIp = tools.clientAddress(visit.req)
  const userAgent = visit.req.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH)
  return {
    v: 1,
    kind: 'envelope',
    receivedMs: tools.clock.nowMs(),
    projectId: key.projectId,
    keyId: key.keyId,
    ...(eventId === undefined ? {} : { eventId }),
    ...(clientIp === undefined ? {} : { clientIp }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(auth.client === undefined ? {} : { client: auth.client }),
    ...(admission.skip.length === 0 ? {} : { skip: admission.skip }),
  }
}

// Node keeps a pool of random bytes for this; a call into the random source per event would cost more.
function newEventId(): string {
  return randomUUID().replaceAll('-', '')
}

function itemTooLarge({ type, maxBytes }: NonNullable<Admission['tooLarge']>): Refusal {
  const detail = `an item of type ${JSON.stringify(type.slice(0, 64))} is larger than ${maxBytes} bytes`
  return refuse(413, 'too_large', detail, { isCounted: true })
}

function limited({ rateLimits: limits, refused }: Admission, rateLimits: string): Refusal {
  // For clients that know no categories. The longest: before it, the same envelope could not pass whole.
  const retryAfterSec = Math.max(...limits.map((limit) => limit.retryAfterSec))
  const detail = 'every item of the envelope is over a rate limit'
  const reason = refused.find(({ outcome }) => outcome === 'rate_limited')?.reason ?? 'project_quota'
  return refuse(429, reason, detail, { retryAfterSec, rateLimits, isCounted: true })
}

/**
 * The bytes are not on disk, so it cannot be a 200 (guarantee G1). SDKs drop what gets a 503: the
 * client's offline store is no help here, it only keeps what had no answer at all. The limit makes them
 * hold back, and count what they hold back, instead of sending into the same wall.
 */
function notDurable(reason: 'overload' | 'disk_low', waitSec: number): Refusal {
  const retryAfterSec = Math.max(1, Math.ceil(waitSec))
  return refuse(503, reason, 'the data cannot be stored at the moment', {
    retryAfterSec,
    rateLimits: formatRateLimits([
      { retryAfterSec, categories: [], scope: 'organization', reason: 'storage_unavailable' },
    ]),
    isCounted: true,
  })
}
