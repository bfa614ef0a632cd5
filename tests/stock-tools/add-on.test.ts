/**
 * The second day: the same application takes `@sonde/sentry-integration` from what `npm run packages` packed, by npm, and
 * adds one line. The ledger then has ends, by the routes of the SDK's own integration for React Router.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { type PlainPage, signedInPlain } from '../e2e/plain-page.ts'
import { type App, copyApp } from './support/app.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { mustRun } from './support/run-tool.ts'
import { serveSpa, visitSpa } from './support/serve-spa.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const VISITS = 3
const ORDER = '/orders/:orderId'

let harness: Harness
let browser: Browser
let app: App
let screens: PlainPage

before(async () => {
  harness = await openHarness('javascript-react')
  browser = await launchChromium()
  app = copyApp('spa')
  execFileSync('npm', ['run', '--silent', 'packages'], { cwd: ROOT, stdio: 'pipe' })
  const tarballs = ['browser', 'sentry-integration'].map((name) =>
    join(ROOT, 'release', 'packages', `${name}.tgz`),
  )
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: app.folder, stdio: 'pipe' })
  const entry = join(app.folder, 'src', 'main.tsx')
  const code = readFileSync(entry, 'utf8')
    .replace('import { createRoot', "import { sondeNavigations } from '@sonde/sentry-integration'\n$&")
    .replace('  ],\n  tracesSampleRate', '    sondeNavigations(),\n$&')
  assert.equal(code.match(/sondeNavigations/g)?.length, 2)
  writeFileSync(entry, code)
  const env = { ...harness.env, OUT_DIR: app.dist, SHOP_RELEASE: 'shop@3.0.0' }
  await mustRun('vite', ['build'], { cwd: app.folder, env })
  const server = await serveSpa(app.dist)
  for (let visit = 0; visit < VISITS; visit++) await visitSpa(browser, server.url)
  await server.stop()
  await harness.api.until<readonly { to: string; count: number }[]>(
    '/api/0/projects/acme/shop/navigations/?statsPeriod=1h',
    (rows) => rows.reduce((sum, { to, count }) => sum + (to === ORDER ? count : 0), 0) >= 2 * VISITS,
    60_000,
  )
  screens = await signedInPlain(harness.sonde.url)
})
after(async () => {
  await browser?.close()
  app?.remove()
  await harness?.close()
})

test('navigations have their ends, by the routes of the SDK, each once', async () => {
  assert.equal(await screens.goto('/acme/shop/navigations'), 200)
  const pairs = screens.region('Route transitions')
  assert.deepEqual(
    pairs
      .parts('tbody tr th')
      .map(({ text }) => text.replaceAll(' ', ''))
      .toSorted(),
    [`/cart→${ORDER}`, `/→/cart`, `${ORDER}→${ORDER}`].toSorted(),
  )
  pairs.part('tbody tr', `${ORDER} → ${ORDER}`).shows(new RegExp(`100%.*${VISITS} errored`))
  assert.equal(screens.has('Navigations of the Sentry SDK'), false)
})

test('the data that made them fail was seen by whoever was there', async () => {
  await screens.goto('/acme/shop/navigations')
  const row = screens.region('Failed data requests').part('tbody tr', 'GET /api/orders/[id]')
  row.shows(new RegExp(`100%\\s*500 × ${VISITS}`))
})
