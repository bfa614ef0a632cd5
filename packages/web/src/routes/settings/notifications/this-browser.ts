/** What this browser says about notifications, and how they are switched on and off in it. https://www.w3.org/TR/push-api/ */

export type ThisBrowser =
  /** `insecure`: browsers allow it over https only. */
  | { readonly state: 'insecure' | 'unsupported' | 'blocked' | 'off' }
  /** `digest`: SHA-256 of the endpoint, by which the server's list names it. */
  | { readonly state: 'subscribed'; readonly digest: string }

const WORKER = '/push-worker.js'

export async function lookAtThisBrowser(): Promise<ThisBrowser> {
  if (!window.isSecureContext) return { state: 'insecure' }
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return { state: 'unsupported' }
  if (Notification.permission === 'denied') return { state: 'blocked' }
  const subscription = await subscribed()
  if (!subscription || Notification.permission !== 'granted') return { state: 'off' }
  return { state: 'subscribed', digest: await digestOf(subscription.endpoint) }
}

const subscribed = async (): Promise<PushSubscription | null | undefined> =>
  (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()

async function digestOf(endpoint: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)))
  return base64url(bytes)
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

export type Subscribed = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }

/**
 * Asks the person, so only after a click. Undefined: the answer was no, or none. Throws what the browser says when it cannot
 * subscribe. `pushKey`: of this Sonde; a subscription to another key takes nothing from it.
 */
export async function subscribeThisBrowser(pushKey: string): Promise<Subscribed | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  await navigator.serviceWorker.register(WORKER, { scope: '/' })
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  const key = before?.options.applicationServerKey
  if (before && !(key && base64url(new Uint8Array(key)) === pushKey)) await before.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' }
}

export const unsubscribeThisBrowser = async (): Promise<void> => {
  await (await subscribed())?.unsubscribe()
}
