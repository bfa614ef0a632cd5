/**
 * `@sentry/browser` as it comes from npm with the add-on, in Chromium, against a real Sonde: the ledger has each navigation
 * once, with outcome, phases and what failed, in the SDK's own trace.
 */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { bundlePage } from '../browser/harness/bundle-page.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { type Harness, openHarness } from './support/harness.ts'

type Pair = {
  readonly from: string
  readonly to: string
  readonly count: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly meanPhases: Readonly<Record<string, number>>
}

const scriptOf = (dsn: string): string => `
import * as Sentry from '@sentry/browser'
import { sondeNavigations } from '@sonde/sentry-integration'
Sentry.init({
  dsn: '${dsn}',
  release: 'shop@1.4.2',
  environment: 'production',
  tracesSampleRate: 1,
  integrations: [Sentry.browserTracingIntegration(), sondeNavigations()],
})
Sentry.setUser({ id: '42' })
const main = document.createElement('main')
document.body.append(main)
const show = () => { main.textContent = 'page ' + location.pathname }
for (const path of ['/orders', '/cart']) {
  const link = document.createElement('a')
  link.href = path
  link.textContent = path
  link.onclick = async (event) => {
    event.preventDefault()
    history.pushState(null, '', path)
    show()
    await fetch('/api' + path)
    main.textContent += ', loaded'
  }
  document.body.append(link)
}
show()
`

let harness: Harness
let browser: Browser
let site: Server
let siteUrl = ''

before(async () => {
  harness = await openHarness('javascript')
  const script = await bundlePage(scriptOf(harness.project.dsn))
  site = createServer((req, res) => {
    const path = req.url ?? '/'
    if (path === '/page.js') res.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else if (path.startsWith('/api/')) res.writeHead(path === '/api/cart' ? 503 : 200).end('{}')
    else
      res
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><link rel="icon" href="data:,"><body><script src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto(siteUrl)
  for (const path of ['/orders', '/cart']) {
    await page.getByRole('link', { name: path }).click()
    await page.getByText(`page ${path}, loaded`).waitFor()
  }
  // Whatever waits is sent when the page is left.
  await page.goto('about:blank')
})
after(async () => {
  await browser?.close()
  site?.closeAllConnections()
  site?.close()
  await harness?.close()
})

test('the ledger has each navigation once, with its outcome and its phases', async () => {
  const path = '/api/0/projects/acme/shop/navigations/'
  const pairs = await harness.api.until<Pair[]>(path, (list) => list.length === 2, 60_000)
  assert.deepEqual(pairs.map(({ from, to, count }) => `${from} ${to} ${count}`).toSorted(), [
    '/ /orders 1',
    '/orders /cart 1',
  ])
  const [orders] = pairs.filter(({ to }) => to === '/orders')
  assert.deepEqual(orders?.outcomes, { committed: 1 })
  assert.ok('intent' in orders.meanPhases && 'paint' in orders.meanPhases, JSON.stringify(orders.meanPhases))
})
