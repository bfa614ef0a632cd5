/** `@sentry/browser` as it comes from npm, bundled by Vite, in Chromium: straight to Sonde, and through a tunnel. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { type BuiltShop, buildShop } from './browser/build-shop.ts'
import { type ShopServer, startShopServer } from './browser/shop-server.ts'
import { type ShopVisit, visitShop } from './browser/visit-shop.ts'
import {
  breadcrumbs,
  entry,
  eventById,
  exceptions,
  type Issue,
  issuesOnceThere,
  issueTitled,
} from './support/api-shapes.ts'
import { answersByEndpoint, assertOutcomes } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { logLines } from './support/log-lines.ts'
import { assertShows, issuePageText, signIn } from './support/screens.ts'
import { assertTags } from './support/shop-assertions.ts'

const { version } = createRequire(import.meta.url)('@sentry/browser/package.json') as { version: string }
const CHECKOUT = 'CheckoutError: order 1001 could not be placed'
const ONERROR = 'RangeError: the newsletter has no recipients'
const REJECTION = 'TypeError: the stock list could not be read'
const MESSAGE = 'The nightly import took long'
const EVENTS_PER_VISIT = 6

/** Two releases of one shop, so two scripts with two hashes in their names. */
type Release = { readonly shop: BuiltShop; readonly server: ShopServer; readonly visit: ShopVisit }
const leftovers: (() => void | Promise<void>)[] = []
let harness: Harness
let browser: Browser
let direct: Release
let tunnelled: Release
let issues: ReadonlyMap<string, Issue>

before(async () => {
  harness = await openHarness('javascript')
  browser = await launchChromium()
  const { dsn } = harness.project
  direct = await release('shop@1.4.2', { dsn })
  const [org] = (await harness.api.get<{ id: string }[]>('/api/0/organizations/')).body
  const tunnel = `/monitoring?o=${org?.id}&p=${harness.project.id}&r=local`
  tunnelled = await release('shop@1.4.3', { dsn, tunnel })
  issues = await issuesOnceThere(harness, 2 * EVENTS_PER_VISIT)
})
after(async () => {
  await browser?.close()
  for (const remove of leftovers) await remove()
  await harness?.close()
})

async function release(name: string, params: Readonly<Record<string, string>>): Promise<Release> {
  const shop = await buildShop(name)
  leftovers.push(() => shop.remove())
  const server = await startShopServer(shop.folder, harness.sonde.url)
  leftovers.push(() => server.stop())
  return { shop, server, visit: await visitShop(browser, server.url, params) }
}

test('another origin may report: every answer is a 200 that the page can read', async () => {
  assert.ok(direct.visit.statuses.length >= EVENTS_PER_VISIT)
  assert.deepEqual(new Set(direct.visit.statuses), new Set([200]))
  // A header that browsers ask permission for first.
  const preflighted = await direct.visit.postWithHeader(
    `${harness.sonde.url}/api/${harness.project.id}/envelope/`,
    `Sentry sentry_version=7, sentry_key=${harness.project.publicKey}`,
  )
  assert.deepEqual(preflighted, { status: 200, body: '{}' })
})

test('the tunnel takes the same envelopes from the own origin', async () => {
  assert.deepEqual(new Set(tunnelled.visit.statuses), new Set([200]))
  assert.deepEqual(tunnelled.visit.foreignRequests, [], 'nothing leaves the origin of the shop')
  const doors = await answersByEndpoint(harness)
  assert.deepEqual(Object.keys(doors['tunnel'] ?? {}), ['200'], JSON.stringify(doors))
  assert.deepEqual(Object.keys(doors['envelope'] ?? {}), ['200'], JSON.stringify(doors))
})

test('two releases with other hashes in their file names share their issues', () => {
  assert.notEqual(direct.shop.script, tunnelled.shop.script)
  const counts = [...issues.values()].map(({ title, count }) => [title, count])
  assert.deepEqual(Object.fromEntries(counts), {
    [CHECKOUT]: '2',
    [ONERROR]: '2',
    [REJECTION]: '2',
    [MESSAGE]: '2',
    // Two texts under one fingerprint, from two visits; the later text names the issue.
    [fingerprinted().title]: '4',
  })
  assert.match(fingerprinted().title, /Only two bicycles left|No teapots any more/)
})

function fingerprinted(): Issue {
  const found = [...issues.values()].find((issue) => issue.count === '4')
  assert.ok(found, 'the fingerprint holds four events together')
  return found
}

