/** What Sonde sends to channels of kind webhook, for who receives it. */
import { MESSAGE_KINDS } from '@sonde/alerts'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { VerdictMeasure } from '../routes/release-verdict-routes.ts'

const date = z.string().meta({ format: 'date-time' })
const named = { id: z.int(), name: z.string() }

/** A later version may send more kinds and fields. */
export const AlertMessage = z
  .object({
    kind: z.enum(MESSAGE_KINDS),
    headline: z.string().meta({ examples: ['New issue in acme/shop'] }),
    title: z.string().meta({ description: 'As the program wrote it: never trust it as markup.' }),
    place: z.string().meta({ description: 'Where in the code or on which route; empty: not known.' }),
    level: z.string(),
    facts: z.array(z.tuple([z.string(), z.string()])).meta({ description: 'Names and values.' }),
    url: z.string().meta({ description: 'Where to read on.' }),
    org: z.string(),
    project: z.string(),
    issue: z.object({ id: z.int(), shortId: z.string() }).optional(),
    rule: z.object(named).optional(),
    incidentId: z
      .int()
      .optional()
      .meta({ description: 'The same in the message that says that it is over.' }),
    verdict: z
      .object({
        verdict: z.string(),
        release: z.string(),
        before: z.string().nullable(),
        measures: z.array(VerdictMeasure),
        absent: z.array(z.string()),
      })
      .optional()
      .meta({ description: 'Of a release that was judged.' }),
    series: z.string().optional().meta({ description: 'The same where something begins and ends.' }),
    atMs: z.number().meta({ description: 'Unix milliseconds.' }),
    parts: z
      .array(z.object({ headline: z.string(), title: z.string(), url: z.string() }))
      .optional()
      .meta({ description: 'Of a digest: what it stands for, the first of `count`.' }),
    count: z.int().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'AlertMessage' })

const Alert = z
  .object({
    type: z.string().meta({ description: '`alert.` and the kind of the message.' }),
    timestamp: date,
    data: AlertMessage,
  })
  .meta({ id: 'Alert' })

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
const SentryIssue = z
  .object({
    action: z.literal('resolved'),
    actor: z.object({ type: z.string(), id: z.string(), name: z.string() }),
    data: z.object({
      issue: z.object({
        id: z.string(),
        shortId: z.string(),
        title: z.string(),
        culprit: z.string(),
        level: z.string(),
        status: z.literal('resolved'),
        permalink: z.string(),
        web_url: z.string(),
        project: z.object({ slug: z.string() }),
        lastSeen: date,
      }),
    }),
  })
  .meta({ id: 'SentryIssueWebhook' })

const SentryAlert = z
  .object({
    action: z.literal('triggered'),
    actor: z.object({ type: z.string(), id: z.string(), name: z.string() }),
    data: z.object({
      event: z.object({
        title: z.string(),
        culprit: z.string(),
        level: z.string(),
        datetime: date,
        issue_id: z.string(),
        web_url: z.string(),
        organization: z.string(),
        project: z.string(),
      }),
      triggered_rule: z.string().meta({ description: 'Its name.' }),
    }),
  })
  .meta({ id: 'SentryAlertWebhook' })

const received = {
  responses: { '2XX': { description: 'Taken. Anything else, and no answer, is tried again.' } },
}
const header = (description: string) => z.string().meta({ description })

export const WEBHOOKS: ZodOpenApiPathsObject = {
  alert: {
    post: {
      operationId: 'receiveAlert',
      summary: 'What a webhook channel sends',
      description:
        'Signed as [Standard Webhooks](https://www.standardwebhooks.com) says. A channel with a template of its own sends that instead.',
      tags: ['Alerts'],
      requestParams: {
        header: z.object({
          'webhook-id': header('The same when it is sent again.'),
          'webhook-timestamp': header('Unix seconds.'),
          'webhook-signature': header('`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.'),
        }),
      },
      requestBody: { required: true, content: { 'application/json': { schema: Alert } } },
      ...received,
    },
  },
  sentryWebhook: {
    post: {
      operationId: 'receiveSentryWebhook',
      summary: 'What a channel sends that speaks as Sentry’s integration platform',
      tags: ['Alerts'],
      requestParams: {
        header: z.object({
          'request-id': header('The same when it is sent again.'),
          'sentry-hook-resource': header('`event_alert`, or `issue` when it is over.'),
          'sentry-hook-timestamp': header('Unix seconds.'),
          'sentry-hook-signature': header('HMAC-SHA256 of the body in hexadecimal.'),
        }),
      },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.union([SentryAlert, SentryIssue]) } },
      },
      ...received,
    },
  },
}
