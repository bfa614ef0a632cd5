/** The last steps of every endpoint: validate the items, make the rest durable, then answer. */
import { randomUUID } from 'node:crypto'
import { UnavailableError } from '@sonde/base'
import { encodeIntakeHead, type EnvelopeMeta } from '@sonde/log'
import { type Auth, type Envelope, formatRateLimits, normalizeEventId } from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import { acceptedAnswer, type Answer } from './http/answer.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { EndpointTools, RequestContext } from './request-context.ts'
import { countItems } from './validate/outcome-counter.ts'
import { payloadEventId } from './validate/payload-event-id.ts'
import { type ItemsVerdict, validateItems } from './validate/validate-items.ts'

const MAX_USER_AGENT_LENGTH = 512
// Deletions and merges give space back within a minute, if anything does.
const DISK_FULL_RETRY_SEC = 60

/** `body` is `envelope` as bytes: what is stored. Throws 413, 429, 503; their items are counted already. */
export async function takeEnvelope(
  tools: EndpointTools,
  context: RequestContext,
  key: KeyInfo,
  auth: Auth,
  envelope: Envelope,
  body: Uint8Array,
): Promise<Answer> {
  const space = tools.diskSpace()
  const verdict = validateItems(envelope, key, tools.limiter, {
    maxBytes: tools.limits.attachmentBytes,
    areRefused: space !== 'enough',
  })
  for (const { category, outcome, reason, quantity } of verdict.refused)
    tools.outcomes.add(key, category, outcome, reason, quantity)
  const limits = formatRateLimits(verdict.rateLimits) || undefined
  const left = envelope.items.length - verdict.skip.length
  if (verdict.tooLarge) throw itemTooLarge(verdict.tooLarge)
  if (left === 0 && limits !== undefined) throw limited(verdict, limits)

  const sentId = normalizeEventId(envelope.header['event_id'])
  const eventId =
    sentId ?? (verdict.needsEventId ? (payloadEventId(envelope, verdict.skip) ?? newEventId()) : undefined)
  if (left > 0 && space === 'too-little') {
    countItems(tools.outcomes, key, envelope, verdict.skip, 'rate_limited', 'disk_low')
    throw notDurable('disk_low', DISK_FULL_RETRY_SEC)
  }
  if (left > 0) {
    const meta = metaOf(tools, context, key, auth, eventId, verdict)
    try {
      await tools.log.append(encodeIntakeHead(meta), body, key.projectId)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      countItems(tools.outcomes, key, envelope, verdict.skip, 'rate_limited', 'overload')
      throw notDurable('overload', error.retryAfterSec)
    }
  }
  return acceptedAnswer(eventId, limits)
}

function metaOf(
  tools: EndpointTools,
  context: RequestContext,
  key: KeyInfo,
  auth: Auth,
  eventId: string | undefined,
  verdict: ItemsVerdict,
): EnvelopeMeta {
  const clientIp = tools.clientAddress(context.req)
  const userAgent = context.req.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH)
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
    ...(verdict.skip.length === 0 ? {} : { skip: verdict.skip }),
  }
}

// Node keeps a pool of random bytes for this; a call into the random source per event would cost more.
function newEventId(): string {
  return randomUUID().replaceAll('-', '')
}

function itemTooLarge({ type, maxBytes }: NonNullable<ItemsVerdict['tooLarge']>): Refusal {
  const detail = `an item of type ${JSON.stringify(type.slice(0, 64))} is larger than ${maxBytes} bytes`
  return refuse(413, 'too_large', detail, { isCounted: true })
}

function limited({ rateLimits: limits, refused }: ItemsVerdict, rateLimits: string): Refusal {
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
