/** The screens of what took how long: routes, vitals and navigations. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { chunkFailureSpan, pageDataSpan, prefetchSpan, serverSpan } from './navigation-events.ts'
import { navigationSpan, pageLoad, sendSpans, sendTransaction } from './performance-events.ts'
import { openPlainPage, type PlainPage } from './plain-page.ts'
import { checkoutError, sendEvent } from './screens-events.ts'
import { quietVisit, sessionOf } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>
const nowMs = Date.now()

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  createProject(sonde, 'acme/fresh')
  for (let n = 0; n < 30; n++)
    await sendTransaction(
      dsn,
      pageLoad({
        route: '/[org]/cart',
        atMs: nowMs - 60_000 - n * 1000,
        lcp: 1000 + n * 100,
        cls: n / 100,
        user: `u-${n}`,
      }),
    )
  await sendTransaction(dsn, pageLoad({ route: '/', atMs: nowMs - 50_000, lcp: 900, cls: 0 }))
  await sendSpans(dsn, [
    ...Array.from({ length: 9 }, (_, n) => navigationSpan('/', '/[org]/cart', nowMs - 40_000 - n)),
    navigationSpan('/', '/[org]/cart', nowMs - 30_000, { 'sonde.navigation.outcome': 'full_load' }),
    navigationSpan('/', '/', nowMs - 90_000, { 'sonde.navigation.build': 'shop@4.11.2' }),
    navigationSpan('/', '/', nowMs - 35_000, { 'sonde.navigation.build': 'shop@4.12.0' }),
    ...[1, 2, 2].map((tab) => chunkFailureSpan('shop@4.11.2', `/assets/cart-${tab}.js`, nowMs - 30_000, tab)),
    pageDataSpan('/api/products/[id]/reviews', {}, nowMs - 30_000, 'u-1'),
    // Links of forty pages, of which one in twenty was followed; and of one page, of which nobody can say.
    ...Array.from({ length: 40 }, (_, n) => {
      const used = n % 2
      const counts = { issued: 10, used, wasted: 10 - used, requests: 10, bytes: 50_000 }
      return prefetchSpan(
        '/offers/[id]',
        { ...counts, wasted_bytes: 5_000 * (10 - used) },
        nowMs - 45_000 - n,
      )
    }),
    prefetchSpan('/help', { issued: 4, used: 1, wasted: 3, requests: 4 }, nowMs - 45_000),
    prefetchSpan('/docs', { router: 'speculation_rules', issued: 1, used: 1, wasted: 0 }, nowMs - 45_000),
    ...Array.from({ length: 10 }, (_, n) =>
      serverSpan('GET /offers/:id', n < 4 ? { sec_purpose: 'prefetch' } : {}, nowMs - 45_000 - n),
    ),
  ])
  const first = pageLoad({ route: '/[org]/cart', atMs: nowMs - 20_000, lcp: 1200, cls: 0 })
  await sendTransaction(dsn, first)
  const { trace_id, span_id } = first.contexts.trace
  const trace = { trace_id, span_id }
  const event = await sendEvent(dsn, { ...checkoutError(nowMs - 19_800), contexts: { trace } })
  await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${event}/`, () => true)
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

/** As it is without scripts. */
async function plainPage(path: string): Promise<PlainPage> {
  const page = openPlainPage(sonde.url, signedIn)
  assert.equal(await page.goto(path), 200)
  return page
}

