/** Next.js with `@sentry/nextjs`: one build, errors of the page and of the server in their TypeScript. */
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { bundlePage } from '../browser/harness/bundle-page.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { type App, copyApp, placeOf } from './support/app.ts'
import { openHarness, type Harness } from './support/harness.ts'
import { issueEvent } from './support/issue-event.ts'
import { pay } from './support/pay.ts'
import { assertCheckoutReadable } from './support/read-checkout.ts'
import { assertFrame, framesOf, storedEvent } from './support/readable.ts'
import { mustRun } from './support/run-tool.ts'
import { type StartedTool, startTool } from './support/start-tool.ts'
import { verifySite } from './support/verify-site.ts'

let harness: Harness
let browser: Browser
let app: App
let server: StartedTool
let buildOutput: string

before(async () => {
  harness = await openHarness()
  app = copyApp('next')
  const env = {
    ...harness.env,
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_PUBLIC_SENTRY_DSN: harness.project.dsn,
    SHOP_RELEASE: 'shop@3.0.0',
  }
  buildOutput = await mustRun('next', ['build'], { cwd: app.folder, env })
  const started = startTool('next', ['start', '-H', '127.0.0.1', '-p', '0'], { cwd: app.folder, env })
  ;[server, browser] = await Promise.all([started, launchChromium()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
  app?.remove()
  await harness?.close()
})

/** Turbopack names sources by their way from the root of the workspace. */
const sourcesOf = ({ folder }: App): string => `.cache/${basename(folder)}/app`

test('the build says that it uploaded', () => {
  assert.match(buildOutput, /Successfully uploaded source maps/)
})

test('`sonde sourcemaps verify` finds every script that the page loads, and none is missing', async () => {
  const page = await browser.newPage()
  const loaded = new Set<string>()
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'script') loaded.add(answer.url())
  })
  await page.goto(server.url, { waitUntil: 'networkidle' })
  await page.close()
  const checks = await verifySite(harness, server.url)
  const found = new Map(checks.map((check) => [check.file, check]))
  assert.ok(loaded.size > 3)
  assert.deepEqual(
    [...loaded].filter((address) => !found.has(address)),
    [],
  )
  const missing = checks.filter(({ problems }) =>
    problems.some(({ problem }) => problem === 'script_missing'),
  )
  assert.deepEqual(missing, [])
  const readable = checks.filter(({ server: state }) => state === 'readable')
  assert.ok(readable.length > 0, JSON.stringify(checks))
})

test('an error of the page is shown in its TypeScript', async () => {
  const event = await storedEvent(harness, await pay(browser, server.url))
  assert.equal(event.release?.version, 'shop@3.0.0')
  assertCheckoutReadable(event, { app: 'next', folder: sourcesOf(app) })
})

test('an error of a route on the server is shown in its TypeScript', async () => {
  const answer = await fetch(`${server.url}/order?sku=cup`)
  assert.equal(answer.status, 500)
  const event = await issueEvent(harness, 'Error: no shelf holds cup')
  const frames = framesOf(event)
  assertFrame(frames.at(-1), {
    function: 'shelfOf',
    file: `${sourcesOf(app)}/order/shelf.ts`,
    place: placeOf('next', 'app/order/shelf.ts', 'new Error'),
  })
  assertFrame(frames.at(-2), {
    function: 'GET',
    file: `${sourcesOf(app)}/order/route.ts`,
    place: placeOf('next', 'app/order/route.ts', 'shelfOf(sku)'),
  })
})

test('a navigation of its own SDK is in the ledger, without anything but the DSN', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/cart`)
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('button', { name: /^Pay/ }).waitFor()
  // Leaving ends the SDK's span.
  await page.goto(`${server.url}/order?sku=cup`)
  await page.close()
  const rows = await harness.api.until<readonly { to: string; outcomes: Record<string, number> }[]>(
    '/api/0/projects/acme/shop/navigations/?statsPeriod=1h',
    (found) => found.length > 0,
    60_000,
  )
  assert.deepEqual(
    rows.map(({ to, outcomes }) => [to, outcomes]),
    [['/', { unknown: 1 }]],
  )
})

test('what its links fetched ahead is told by the page that has Sonde’s SDK, used and wasted', async () => {
  const page = await browser.newPage()
  const script = await bundlePage(`import { init, navigations, prefetches } from '@sonde/browser'
init({ dsn: ${JSON.stringify(harness.project.dsn)}, features: [navigations(), prefetches()] })`)
  await page.addInitScript({ content: script })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.headers()['next-router-prefetch']) asked.push(new URL(request.url()).pathname)
  })
  await page.goto(`${server.url}/cart`, { waitUntil: 'networkidle' })
  assert.ok(asked.length > 0 && asked.every((path) => path === '/'), asked.join())
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('button', { name: /^Pay/ }).waitFor()
  const sending = page.waitForRequest((request) => (request.postData() ?? '').includes('sonde.prefetch.'))
  // As if it were left: of a page that is, nobody can read what it sends.
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  const sent = (await sending).postData() ?? ''
  await page.close()
  const told = sent
    .split('\n')
    .filter((line) => line.includes('sonde.prefetch.'))
    .flatMap((line) => (JSON.parse(line) as { items: Told[] }).items)
    .map(
      ({ attributes }) =>
        (name: string) =>
          attributes[`sonde.prefetch.${name}`]?.value,
    )
    .filter((valueOf) => valueOf('route') !== undefined)
  assert.deepEqual(
    told.map((valueOf) => ['route', 'issued', 'used', 'wasted'].map(valueOf)),
    [['/', 1, 1, 0]],
  )
  assert.ok(Number(told[0]?.('bytes')) > 0)
})

type Told = { readonly attributes: Record<string, { readonly value: string | number }> }
