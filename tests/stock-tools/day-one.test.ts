/**
 * The first day of a team that has Sentry's SDK: a Vite application with React Router, set up as Sentry's documentation
 * says, gets another DSN and nothing else. The screens of navigations and releases show what that SDK tells.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { type PlainPage, signedInPlain } from '../e2e/plain-page.ts'
import { copyApp } from './support/app.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { mustRun } from './support/run-tool.ts'
import { serveSpa, visitSpa } from './support/serve-spa.ts'

const RELEASES = ['shop@1.0.0', 'shop@2.0.0'] as const
const VISITS = 2
/** As the SDK names the route: React Router's own words. */
const ORDER = '/orders/:orderId'

const countTo = (rows: readonly { to: string; count: number }[], route: string): number =>
  rows.filter(({ to }) => to === route).reduce((sum, { count }) => sum + count, 0)

let harness: Harness
let browser: Browser
let screens: PlainPage

before(async () => {
  harness = await openHarness('javascript-react')
  browser = await launchChromium()
  for (const release of RELEASES) {
    const app = copyApp('spa')
    const env = { ...harness.env, OUT_DIR: app.dist, SHOP_RELEASE: release }
    await mustRun('vite', ['build'], { cwd: app.folder, env })
    const server = await serveSpa(app.dist)
    for (let visit = 0; visit < VISITS; visit++) await visitSpa(browser, server.url)
    await server.stop()
    app.remove()
  }
  await harness.api.until<readonly { to: string; count: number }[]>(
    '/api/0/projects/acme/shop/navigations/?statsPeriod=1h',
    (rows) =>
      countTo(rows, '/cart') >= RELEASES.length * VISITS &&
      // Both orders are of one route.
      countTo(rows, ORDER) >= 2 * RELEASES.length * VISITS,
    60_000,
  )
  screens = await signedInPlain(harness.sonde.url)
})
after(async () => {
  await browser?.close()
  await harness?.close()
})

test('every navigation of the SDK is in the ledger by its route, without an end, and the page says what would tell it', async () => {
  assert.equal(await screens.goto('/acme/shop/navigations'), 200)
  const table = screens.region('Navigations of the Sentry SDK')
  for (const route of ['/cart', ORDER]) table.part('tbody tr', route)
  screens.shows('@sonde/sentry-integration')
  const failed = () => screens.region('Failed requests during navigations').parts('tbody tr', '/api/orders/')
  const countOf = () =>
    failed().reduce((sum, { text }) => sum + Number(/500 × (\d+)/.exec(text)?.[1] ?? 0), 0)
  // A page's last spans are sent while it goes, and may come after the navigations that `before` waits for.
  for (let attempt = 0; attempt < 20 && countOf() === 0; attempt++) {
    await sleep(500)
    await screens.goto('/acme/shop/navigations')
  }
  // Which of them are told depends on whether a span of the SDK is open when the loader asks.
  assert.ok(countOf() >= 1, screens.region('Failed requests during navigations').text)
})

test('the page of a release says what can be judged with that SDK, and how much is missing', async () => {
  assert.equal(await screens.goto(`/acme/shop/releases/${encodeURIComponent(RELEASES[1])}`), 200)
  const verdict = screens.region('Verdict')
  verdict.shows(/not enough data/i)
  // What the SDK of a page does not send is named, not left out.
  verdict.shows(/navigation/i)
})

test('the error of the new release is an issue with its release', async () => {
  assert.equal(await screens.goto('/acme/shop/issues?query='), 200)
  screens.shows(/Cannot read properties of undefined/)
})
