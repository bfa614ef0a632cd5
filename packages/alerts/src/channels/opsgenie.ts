/** Opsgenie by its Alert API: an alert is created, acknowledged and closed. https://docs.opsgenie.com/docs/alert-api */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { clip, JSON_HEADERS, keyField, oneLine, shownFacts, urlField } from './fields.ts'
import { pagerKey } from './pager-key.ts'

const settings = z.object({
  /** `https://api.eu.opsgenie.com` in the EU. */
  apiUrl: urlField.default('https://api.opsgenie.com'),
})
const secret = z.object({
  apiKey: keyField,
  /** It signs nothing: this token, which its webhook sends along, says that it is Opsgenie. */
  webhookToken: keyField.min(16, 'has at least 16 characters').optional(),
})

export const OPSGENIE: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  isPager: true,
  deliver(outgoing, { apiUrl }, { apiKey }, { key, message }) {
    const { path, body } = opsgenieRequest(message, key)
    return deliverByRequest(outgoing, {
      url: `${apiUrl.replace(/\/$/, '')}${path}`,
      method: 'POST',
      headers: { ...JSON_HEADERS, authorization: `GenieKey ${apiKey}` },
      body: JSON.stringify(body),
    })
  },
}

const PRIORITIES: Readonly<Record<string, string>> = {
  fatal: 'P1',
  error: 'P3',
  warning: 'P4',
  info: 'P5',
  debug: 'P5',
}

/** 8,000 characters in all. */
const FACTS = { max: 20, nameChars: 80, valueChars: 300 }

/** The same incident of ours is the same alert there, however often it fires. */
function opsgenieRequest(message: Message, key: string) {
  const { kind, headline, title, place, level, facts, url, org, project, incidentId, series } = message
  const alias = pagerKey(incidentId, series ?? key).slice(0, 512)
  const source = 'Sonde'
  if (kind === 'resolved' || kind === 'acknowledged')
    return {
      path: `/v2/alerts/${encodeURIComponent(alias)}/${kind === 'resolved' ? 'close' : 'acknowledge'}?identifierType=alias`,
      body: { source, note: oneLine(`${headline}: ${title}`, 1_000) },
    }
  const details = Object.fromEntries(shownFacts(facts, FACTS))
  return {
    path: '/v2/alerts',
    body: {
      message: oneLine(`${headline}: ${title}`, 130),
      alias,
      description: clip([title, place, url].filter(Boolean).join('\n'), 15_000),
      details,
      entity: project === '' ? org : `${org}/${project}`,
      source,
      priority: PRIORITIES[level] ?? 'P3',
      tags: [kind],
    },
  }
}
