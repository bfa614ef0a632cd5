/**
 * JSON to an address of the customer's, signed as Standard Webhooks says: the receiver can tell who sent it, when, and whether
 * it was sent before. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { urlField } from './fields.ts'
import { filledTemplate, templateField } from './webhook-template.ts'

const SECRET_PREFIX = 'whsec_'

const settings = z.object({ url: urlField, template: templateField.optional() })
/** Of `key`: 24 to 64 random bytes in base64 behind `whsec_`. */
const secret = z.object({
  key: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'is not a signing secret'),
})

export const WEBHOOK: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  deliver(outgoing, { url, template }, { key: signingKey }, { key, message, nowMs }) {
    const body = template === undefined ? usualBody(message) : filledTemplate(template, message)
    const timestamp = String(Math.floor(nowMs / 1_000))
    return deliverByRequest(outgoing, {
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': key,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatureOf(signingKey, key, timestamp, body),
      },
      body,
    })
  },
}

const usualBody = (message: Message): string =>
  JSON.stringify({
    type: `alert.${message.kind}`,
    timestamp: new Date(message.atMs).toISOString(),
    data: message,
  })

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
function signatureOf(secretKey: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secretKey.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

export const newSigningSecret = (random: Uint8Array): string =>
  `${SECRET_PREFIX}${Buffer.from(random).toString('base64')}`