test('an error with a cause keeps both, each with its frames', async () => {
  const event = await eventById(harness, direct.visit.ids['CheckoutError'] ?? '')
  assert.equal(event.groupID, issueTitled(issues, CHECKOUT).id)
  const [cause, thrown] = exceptions(event)
  assert.deepEqual([cause?.type, cause?.value], ['PaymentError', 'card declined for 5990 cents'])
  assert.deepEqual([thrown?.type, thrown?.value], ['CheckoutError', 'order 1001 could not be placed'])
  for (const exception of [cause, thrown]) {
    const crash = exception?.stacktrace?.frames.at(-1)
    assert.equal(crash?.absPath ?? crash?.filename, `${direct.server.url}/assets/${direct.shop.script}`)
    assert.equal(crash?.inApp, true)
  }
})

test('window.onerror and unhandledrejection are shown as unhandled', async () => {
  for (const [title, mechanism] of [
    [ONERROR, 'auto.browser.global_handlers.onerror'],
    [REJECTION, 'auto.browser.global_handlers.onunhandledrejection'],
  ] as const) {
    const issue = issueTitled(issues, title)
    assert.equal(issue.isUnhandled, true, title)
    const id = direct.visit.ids[title.slice(0, title.indexOf(':'))] ?? ''
    const [thrown] = exceptions(await eventById(harness, id))
    assert.equal(thrown?.mechanism?.type, mechanism)
  }
  assert.equal(issueTitled(issues, CHECKOUT).isUnhandled, false)
})

test('user, tags, contexts, breadcrumbs, request, release and environment arrive by both ways', async () => {
  for (const [{ visit, server }, name] of [
    [direct, 'shop@1.4.2'],
    [tunnelled, 'shop@1.4.3'],
  ] as const) {
    const event = await eventById(harness, visit.ids['CheckoutError'] ?? '')
    assert.deepEqual(event.sdk, { name: 'sentry.javascript.browser', version })
    assert.equal(event.release?.version, name)
    assert.equal(event.environment, 'compat-browser')
    assert.equal(event.user?.['email'], 'ada@example.com')
    assert.equal(event.contexts['cart']?.['items'], 3)
    assert.equal(event.contexts['browser']?.['name'], 'HeadlessChrome')
    assert.equal(event.context['coupon'], 'SPRING')
    assertTags(event, { region: 'eu-west', environment: 'compat-browser', release: name })
    const crumbs = breadcrumbs(event).map(({ category, message }) => `${category}: ${message}`)
    assert.ok(crumbs.includes('shop.cart: put sku 4711 into the cart'), crumbs.join(' | '))
    assert.ok(crumbs.includes('console: card was asked for'), crumbs.join(' | '))
    assert.ok(crumbs.includes('ui.click: body > button#buy'), crumbs.join(' | '))
    const request = entry(event, 'request')
    assert.ok(request.url.startsWith(`${server.url}/thanks`), request.url)
  }
})

test('the page loads tell their web vitals, by route', async () => {
  type Row = { readonly route: string; readonly count: number; readonly ttfb?: { readonly p75: number } }
  const rows = await harness.api.until<readonly Row[]>('/api/0/projects/acme/shop/vitals/', (found) =>
    found.some(({ ttfb }) => ttfb !== undefined),
  )
  const page = rows.find(({ ttfb }) => ttfb !== undefined)
  assert.ok((page?.ttfb?.p75 ?? -1) >= 0 && (page?.ttfb?.p75 ?? Infinity) < 60_000, JSON.stringify(rows))
})

test('everything else that the SDK sends is counted', async () => {
  await assertOutcomes(harness, [
    { category: 'error', outcome: 'client_discard', reason: 'before_send', quantity: 2 },
    { category: 'internal', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'attachment', outcome: 'accepted', reason: '', quantity: 4 },
    { category: 'span', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'log_item', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'session', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'feedback', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'trace_metric', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'replay', outcome: 'accepted', reason: '', quantity: 2 },
  ])
})

test('a line of the log arrives with its severity and text', async () => {
  const lines = await logLines(harness, 'severity:info')
  assert.equal(lines.length, 2)
  for (const { message, severity } of lines) assert.deepEqual([severity, message], ['info', 'order placed'])
})

test('the issue page shows the errors and what was around them', async () => {
  const page = await signIn(browser, harness)
  assertShows(await issuePageText(page, harness, issueTitled(issues, CHECKOUT)), [
    'CheckoutError',
    'order 1001 could not be placed',
    'PaymentError',
    'card declined for 5990 cents',
    tunnelled.shop.script,
    'put sku 4711 into the cart',
    'card was asked for',
    'ada@example.com',
    'eu-west',
    'compat-browser',
    'shop@1.4.3',
    'sentry.javascript.browser',
    '/thanks',
  ])
})
