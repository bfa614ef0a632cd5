/** The screen of a trace: three services, ten thousand spans, what senders get wrong; and the way from an error and back. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { navigationSpan, sendSpans, sendTransaction } from './performance-events.ts'
import { signedInPlain } from './plain-page.ts'
import { checkoutError, newEventId, sendEvent } from './screens-events.ts'
import { quietVisit, sessionOf } from './screens-visit.ts'
import {
  type CheckoutIds,
  checkoutTrace,
  newSpanId,
  sendBrokenTrace,
  sendLargeTrace,
} from './trace-events.ts'

const SPANS = 10_000
/** What is in sight and some more: far fewer than there are. */
const MOST_ROWS = 120

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>
let ids: CheckoutIds
let pageBefore: string
let large: string
let broken: string
let event: string
const batch = { trace_id: newEventId(), span_id: newSpanId() }

before(async () => {
  sonde = await startSonde()
  const shop = createProject(sonde, 'acme/shop')
  const api = createProject(sonde, 'acme/api', 'node')
  const pricing = createProject(sonde, 'acme/pricing', 'python')
  const nowMs = Date.now()
  const send = async ({ browser: page, node, python }: ReturnType<typeof checkoutTrace>): Promise<void> => {
    await sendTransaction(shop.dsn, page)
    await sendTransaction(api.dsn, node)
    await sendTransaction(pricing.dsn, python)
  }
  const first = checkoutTrace(nowMs - 300_000)
  pageBefore = first.ids.traceId
  for (const checkout of [first, ...[1, 2, 3, 4].map((n) => checkoutTrace(nowMs - 200_000 - n * 5_000))])
    await send(checkout)
  const checkout = checkoutTrace(nowMs - 120_000, pageBefore)
  ids = checkout.ids
  await send(checkout)
  await sendSpans(shop.dsn, [
    { ...navigationSpan('/cart', '/checkout/[step]', nowMs - 120_050), trace_id: ids.traceId },
  ])
  large = await sendLargeTrace(api.dsn, nowMs - 100_000, SPANS)
  broken = await sendBrokenTrace(shop.dsn, nowMs - 60_000)
  await sendSpans(api.dsn, [
    {
      ...batch,
      name: 'process orders',
      is_segment: true,
      start_timestamp: nowMs / 1000 - 100,
      end_timestamp: nowMs / 1000 - 99,
      status: 'ok',
      links: [
        {
          trace_id: ids.traceId,
          span_id: ids.handler,
          sampled: true,
          attributes: { 'messaging.message.id': { type: 'string', value: 'order-7' } },
        },
        { trace_id: newEventId(), span_id: newSpanId(), sampled: false },
      ],
      attributes: { 'sentry.op': { type: 'string', value: 'queue.process' } },
    },
  ])
  const trace = { trace_id: ids.traceId, span_id: ids.handler }
  event = await sendEvent(api.dsn, { ...checkoutError(nowMs - 119_000), contexts: { trace } })
  // What was sent last is stored last.
  await apiClient(sonde).until(`/api/0/projects/acme/api/events/${event}/`, () => true)
  browser = await launchChromium()
  signedIn = await sessionOf(sonde.url)
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** Signed in; the page must have complained of nothing. */
const withPage = (run: (page: Page) => Promise<void>): Promise<void> =>
  quietVisit(browser, sonde.url, { storageState: signedIn }, run)

/** What needs scripts is there: keys are heard. */
const isAlive = (page: Page) => page.getByRole('button', { name: 'Copy trace ID' }).waitFor()
const lineOf = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name })