describe('web vitals', () => {
  test('are rated by route, in words and not only in colour', async () => {
    const page = await plainPage('/acme/shop/vitals')
    const cart = page.part('tr', '/[org]/cart')
    // The p75 of 31 page views from 1,000 to 3,900 ms.
    assert.match(cart.parts('td')[1]?.text ?? '', /^3\.[12]\d? s needs improvement/)
    assert.equal(cart.parts('[aria-label="17 good, 14 needs improvement, 0 poor"]').length, 1)
    page.part('tr', /^\/ 1/).shows('900 ms low n')
  })

  test('lead from a value over what explains it to a single visit', () =>
    withPage(async (page) => {
      await page.goto('/acme/shop/vitals?statsPeriod=24h')
      const cart = page.getByRole('row', { name: /\/\[org\]\/cart/ })
      await cart.getByRole('link', { name: /^3\.[12]\d? s$/ }).click()
      await page.getByRole('heading', { name: 'LCP Largest Contentful Paint' }).waitFor()
      await page.getByRole('img', { name: /^31 page views by value, p75 3\.[12]\d? s/ }).waitFor()
      await page.locator('.chart[data-drawn]').waitFor()
      await page.getByRole('link', { name: 'Good', exact: true }).click()
      await page.getByText('% good').waitFor()
      const release = page.getByRole('region', { name: 'By release' }).getByRole('link')
      await release.click()
      await page.getByRole('link', { name: 'Remove filter release shop@4.12.0' }).waitFor()
      const { searchParams } = new URL(page.url())
      assert.deepEqual(
        ['vital', 'route', 'trend', 'release', 'statsPeriod'].map((name) => searchParams.get(name)),
        ['lcp', '/[org]/cart', 'good', 'shop@4.12.0', '24h'],
      )
      await page.getByTitle('View trace').first().click()
      await page.waitForURL(/\/acme\/traces\/[0-9a-f]{32}\?span=/)
    }))

  test('of those who had an error are compared on its issue, or too few is said', () =>
    withPage(async (page) => {
      await page.goto('/acme/shop/issues/SHOP-1')
      await page.getByRole('heading', { name: 'Performance impact' }).waitFor()
      await page.getByText(/Not enough data to compare: 1 page view from affected users/).waitFor()
    }))

  test('of a chart’s span are asked for by its table, also without scripts', async () => {
    const page = await plainPage('/acme/shop/vitals?vital=cls&statsPeriod=24h')
    const table = page.parts('details', 'Show data table')[0] ?? assert.fail(page.text)
    const [start = ''] = table
      .links(/\d\d:\d\d/)
      .map(({ text }) => text)
      .slice(-1)
    await table.follow(start)
    assert.match(page.parts('h2, h1', /^CLS/)[0]?.text ?? '', /^CLS/)
    const { searchParams } = page.url
    assert.deepEqual([searchParams.get('vital'), searchParams.has('statsPeriod')], ['cls', false])
    assert.match(searchParams.get('start') ?? '', /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/)
  })

  test('are reached from the tabs, and keep the time', async () => {
    const page = await plainPage('/acme/shop/issues?statsPeriod=24h')
    await page.follow('Performance')
    await page.follow('Vitals')
    assert.equal(page.parts('th', 'LCP').length, 1)
    assert.equal(page.url.searchParams.get('statsPeriod'), '24h')
  })

  test('of another environment are none, and the page says so', async () => {
    const page = await plainPage('/acme/shop/vitals?environment=moon')
    page.part('h2', 'No web vitals yet')
    page.part('main').shows('Try a longer time range')
  })

  test('of a project without any begin with the code that measures them', async () => {
    const page = await plainPage('/acme/fresh/vitals')
    page.part('pre').shows('vitals()')
  })
})

describe('navigations', () => {
  test('lead from what went wrong over a pair of routes to one navigation and its phases', async () => {
    const page = await plainPage('/acme/shop/navigations')
    const card = page.region(/^2 tabs on shop@4.11.2 .* after shop@4.12.0 was deployed/)
    card.shows(/Users 2.*3 removed by the deploy/)
    page.part('tr', 'reviews').shows('503 × 1')
    page.shows('Hard navigations')
    const pair = page.parts('tr', 'to /[org]/cart')[0] ?? assert.fail(page.text)
    for (const text of [/320 ms|319 ms|321 ms/, '10%', '1 hard navigation', '88% data of 240 ms'])
      pair.shows(text)
    await pair.follow(/./)
    page.part('h2', 'Outcomes')
    assert.equal(page.url.searchParams.get('to'), '/[org]/cart')
    const [slowest] = page.region('Slowest completed navigations').links(/./)
    await page.goto(slowest?.element.getAttribute('href') ?? '')
    page.shows('Visible after 320 ms.')
    assert.match(page.url.searchParams.get('navigation') ?? '', /^[0-9a-f]{16}$/)
  })

  test('are readable without scripts, and of nobody begin with the code that tells them', async () => {
    const page = await plainPage('/acme/shop/navigations?from=%2F&to=%2F%5Borg%5D%2Fcart&sort=p95')
    page.part('h2', 'Slowest completed navigations')
    await page.goto('/acme/fresh/navigations')
    page.part('pre').shows('pageDataFailures()')
  })
})

describe('prefetches', () => {
  test('of a route say what they cost, and what to change only where enough is known', async () => {
    const page = await plainPage('/acme/shop/navigations')
    const section = page.region('Prefetching')
    section.shows('40% of server requests were prefetches')
    section.shows('1 page load prepared by speculation rules')
    const offers = section.part('tr', '/offers/[id]')
    for (const text of [
      '95% unused, 40% of server requests',
      'Mostly unused: prefetch on hover or focus',
      /saves up to \d+ requests \(\d+ to \d+\) and [\d.]+ [kM]B a day; unused: 95%, 95% interval 9\d% to 9\d%/,
    ])
      offers.shows(text)
    const help = section.part('tr', '/help')
    help.shows('Not enough data: needs 96 more prefetches and 29 more page views')
    help.shows('75% unused')
    assert.doesNotMatch(help.text, /saves|server requests/)
  })

  test('lead to an alert rule on storms, filled in', () =>
    withPage(async (page) => {
      await page.goto('/acme/shop/navigations?environment=production')
      await page.getByRole('link', { name: 'Alert on storms' }).click()
      await page.waitForURL(/\/alerts\/new/)
      const metric = page.getByRole('combobox', { name: 'Metric' })
      assert.equal(await metric.inputValue(), 'prefetches|per_minute()')
      assert.equal(
        await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(),
        'Prefetch storm',
      )
      assert.equal(await page.getByRole('textbox', { name: 'Threshold', exact: true }).inputValue(), '100')
      assert.ok((await metric.innerText()).includes('Share of server requests that were prefetches'))
    }))

  test('are read on a phone, in the dark too', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      await quietVisit(
        browser,
        sonde.url,
        { storageState: signedIn, colorScheme, viewport: { width: 390, height: 800 } },
        async (page) => {
          await page.goto('/acme/shop/navigations')
          const section = page.getByRole('region', { name: 'Prefetching' })
          await section.getByText('95% unused, 40% of server requests').scrollIntoViewIfNeeded()
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
        },
      )
  })

  test('of a project without any begin with what reports them', async () => {
    const page = await plainPage('/acme/shop/navigations?environment=production&release=shop@4.11.2')
    page.region('Prefetching').shows('prefetches()')
  })
})

