/** `sentry-go` as it comes from the Go module proxy, against the built Sonde. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ensureGo } from '../../scripts/test/compat-tools.mjs'
import { launchChromium } from '../e2e/chromium.ts'
import { entry, eventById, exceptions, latestEvent } from './support/api-shapes.ts'
import { assertStockAttached } from './support/attachments.ts'
import { buildGo } from './support/build-go.ts'
import { assertOnlyAccepted, assertOutcomes } from './support/counts.ts'
import { findTool } from './support/find-tool.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { logLines } from './support/log-lines.ts'
import { runProgram } from './support/run-program.ts'
import { assertShows, issuePageText, signIn } from './support/screens.ts'
import { assertScope, type ShopIds, type ShopIssues, shopIssues } from './support/shop-assertions.ts'
import { assertTrace } from './support/trace.ts'

const goMod = readFileSync(join(import.meta.dirname, 'go', 'go.mod'), 'utf8')
const version = /getsentry\/sentry-go v(\S+)/.exec(goMod)?.[1] ?? ''
const SENT_WITH = { sdk: { name: 'sentry.go', version }, environment: 'compat-go' }
const TITLES = {
  chained: '*main.CheckoutError: order 1001 could not be placed',
  uncaught: 'runtime.boundsError: runtime error: index out of range [0] with length 0',
}

const go = findTool(ensureGo)

// A skipped suite is no skipped test to the runner; this one shows in the totals.
test('a Go that builds sentry-go can be had', { skip: go.skip }, () => assert.ok(go.path))

suite('sentry-go from the module proxy', { skip: go.skip }, () => {
  let harness: Harness
  let ids: ShopIds
  let issues: ShopIssues

  before(async () => {
    const shop = buildGo(go.path, join(import.meta.dirname, 'go'), 'go-shop')
    harness = await openHarness('go')
    const run = await runProgram(shop, [], harness.project.dsn)
    assert.equal(run.code, 0, run.stderr)
    ids = JSON.parse(run.stdout) as ShopIds
    issues = await shopIssues(harness, TITLES)
  })
  after(() => harness?.close())

  test('a wrapped error becomes one issue that keeps what it wraps and where it was reported', async () => {
    assert.equal(issues.chained.level, 'error')
    const event = await latestEvent(harness, issues.chained)
    assert.equal(event.eventID, ids.chained)
    assert.equal(event.platform, 'go')
    const [cause, thrown] = exceptions(event)
    assert.deepEqual([cause?.type, cause?.value], ['*main.PaymentError', 'card declined for 5990 cents'])
    assert.deepEqual([thrown?.type, thrown?.value], ['*main.CheckoutError', 'order 1001 could not be placed'])
    // Go errors carry no stack: the SDK sends where it was told of them.
    const frame = thrown?.stacktrace?.frames.at(-1)
    assert.equal(frame?.function, 'captureChained')
    assert.equal(frame.inApp, true)
    assert.match(frame.absPath ?? '', /tests\/compat\/go\/shop\.go$/)
  })

  test('user, tags, contexts, breadcrumbs, release and environment arrive with every event', async () => {
    for (const issue of [issues.chained, issues.message, issues.fingerprinted, issues.uncaught]) {
      const event = await latestEvent(harness, issue)
      assertScope(event, SENT_WITH)
      assert.equal(event.contexts['runtime']?.['name'], 'go')
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

  test('a recovered panic keeps the frame that panicked', async () => {
    assert.equal(issues.uncaught.level, 'fatal')
    const [thrown] = exceptions(await latestEvent(harness, issues.uncaught))
    assert.equal(thrown?.stacktrace?.frames.at(-1)?.function, 'sendNewsletter')
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

  test('the issue page shows the errors and what was around them', async () => {
    const browser = await launchChromium()
    try {
      const page = await signIn(browser, harness)
      assertShows(await issuePageText(page, harness, issues.chained), [
        '*main.CheckoutError',
        'order 1001 could not be placed',
        '*main.PaymentError',
        'card declined for 5990 cents',
        'captureChained',
        'shop.go',
        'put sku 4711 into the cart',
        'card was asked for',
        'ada@example.com',
        'eu-west',
        'compat-go',
        'shop@1.4.2',
        'sentry.go',
      ])
    } finally {
      await browser.close()
    }
  })
})