describe('a trace over three services', () => {
  test('is one waterfall that leads to its neighbours and its error', (t) =>
    withPage(async (page) => {
      await t.test('with its error, gaps, groups, vitals, navigation and the clock that is off', async () => {
        // As other tools write ids.
        await page.goto(`/acme/traces/${ids.traceId.toUpperCase()}`)
        const ops = await page.locator('.span-link .perf-op').allInnerTexts()
        assert.deepEqual(
          ops.filter((op) => /http|pageload/.test(op)),
          ['pageload', 'http.client', 'http.server', 'http.client', 'http.server', 'http.client'],
        )
        const group = lineOf(page, '14 ×')
        assert.match(await group.innerText(), /SELECT \* FROM item WHERE id = …\s+N\+1\?/)
        await lineOf(page, '260 ms uninstrumented').waitFor()
        assert.match(await page.locator('main').innerText(), /Clock skew: pricing · python is .* ahead/)
        await page.getByRole('list', { name: 'Navigations' }).getByText('/checkout/[step]').waitFor()
        assert.match(await page.locator('.time-ruler').getAttribute('aria-label').then(String), /LCP 1.48 s/)
        await page.getByRole('list', { name: 'Services' }).getByText('pricing').waitFor()
        await page.getByRole('link', { name: 'Previous page view' }).click()
        await page.waitForURL((url) => url.pathname.endsWith(pageBefore))
        await page.getByRole('link', { name: 'Next page view' }).click()
        await page.waitForURL((url) => url.pathname.endsWith(ids.traceId))
      })
      await t.test(
        'leads to the issue of its error, whose page shows the trace and the navigation',
        async () => {
          await lineOf(page, 'placeOrder').getByRole('link', { name: '1 error' }).click()
          await page.waitForURL((url) => url.pathname.endsWith(event))
          await page.locator('#trace').scrollIntoViewIfNeeded()
          const here = page.getByRole('link', { name: /placeOrder this error/ })
          await here.waitFor()
          assert.match(
            await page.locator('#trace').innerText(),
            /30 spans[\s\S]*visible after 320 ms|visible after 320 ms[\s\S]*30 spans/,
          )
          await here.click()
          await page.getByRole('heading', { name: 'Span function' }).waitFor()
        },
      )
    }))

  test('leads along the links of a span into another trace, and back', () =>
    withPage(async (page) => {
      await page.goto(`/acme/traces/${batch.trace_id}?span=${batch.span_id}`)
      const linksTo = page.getByRole('region', { name: 'Links to' })
      assert.match(await linksTo.innerText(), /function placeOrder[\s\S]*api · [\s\S]*not sampled/)
      await linksTo.getByText('1 link attribute').click()
      await linksTo.getByText('order-7').waitFor()
      await linksTo.getByRole('link', { name: 'placeOrder' }).click()
      await page.waitForURL(
        ({ pathname, search }) => pathname.endsWith(ids.traceId) && search === `?span=${ids.handler}`,
      )
      await page
        .getByRole('region', { name: 'Linked from' })
        .getByRole('link', { name: 'process orders' })
        .click()
      await page.waitForURL((url) => url.pathname.endsWith(batch.trace_id))
      await linksTo.waitFor()
    }))

  const findInGroup = async (page: Page): Promise<void> => {
    await page.keyboard.press('f')
    await page.keyboard.type('rows:1')
    // Attributes are not on the page: the server finds them, and the group opens for the match.
    await page.getByText('14', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 of 14').waitFor()
    assert.equal(await page.locator('.span-row.is-match').count(), 14)
  }

  test('is walked through by keys; the chosen span tells its attributes and what is usual', () =>
    withPage(async (page) => {
      await page.goto(`/acme/traces/${ids.traceId}`)
      const grid = page.getByRole('treegrid')
      await isAlive(page)
      await grid.focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowLeft')
      await page.locator('[role=treegrid][aria-rowcount="2"]').waitFor()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Span browser.request' }).waitFor()
      await page.getByText('usual p75: 160 ms').waitFor()
      await page.waitForURL(/span=[0-9a-f]{16}/)
      await page.keyboard.press('z')
      await page.waitForURL(/zoom=/)
      await page.reload()
      await isAlive(page)
      await page.getByRole('heading', { name: 'Span browser.request' }).waitFor()
      await page.getByRole('button', { name: /reset zoom/ }).click()
      await grid.focus()
      await page.keyboard.press('Escape')
      await page.waitForURL(({ search }) => search === '')
      await findInGroup(page)
    }))
})

describe('ten thousand spans', () => {
  const rows = (page: Page) => page.locator('.waterfall .span-row')

  test('have only lines in sight in the document, and the last one is reached by key, by scrolling and by finding', () =>
    withPage(async (page) => {
      await page.goto(`/acme/traces/${large}`)
      const grid = page.getByRole('treegrid')
      await page.waitForFunction(
        (most) => document.querySelectorAll('.waterfall .span-row').length < most,
        MOST_ROWS,
      )
      const count = Number(await grid.getAttribute('aria-rowcount'))
      assert.ok(count > 9_000, `${count} lines`)
      const last = page.locator(`[aria-rowindex="${count}"]`)
      await grid.focus()
      await page.keyboard.press('End')
      await last.waitFor()
      assert.equal(await grid.getAttribute('aria-activedescendant'), await last.getAttribute('id'))
      assert.ok((await rows(page).count()) < MOST_ROWS)
      await page.keyboard.press('Home')
      await page.locator('[aria-rowindex="2"]').waitFor()
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      await last.waitFor()
      await page.keyboard.press('f')
      await page.keyboard.type('warehouse 11')
      await page.keyboard.press('Enter')
      await lineOf(page, 'warehouse 11').waitFor()
      assert.ok((await rows(page).count()) < MOST_ROWS)
    }))

  test('are readable without scripts, two hundred lines at a time, and a part by its address', async () => {
    const page = await signedInPlain(sonde.url)
    await page.goto(`/acme/traces/${large}`)
    assert.equal(page.parts('.waterfall .span-row').length, 201)
    await page.follow('Next rows')
    page.part('[aria-rowindex="202"]')
    const chosen = page.parts('.span-link')[0]?.element.getAttribute('href')
    const span = new URL(String(chosen), sonde.url).searchParams.get('span')
    await page.goto(`/acme/traces/${large}?root=${span}`)
    page.shows('Showing one span and its descendants.')
  })
})

describe('what senders get wrong', () => {
  test('is shown and said: missing parents, circles, an end before its start', () =>
    withPage(async (page) => {
      await page.goto(`/acme/traces/${broken}`)
      await lineOf(page, 'Missing parent: 2 orphan spans').waitFor()
      await lineOf(page, 'circular parent').waitFor()
      await lineOf(page, 'an end before its start').getByRole('link').click()
      await page.getByText('End time before start time; duration set to 0').waitFor()
    }))

  test('and a trace that nobody sent is not found', async () => {
    const page = await signedInPlain(sonde.url)
    assert.equal(await page.goto(`/acme/traces/${'0'.repeat(31)}1`), 404)
  })
})