describe('transactions', () => {
  test('are sorted by a press on a column', async () => {
    const page = await plainPage('/acme/shop/performance')
    await page.follow('p95')
    assert.equal(page.url.searchParams.get('sort'), 'p95')
    page.part('th[aria-sort=descending]', 'p95')
    const table = page.part('table', 'Misery').element
    assert.match(table.querySelector('tbody tr')?.textContent ?? '', /\[org\]\/cart/)
  })

  test('are narrowed by what occurs, and lead over a route to where its time goes and to its slowest trace', () =>
    withPage(async (page) => {
      await page.goto('/acme/shop/performance?statsPeriod=24h')
      await page.locator('summary', { hasText: 'Release' }).click()
      await page.getByRole('checkbox', { name: /^shop@4\.12\.0/ }).check()
      await page.getByRole('link', { name: 'Remove filter release shop@4.12.0' }).waitFor()
      await page.keyboard.press('Escape')
      const cart = page.getByRole('row', { name: /\/\[org\]\/cart/ })
      assert.match(await cart.innerText(), /no previous data/)
      await cart.getByRole('link').click()
      await page.getByRole('heading', { name: 'pageload /[org]/cart' }).waitFor()
      const request = page
        .getByRole('region', { name: 'Time breakdown' })
        .getByRole('row', { name: /GET \/api\/cart/ })
      // 200 ms of 1,200 to 4,100.
      assert.match(await request.innerText(), /[78]%\s+200 ms/)
      const { searchParams } = new URL(page.url())
      assert.deepEqual(
        ['op', 'name', 'release', 'statsPeriod'].map((name) => searchParams.get(name)),
        ['pageload', '/[org]/cart', 'shop@4.12.0', '24h'],
      )
      await page.getByRole('region', { name: 'Slowest traces' }).getByRole('link').first().click()
      await page.waitForURL(/\/acme\/traces\/[0-9a-f]{32}\?span=/)
    }))

  test('of a span of a chart are asked for by a brush, and filters follow to the other screens', () =>
    withPage(async (page) => {
      await page.goto('/acme/shop/performance?statsPeriod=24h&release=shop%404.12.0&page=1')
      const duration = page.locator('.chart[data-drawn]', { hasText: 'Duration' })
      const box = await duration.locator('.u-over').boundingBox()
      assert.ok(box)
      const y = box.y + box.height / 2
      await page.mouse.move(box.x + box.width * 0.5, y)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 })
      await page.mouse.move(box.x + box.width * 0.99, y, { steps: 4 })
      await page.mouse.up()
      await page.waitForURL(/start=.+&end=/)
      await page.getByRole('row', { name: /\/\[org\]\/cart/ }).waitFor()
      await page.getByRole('link', { name: 'Navigations' }).click()
      await page.waitForURL(/\/navigations\?/)
      const { searchParams } = new URL(page.url())
      assert.deepEqual(
        ['release', 'statsPeriod', 'page'].map((name) => searchParams.get(name)),
        ['shop@4.12.0', null, null],
      )
      assert.ok(searchParams.has('start') && searchParams.has('end'))
    }))

  test('are searched and narrowed without scripts', async () => {
    const page = await plainPage('/acme/shop/performance?statsPeriod=24h')
    const filter = page.parts('details', /^Release/)[0] ?? assert.fail(page.text)
    await filter.follow('Show values')
    await page.part('nav[aria-label="Values of release"]').follow(/^shop@4\.12\.0/)
    page.fill('Filter by name', 'CART')
    await page.press('Search')
    page.shows('1 transaction')
    const { searchParams } = page.url
    assert.deepEqual(
      ['query', 'release', 'statsPeriod', 'choose'].map((name) => searchParams.get(name)),
      ['CART', 'shop@4.12.0', '24h', null],
    )
  })
})
