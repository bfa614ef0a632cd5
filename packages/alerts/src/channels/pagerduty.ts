/** PagerDuty by the Events API v2: an incident is triggered, acknowledged and resolved. https://developer.pagerduty.com/docs/send-alert-event */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { JSON_HEADERS, keyField, oneLine, shownFacts, urlField } from './fields.ts'
import { pagerKey } from './pager-key.ts'

const settings = z.object({
  /** `https://events.eu.pagerduty.com` in the EU. */
  apiUrl: urlField.default('https://events.pagerduty.com'),
})
const secret = z.object({
  routingKey: keyField.regex(/^[A-Za-z0-9]{32}$/, 'is an integration key of 32 characters'),
  /** Of a webhook subscription: with it PagerDuty signs what it tells us. */
  webhookSecret: keyField.optional(),
})

export const PAGERDUTY: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  isPager: true,
  deliver: (outgoing, { apiUrl }, { routingKey }, { key, message }) =>
    deliverByRequest(outgoing, {
      url: `${apiUrl.replace(/\/$/, '')}/v2/enqueue`,
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(pagerdutyEvent(message, routingKey, key)),
    }),
}

const SEVERITIES: Readonly<Record<string, string>> = {
  fatal: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'info',
}

const FACTS = { max: 50, nameChars: 100, valueChars: 1_000 }

/** The same incident of ours is the same one there, however often it fires. */
function pagerdutyEvent(message: Message, routingKey: string, key: string) {
  const { kind, headline, title, place, level, facts, url, org, project, incidentId, series, atMs } = message
  const dedupKey = pagerKey(incidentId, series ?? key)
  if (kind === 'resolved' || kind === 'acknowledged') {
    const event_action = kind === 'resolved' ? 'resolve' : 'acknowledge'
    return { routing_key: routingKey, event_action, dedup_key: dedupKey.slice(0, 255) }
  }
  return {
    routing_key: routingKey,
    event_action: 'trigger',
    dedup_key: dedupKey.slice(0, 255),
    client: 'Sonde',
    client_url: url,
    links: [{ href: url, text: 'Open in Sonde' }],
    payload: {
      summary: oneLine(`${headline}: ${title}`, 1_024),
      source: project === '' ? org : `${org}/${project}`,
      severity: SEVERITIES[level] ?? 'error',
      timestamp: new Date(atMs).toISOString(),
      ...(place !== '' && { component: oneLine(place, 255) }),
      class: kind,
      custom_details: Object.fromEntries(shownFacts(facts, FACTS)),
    },
  }
}
