/** `@sentry/node` as it comes from npm, against the built Sonde. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launchChromium } from '../e2e/chromium.ts'
import { entry, eventById, exceptions, latestEvent } from './support/api-shapes.ts'
import { assertStockAttached } from './support/attachments.ts'
import { assertOnlyAccepted, assertOutcomes } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { logLines } from './support/log-lines.ts'
import { runProgram } from './support/run-program.ts'
import { assertShows, issuePageText, signIn } from './support/screens.ts'
import {
  assertScope,
  type ShopIds,
  type ShopIssues,
  shopIssues,
  sourceLine,
} from './support/shop-assertions.ts'
import { assertTrace } from './support/trace.ts'

const { version } = createRequire(import.meta.url)('@sentry/node/package.json') as { version: string }
const SENT_WITH = { sdk: { name: 'sentry.javascript.node', version }, environment: 'compat-node' }
const TITLES = {
  chained: 'CheckoutError: order 1001 could not be placed',
  uncaught: "TypeError: Cannot read properties of undefined (reading 'length')",
}

let harness: Harness
let ids: ShopIds
let issues: ShopIssues

before(async () => {
  harness = await openHarness('node')
  const run = await runProgram(
    process.execPath,
    [join(import.meta.dirname, 'node', 'shop.ts')],
    harness.project.dsn,
  )
  assert.equal(run.code, 1, `the shop ends by its uncaught error\n${run.stderr}`)
  ids = JSON.parse(run.stdout) as ShopIds
  issues = await shopIssues(harness, TITLES)
})
after(() => harness?.close())

test('a chained error becomes one issue that keeps its cause, its frames and their source', async () => {
  assert.equal(issues.chained.level, 'error')
  assert.equal(issues.chained.isUnhandled, false)
  const event = await latestEvent(harness, issues.chained)
  assert.equal(event.eventID, ids.chained)
  assert.equal(event.type, 'error')
  const [cause, thrown] = exceptions(event)
  assert.deepEqual([cause?.type, cause?.value], ['PaymentError', 'card declined for 5990 cents'])
  assert.deepEqual([thrown?.type, thrown?.value], ['CheckoutError', 'order 1001 could not be placed'])
  const crash = cause?.stacktrace?.frames.at(-1)
  assert.equal(crash?.function, 'chargeCard')
  assert.equal(crash?.inApp, true)
  assert.equal(sourceLine(crash), 'throw new PaymentError(`card declined for ${cents} cents`)')
  assert.equal(thrown?.stacktrace?.frames.at(-1)?.function, 'placeOrder')
})

test('user, tags, contexts, breadcrumbs, release and environment arrive with every event', async () => {
  for (const issue of [issues.chained, issues.message, issues.fingerprinted, issues.uncaught]) {
    const event = await latestEvent(harness, issue)
    assertScope(event, SENT_WITH)
    assert.equal(event.contexts['runtime']?.['name'], 'node')
    assert.deepEqual(event.context, { coupon: 'SPRING' })
  }
})

test('messages keep their text and level; a fingerprint holds different texts together', async () => {
  assert.equal(issues.message.level, 'info')
  const message = await eventById(harness, ids.message)
  assert.equal(message.title, 'The nightly import took long')
  assert.equal(entry(message, 'message').formatted, 'The nightly import took long')
  assert.equal(issues.fingerprinted.level, 'warning')
  const both = await Promise.all(ids.fingerprinted.map((id) => eventById(harness, id)))
  assert.deepEqual(
    both.map(({ title, groupID }) => [title, groupID]),
    ['Only two bicycles left', 'No teapots any more'].map((title) => [title, issues.fingerprinted.id]),
  )
})

test('an error that nobody catches is shown as unhandled', async () => {
  assert.equal(issues.uncaught.isUnhandled, true)
  assert.equal(issues.uncaught.level, 'fatal')
  const event = await latestEvent(harness, issues.uncaught)
  const [thrown] = exceptions(event)
  assert.equal(thrown?.mechanism?.handled, false)
  assert.equal(thrown.stacktrace?.frames.at(-1)?.function, 'sendNewsletter')
})

test('the file beside each warning comes back as it was', async () => {
  await assertStockAttached(harness, ids.fingerprinted)
})

test('the transaction is a trace with its child below it', async () => {
  await assertTrace(harness, ids.trace)
})

test('everything else that the SDK sends is answered with 200 and counted', async () => {
  await assertOnlyAccepted(harness, 'envelope')
  await assertOutcomes(harness, [
    { category: 'error', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'default', outcome: 'accepted', reason: '', quantity: 3 },
    { category: 'internal', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'attachment', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'transaction', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'span', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'log_item', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'session', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'feedback', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'monitor', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'error', outcome: 'client_discard', reason: 'before_send', quantity: 1 },
    { category: 'trace_metric', outcome: 'accepted', reason: '', quantity: 1 },
  ])
})

test('a line of the log arrives with its severity and text', async () => {
  const lines = await logLines(harness, 'severity:info')
  assert.equal(lines.length, 1)
  for (const { message, severity } of lines) assert.deepEqual([severity, message], ['info', 'order placed'])
})

test('the issue page shows the errors, their source and what was around them', async () => {
  const browser = await launchChromium()
  try {
    const page = await signIn(browser, harness)
    assertShows(await issuePageText(page, harness, issues.chained), [
      'CheckoutError',
      'order 1001 could not be placed',
      'PaymentError',
      'card declined for 5990 cents',
      'chargeCard',
      'throw new PaymentError(`card declined for ${cents} cents`)',
      'put sku 4711 into the cart',
      'card was asked for',
      'ada@example.com',
      'eu-west',
      'compat-node',
      'shop@1.4.2',
      'sentry.javascript.node',
      '59.9',
    ])
  } finally {
    await browser.close()
  }
})
