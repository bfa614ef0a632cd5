import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { captureException, init, navigations, offlineQueue, pageDataFailures } from '@sonde/browser'

init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations(), pageDataFailures(), offlineQueue()] })
const report = async (url: string, options?: RequestInit) => {
  try { await fetch(url, options) } catch (error) { return error }
}
Object.assign(window, {
  direct: async (url: string) => void captureException(await report(url)),
  wrapped: async (url: string) => void captureException(new Error('no order', { cause: await report(url) })),
  aborted: async (url: string) => void captureException(await report(url, { signal: AbortSignal.abort() })),
  other: () => void captureException(new TypeError('Failed to fetch')),
})
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

describe('errors of requests that got no answer', () => {
  const start = async () => {
    const site = await startRecorderSite({ script: SCRIPT })
    const tab = await openPage(browser)
    await tab.page.goto(`${site.url}/orders/7`)
    return {
      site,
      page: tab.page,
      /** Runs a function of the page, and gives the event that it made. */
      async event(name: string, url = '') {
        const count = site.items('event').length
        await tab.page.evaluate(
          ([each, address]) =>
            (window as unknown as Record<string, (to: string) => Promise<void>>)[each]?.(address),
          [name, url] as const,
        )
        await tab.page.context().setOffline(false)
        await site.waitFor(`an event of ${name}`, () => site.items('event').length > count)
        return site.items('event').at(-1)!.payload
      },
      async [Symbol.asyncDispose]() {
        await tab[Symbol.asyncDispose]()
        await site[Symbol.asyncDispose]()
      },
    }
  }

  it('say which request it was and why, and leave the error as it is', async () => {
    await using app = await start()
    app.site.fail('/api/orders/42', ['drop', 'drop', 'drop'])
    const event = await app.event('direct', '/api/orders/42?x=1')
    assert.equal(event.exception.values.at(-1).value, 'Failed to fetch')
    const { endpoint, cause, wrapped } = event.contexts.page_data
    assert.deepEqual([endpoint, cause, wrapped], ['GET /api/orders/[id]', 'unreachable', false])
    assert.deepEqual(event.fingerprint, ['request', 'GET /api/orders/[id]', '', 'unreachable'])
  })

  it('tell offline, other origins and requests that were given up apart', async () => {
    await using app = await start()
    const causeOf = async (name: string, url: string) => (await app.event(name, url)).contexts.page_data.cause
    assert.equal(await causeOf('aborted', '/api/orders/42'), 'aborted')
    // Nobody listens there.
    assert.equal(await causeOf('direct', 'http://127.0.0.1:9/pay'), 'blocked')
    await app.page.context().setOffline(true)
    // It is sent once the page is online again.
    assert.equal(await causeOf('direct', '/api/orders/42'), 'offline')
  })

  it('of a cause is told beside the error that the page made of it', async () => {
    await using app = await start()
    app.site.fail('/api/orders/42', ['drop', 'drop', 'drop'])
    const event = await app.event('wrapped', '/api/orders/42')
    assert.equal(event.fingerprint, undefined)
    assert.deepEqual(
      [event.contexts.page_data.endpoint, event.contexts.page_data.wrapped],
      ['GET /api/orders/[id]', true],
    )
    const other = await app.event('other')
    assert.deepEqual([other.contexts?.page_data, other.fingerprint], [undefined, undefined])
  })
})
