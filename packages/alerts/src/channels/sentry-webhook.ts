/**
 * As Sentry's integration platform sends it, so that what reads those payloads works unchanged.
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/issue-alerts/ and …/webhooks/issues/
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { JSON_HEADERS, keyField, urlField } from './fields.ts'

const settings = z.object({ url: urlField })
const secret = z.object({ clientSecret: keyField })

export const SENTRY_WEBHOOK: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  deliver(outgoing, { url }, { clientSecret }, { key, message, nowMs }) {
    const { resource, body } = sentryWebhook(message)
    const text = JSON.stringify(body)
    return deliverByRequest(outgoing, {
      url,
      method: 'POST',
      headers: {
        ...JSON_HEADERS,
        'request-id': key,
        'sentry-hook-resource': resource,
        'sentry-hook-timestamp': String(Math.floor(nowMs / 1_000)),
        'sentry-hook-signature': createHmac('sha256', clientSecret).update(text).digest('hex'),
      },
      body: text,
    })
  },
}

const ACTOR = { type: 'application', id: 'sonde', name: 'Sonde' } as const

function sentryWebhook({ kind, title, place, level, url, org, project, issue, rule, atMs }: Message) {
  const date = new Date(atMs).toISOString()
  const id = String(issue?.id ?? '')
  if (kind === 'resolved')
    return {
      resource: 'issue',
      body: {
        action: 'resolved',
        actor: ACTOR,
        data: {
          issue: {
            id,
            shortId: issue?.shortId ?? '',
            title,
            culprit: place,
            level,
            status: 'resolved',
            permalink: url,
            web_url: url,
            project: { slug: project },
            lastSeen: date,
          },
        },
      },
    }
  return {
    resource: 'event_alert',
    body: {
      action: 'triggered',
      actor: ACTOR,
      data: {
        event: {
          title,
          culprit: place,
          level,
          datetime: date,
          issue_id: id,
          web_url: url,
          organization: org,
          project,
        },
        triggered_rule: rule?.name ?? '',
      },
    },
  }
}
