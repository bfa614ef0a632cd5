/** Notifications in the browsers that a person chose, by Web Push: https://www.rfc-editor.org/rfc/rfc8030 */
import type { Seal } from '@sonde/access'
import type { Outgoing } from '@sonde/outgoing'
import type { PushSubscriptionTable, Records, Selectable } from '@sonde/stores'
import { type Delivery, type DeliveryResult, deliverByRequest } from '../channels/channel.ts'
import { clip, oneLine } from '../channels/fields.ts'
import type { Message } from '../messages/message.ts'
import { arePushKeys, encryptPush } from './encrypt.ts'
import { openVapidKey, publicKeyOf, type VapidKey, vapidAuthorization } from './vapid.ts'

export type PusherDeps = {
  readonly records: Records
  readonly seal: Seal
  readonly outgoing: Outgoing
  /** Under which people reach the screens. */
  readonly publicUrl: string
}

export type Pusher = {
  /** What browsers subscribe with, in base64url. */
  publicKey(): Promise<string>
  /** To all browsers of a person, or to one of them. Never throws for what the other side does. */
  deliver(userId: string, delivery: Delivery, subscriptionId?: number): Promise<DeliveryResult>
}

type Subscription = Selectable<PushSubscriptionTable>

export function createPusher({ records, seal, outgoing, publicUrl }: PusherDeps): Pusher {
  let opening: Promise<VapidKey> | undefined
  const key = (): Promise<VapidKey> => {
    opening ??= openVapidKey({ records, seal })
    // So that what failed is tried again.
    opening.catch(() => (opening = undefined))
    return opening
  }
  const deliverTo = async (
    { id, endpoint, p256dh, auth }: Subscription,
    { message, nowMs }: Delivery,
  ): Promise<DeliveryResult> => {
    const remove = () => records.deleteFrom('push_subscription').where('id', '=', id).execute()
    // Taken in by an older version, or damaged: nothing can be encrypted for it, now or later.
    if (!arePushKeys({ p256dh, auth })) {
      await remove()
      return { isDelivered: false, answer: 'the keys of the browser are not valid', again: 'never' }
    }
    const headers = {
      authorization: vapidAuthorization(await key(), { endpoint, subject: publicUrl, nowMs }),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(KEPT_SEC),
      urgency: message.level === 'fatal' || message.level === 'error' ? 'high' : 'normal',
    }
    const body = encryptPush(JSON.stringify(pushOf(message)), { p256dh, auth })
    const result = await deliverByRequest(outgoing, { url: endpoint, method: 'POST', headers, body })
    if (!result.isDelivered && /^(?:404|410)\b/.test(result.answer)) await remove()
    return result
  }
  return {
    publicKey: async () => publicKeyOf(await key()),
    async deliver(userId, delivery, subscriptionId) {
      const subscriptions = await records
        .selectFrom('push_subscription')
        .selectAll()
        .where('user_id', '=', userId)
        .$if(subscriptionId !== undefined, (query) => query.where('id', '=', subscriptionId ?? 0))
        .orderBy('id')
        .execute()
      const results = await Promise.all(subscriptions.map((each) => deliverTo(each, delivery)))
      return results.length === 0
        ? { isDelivered: false, answer: 'no browser is switched on any more', again: 'never' }
        : together(results)
    },
  }
}

/** The maker keeps it for a browser that is off; later it is of no use. */
const KEPT_SEC = 24 * 60 * 60

/** Delivered when one browser has it: tried again, the others would show it twice. */
function together(results: readonly DeliveryResult[]): DeliveryResult {
  const answer = results
    .map((result) => result.answer)
    .join('; ')
    .slice(0, 1_000)
  if (results.some(({ isDelivered }) => isDelivered)) return { isDelivered: true, answer }
  const failed = results.flatMap((result) => (result.isDelivered ? [] : [result]))
  const afterMs = Math.max(...failed.map((each) => each.afterMs ?? 0))
  const again = failed.some((each) => each.again === 'later') ? 'later' : 'never'
  return { isDelivered: false, answer, again, ...(afterMs > 0 && { afterMs }) }
}

/** What the service worker shows: `packages/web/public/push-worker.js`. The address without the origin: it opens no other. */
export type PushContent = {
  readonly title: string
  readonly body: string
  readonly path: string
  /** A later one with the same takes its place. */
  readonly tag: string
}

export function pushOf(message: Message): PushContent {
  const { kind, headline, title, place, url, issue, incidentId, atMs, quote } = message
  const { pathname, search } = new URL(url)
  const about = issue
    ? `issue-${issue.id}`
    : incidentId === undefined
      ? `${kind}-${atMs}`
      : `incident-${incidentId}`
  return {
    title: oneLine(headline, 120),
    body: clip([oneLine(title, 300), oneLine(quote ?? place, 150)].filter(Boolean).join('\n'), 500),
    path: clip(pathname + search, 500),
    tag: about,
  }
}
