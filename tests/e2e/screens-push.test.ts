/**
 * Notifications in a browser: switched on and off on the screen, shown by the service worker, and what a click opens. A push
 * service of a browser's maker cannot be reached from here, so `subscribe` alone is stood in for: the worker, its
 * registration, the permission, the pushes (by the browser's own tools) and what it shows are Chromium's. That the server sends
 * what a browser can read is in packages/alerts/test/push.test.ts.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../harness/push-service.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { launchFullChromium } from './chromium.ts'
import { sessionOf } from './screens-visit.ts'

const SETTINGS = '/settings/notifications'

describe('notifications in a browser', () => {
  let sonde: RunningSonde
  let browser: Browser
  let storageState: Awaited<ReturnType<typeof sessionOf>>
  before(async () => {
    sonde = await startSonde({})
    browser = await launchFullChromium()
    storageState = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser.close()
    assert.equal(await sonde.stop(), 0)
  })

  async function inBrowser(
    permission: 'granted' | 'denied',
    run: (page: Page, context: BrowserContext) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext({ baseURL: sonde.url, storageState })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    const cdp = await browser.newBrowserCDPSession()
    await cdp.send('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting: permission,
      origin: sonde.url,
      browserContextId: await contextId(page),
    })
    const { endpoint, p256dh, auth } = await openBrowser('e2e')
    await page.addInitScript(standIn, { endpoint, p256dh, auth })
    try {
      await run(page, context)
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  }

  test('is switched on with a click, shown by the worker, opened within Sonde alone, and switched off', () =>
    inBrowser('granted', async (page, context) => {
      await page.goto(SETTINGS)
      await page.getByText('Notifications are off in this browser').waitFor()
      assert.equal(context.serviceWorkers().length, 0, 'nothing is installed before the click')
      await inEveryLook(page)
      await page.getByRole('button', { name: 'Switch on for this browser' }).click()
      await page.getByText('Notifications are on in this browser').waitFor()
      await page.getByText('this browser', { exact: true }).waitFor()
      await inEveryLook(page)

      const worker = await page.request.get('/push-worker.js')
      assert.equal(worker.headers()['content-type'], 'text/javascript; charset=utf-8')
      assert.match(worker.headers()['content-security-policy'] ?? '', /^default-src 'none'/)

      const shown = {
        title: 'New issue in acme/shop',
        body: 'TypeError: <b>x</b>',
        path: '/acme',
        tag: 'issue-1',
      }
      await push(page, JSON.stringify(shown))
      await notified(page, [shown.title])
      await push(page, JSON.stringify({ ...shown, title: 'Regression in acme/shop' }))
      await notified(page, ['Regression in acme/shop'])
      // What it cannot read is shown all the same.
      await push(page, 'not JSON')
      await notified(page, ['Regression in acme/shop', 'Sonde'])

      assert.deepEqual(await clicked(context, ['/acme/shop', 'https://evil.test/x', '//evil.test/x']), [
        `${sonde.url}/acme/shop`,
        `${sonde.url}/settings/inbox`,
        `${sonde.url}/settings/inbox`,
      ])

      await page.reload()
      await page.getByText('Notifications are on in this browser').waitFor()
      await page.getByRole('button', { name: 'Switch off' }).click()
      await page.getByText('Notifications are off in this browser').waitFor()
      assert.equal(await page.getByRole('list', { name: 'Browsers with notifications' }).count(), 0)
    }))

  test('another browser is listed, and removed from here', () =>
    inBrowser('granted', async (page) => {
      await page.goto(SETTINGS)
      await page.getByRole('button', { name: 'Switch on for this browser' }).click()
      await page.getByText('Notifications are on in this browser').waitFor()
      await inBrowser('denied', async (other) => {
        await other.goto(SETTINGS)
        await other.getByText('This browser blocks notifications of Sonde').waitFor()
        await inEveryLook(other)
        await other.getByRole('button', { name: /^Remove / }).click()
        await other.getByText('Notifications switched off for that browser').waitFor()
      })
      await page.reload()
      await page.getByText('Notifications are off in this browser').waitFor()
    }))
})

const contextId = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  return targetInfo.browserContextId ?? ''
}

/** In the page: a subscription that lasts as long as the browser's storage, without its maker's service. */
function standIn(keys: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }): void {
  const made = (): PushSubscription | null =>
    localStorage.getItem('subscribed') === null
      ? null
      : ({
          endpoint: keys.endpoint,
          options: { applicationServerKey: null, userVisibleOnly: true },
          toJSON: () => ({ endpoint: keys.endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }),
          unsubscribe: async () => {
            localStorage.removeItem('subscribed')
            return true
          },
        } as unknown as PushSubscription)
  PushManager.prototype.getSubscription = async () => made()
  PushManager.prototype.subscribe = async (options) => {
    const key = options?.applicationServerKey
    // As Chromium judges it: the point of a P-256 key, in base64url.
    if (typeof key !== 'string' || !/^B[\w-]{86}$/.test(key)) throw new TypeError('no key')
    localStorage.setItem('subscribed', 'yes')
    const subscription = made()
    if (!subscription) throw new TypeError('not kept')
    return subscription
  }
}

/** As the browser's own tools deliver a push, decrypted. */
async function push(page: Page, data: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (first) resolve(first.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  const { origin } = new URL(page.url())
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  await cdp.detach()
}

/** Titles of the notifications that the browser shows. */
async function notified(page: Page, titles: readonly string[]): Promise<void> {
  await page.waitForFunction(
    async (expected) => {
      const shown = await (await navigator.serviceWorker.ready).getNotifications()
      return JSON.stringify(shown.map(({ title }) => title).sort()) === JSON.stringify(expected)
    },
    [...titles].sort(),
  )
}

/** What the worker opens for these paths. A click of a person is what lets it open a window, so what it asks for is noted. */
async function clicked(context: BrowserContext, addresses: readonly string[]): Promise<readonly string[]> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return worker.evaluate(async (paths) => {
    const scope = globalThis as unknown as {
      clients: { openWindow: (url: string) => Promise<void> }
      registration: ServiceWorkerRegistration
      dispatchEvent: (event: Event) => boolean
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event
    }
    const opened: string[] = []
    scope.clients.openWindow = async (url) => void opened.push(url)
    for (const path of paths) {
      await scope.registration.showNotification('x', { tag: 'clicked', data: { path } })
      const [notification] = await scope.registration.getNotifications({ tag: 'clicked' })
      if (notification)
        scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
      const before = opened.length
      while (opened.length === before) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return opened
  }, addresses)
}
