/** Removes secrets from spans and log lines: their names hold queries and addresses, their attributes what anybody put there. */
import type { JsonObject } from '@sonde/protocol/event'
import type { Log } from '../logs/log.ts'
import { createRemarks, rootScope, within } from '../normalize/meta-remarks.ts'
import type { Span } from '../spans/span.ts'
import type { EnvelopeFacts } from '../stages/event-input.ts'
import { scrubJson, scrubString } from './scrub-json.ts'
import { keyRulesOf, type ScrubSettings } from './settings.ts'

const IP_ATTRIBUTES = ['client.address', 'user.ip_address', 'net.peer.ip', 'http.client_ip']

export function scrubSpan(span: Span, settings: ScrubSettings): Span {
  const withoutIp = settings.scrubIp ? withoutAddressesOf(span) : span
  if (!settings.enabled) return withoutIp
  const keys = keyRulesOf(settings)
  const scope = rootScope(createRemarks())
  return {
    ...withoutIp,
    name: scrubString(within(scope, 'name'), span.name, keys),
    attributes: scrubJson(within(scope, 'attributes'), withoutIp.attributes, keys) as Span['attributes'],
    ...(withoutIp.links && {
      links: withoutIp.links.map((link) => ({
        ...link,
        attributes: scrubJson(within(scope, 'links'), link.attributes, keys) as Span['attributes'],
      })),
    }),
  }
}

export function scrubLog(log: Log, settings: ScrubSettings): Log {
  const withoutIp = settings.scrubIp ? { ...log, attributes: withoutAddresses(log.attributes) } : log
  if (!settings.enabled) return withoutIp
  const keys = keyRulesOf(settings)
  const scope = rootScope(createRemarks())
  return {
    ...withoutIp,
    body: scrubString(within(scope, 'body'), log.body, keys),
    attributes: scrubJson(within(scope, 'attributes'), withoutIp.attributes, keys) as Log['attributes'],
  }
}

/** Of what has no text of its own: points of metrics. */
export function scrubAttributes<Of extends Pick<Span, 'attributes'>>(of: Of, settings: ScrubSettings): Of {
  const withoutIp = settings.scrubIp ? { ...of, attributes: withoutAddresses(of.attributes) } : of
  if (!settings.enabled) return withoutIp
  const scope = within(rootScope(createRemarks()), 'attributes')
  return {
    ...withoutIp,
    attributes: scrubJson(scope, withoutIp.attributes, keyRulesOf(settings)) as Span['attributes'],
  }
}

/** The trace's own facts stand in for what a span does not say, so they hold what it might. */
export function scrubEnvelope(envelope: EnvelopeFacts, settings: ScrubSettings): EnvelopeFacts {
  const { trace } = envelope
  if (!settings.enabled || trace === undefined) return envelope
  const scope = rootScope(createRemarks())
  return { ...envelope, trace: scrubJson(scope, trace as JsonObject, keyRulesOf(settings)) as JsonObject }
}

function withoutAddressesOf({ links = [], ...span }: Span): Span {
  return {
    ...span,
    attributes: withoutAddresses(span.attributes),
    links: links.map((link) => ({ ...link, attributes: withoutAddresses(link.attributes) })),
  }
}

export function withoutAddresses(attributes: Span['attributes']): Span['attributes'] {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !IP_ATTRIBUTES.includes(key)))
}
