/** Insights in Chromium: five pages over spans, from a list to one row, its routes, Explore and its trace. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inBothThemes } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fillInsights, QUERY, sendAuthors } from './insight-events.ts'
import { fitsWidth } from './keyboard.ts'
import { signedInPlain } from './plain-page.ts'
import { quietVisit, sessionOf } from './screens-visit.ts'

const CHECKOUTS = 20
const SPANS = '/api/0/organizations/acme/events/?dataset=spans&field=count()'

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  createProject(sonde, 'acme/fresh')
  await fillInsights(dsn, CHECKOUTS)
  await sendAuthors(dsn)
  await apiClient(sonde).until(
    `${SPANS}&query=${encodeURIComponent('op:http.client normalized_name:"GET http://127.0.0.1:3000/author/\\*/book"')}`,
    (body) => (body as { data: { 'count()': number }[] }).data[0]?.['count()'] === 14,
  )
  browser = await launchChromium()
  signedIn = await sessionOf(sonde.url)
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

const withPage = (run: (page: Page) => Promise<void>): Promise<void> =>
  quietVisit(browser, sonde.url, { storageState: signedIn }, run)

/** By the names of the columns. */
async function rowsOf(page: Page, region: string): Promise<Record<string, string>[]> {
  const table = page.getByRole('region', { name: region }).locator('table')
  await table.waitFor()
  const heads = await table.locator('thead th').allInnerTexts()
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll('th, td')].map((cell) => (cell as HTMLElement).innerText.trim()),
      ),
    )
  const names = heads.map((head) => head.replace(/\s*[↑↓]\s*/, '').trim())
  return rows.map((row) => Object.fromEntries(row.map((text, index) => [names[index] ?? '', text])))
}

const inList = (kind: string, more = ''): string => `/acme/shop/insights/${kind}?statsPeriod=1h${more}`

describe('insights', () => {
  test('queries lead to one of them, its routes, its N+1 issue, and the trace of its slowest', () =>
    withPage(async (page) => {
      await page.goto(inList('queries'))
      const [first] = await rowsOf(page, 'Queries')
      assert.match(
        first?.['Query'] ?? '',
        /^SELECT \* FROM "cart" WHERE id = \? AND shop IN \(\?\)\npostgresql/,
      )
      assert.match(first?.['Query'] ?? '', /1 issue/)
      assert.equal(first?.['Count'], String(6 * CHECKOUTS))
      await page.getByRole('link', { name: QUERY }).click()
      await page.getByRole('heading', { level: 1, name: QUERY }).waitFor()
      const [route] = await rowsOf(page, 'Table by route')
      assert.deepEqual(
        [route?.['Route'], route?.['Count'], route?.['Per transaction']],
        ['POST /checkout', String(6 * CHECKOUTS), '6.0'],
      )
      assert.match((await rowsOf(page, 'Table of issues'))[0]?.['Issue'] ?? '', /N\+1 Query/)
      assert.ok(await page.getByRole('link', { name: 'shop@4.12.0' }).first().isVisible())
      await page.getByRole('link', { name: 'Open in Explore' }).click()
      await page.waitForURL(/\/explore\?/)
      const [found] = await rowsOf(page, 'Aggregates')
      assert.equal(found?.['count()'], String(6 * CHECKOUTS))
      await page.goBack()
      await page.getByRole('region', { name: 'Table of slowest spans' }).locator('tbody a').first().click()
      await page.waitForURL(/\/acme\/traces\//)
    }))

  test('a list is sorted, searched and narrowed by its address', () =>
    withPage(async (page) => {
      await page.goto(inList('queries'))
      await page.getByRole('link', { name: 'Query', exact: true }).click()
      await page.waitForURL(/sort=name/)
      assert.match((await rowsOf(page, 'Queries'))[0]?.['Query'] ?? '', /^COMMIT/)
      await page.getByRole('searchbox', { name: 'Filter by query' }).fill('cart')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.waitForURL(/query=cart/)
      assert.equal((await rowsOf(page, 'Queries')).length, 1)
      await page.getByRole('link', { name: 'Remove query cart' }).click()
      await page.waitForURL((url) => !url.search.includes('query='))
      await page.getByRole('searchbox', { name: 'Filter by route' }).fill('/nowhere')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('heading', { name: 'No matching queries' }).waitFor()
    }))

  test('requests are by host, one of them by endpoint and status code; what an SDK sent is folded', () =>
    withPage(async (page) => {
      await page.goto(inList('requests', '&sort=name'))
      const rows = await rowsOf(page, 'Requests')
      const payments = rows.find((row) => row['Host']?.startsWith('payments.example'))
      assert.deepEqual(
        [payments?.['Count'], payments?.['2xx'], payments?.['5xx']],
        [String(CHECKOUTS), '80%', '20%'],
      )
      await page.getByRole('link', { name: '127.0.0.1' }).click()
      await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor()
      const [endpoint] = await rowsOf(page, 'Table by endpoint')
      assert.deepEqual(
        [endpoint?.['Endpoint'], endpoint?.['Count']],
        ['GET http://127.0.0.1:3000/author/*/book', '14'],
      )
      assert.equal((await rowsOf(page, 'Table by status code'))[0]?.['Status'], '200')
    }))

  test('assets of every build are one, with sizes, and are told apart by type and origin', () =>
    withPage(async (page) => {
      await page.goto(inList('assets', '&query=entry'))
      const [entry] = await rowsOf(page, 'Assets')
      assert.match(entry?.['Asset'] ?? '', /^\/assets\/entry-\*\.js\nscript/)
      assert.deepEqual(
        [entry?.['Count'], entry?.['Transferred'], entry?.['Decoded'], entry?.['From cache']],
        ['10', '30.0 kB', '90.0 kB', '50%'],
      )
      await page.goto(inList('assets'))
      await page.getByRole('navigation', { name: 'Type' }).getByRole('link', { name: 'Fonts' }).click()
      await page.waitForURL(/type=font/)
      assert.deepEqual(
        (await rowsOf(page, 'Assets')).map((row) => row['Asset']?.split('\n')[0]),
        ['/assets/inter.woff2'],
      )
      await page.goto(inList('assets', '&owner=third-party'))
      assert.match(
        (await rowsOf(page, 'Assets'))[0]?.['Asset'] ?? '',
        /^https:\/\/images\.example\/products\/\*\//,
      )
    }))

  test('caches say how often they hit and what a miss costs, queues how long messages wait', () =>
    withPage(async (page) => {
      await page.goto(inList('caches'))
      const [cart] = await rowsOf(page, 'Caches')
      assert.deepEqual([cart?.['Count'], cart?.['Hit rate']], [String(CHECKOUTS), '75%'])
      await page.getByRole('link', { name: 'cart:*' }).click()
      await page.getByText('Cost of a miss').waitFor()
      await page
        .getByText(/\+200 ms|\+20\d(\.\d)? ms/)
        .first()
        .waitFor()
      await page.goto(inList('queues'))
      const [orders] = await rowsOf(page, 'Queues')
      assert.deepEqual([orders?.['Count'], orders?.['Backlog']], ['35', '5'])
      assert.match(orders?.['Time in queue'] ?? '', /^8\d\d ms$/)
    }))

  test('a project without such spans says what sends them; an unknown page is not there', () =>
    withPage(async (page) => {
      for (const [kind, op] of [
        ['queries', 'db'],
        ['requests', 'http.client'],
        ['assets', 'resource'],
        ['caches', 'cache.get'],
        ['queues', 'queue.publish'],
      ] as const) {
        await page.goto(`/acme/fresh/insights/${kind}`)
        assert.match(await page.locator('.empty').innerText(), new RegExp(op.replace('.', '\\.')))
      }
      const answer = await page.request.get('/acme/shop/insights/nonsense')
      assert.equal(answer.status(), 404)
    }))

  test('tabs, both themes, a phone, and a reader without scripts', () =>
    withPage(async (page) => {
      await page.goto(inList('queries'))
      const tabs = page.getByRole('navigation', { name: 'Screens of Insights' })
      assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), [
        'Queries',
        'Requests',
        'Assets',
        'Caches',
        'Queues',
      ])
      await tabs.getByRole('link', { name: 'Caches' }).click()
      await page.getByRole('region', { name: 'Caches' }).waitFor()
      assert.equal(await tabs.locator('[aria-current]').innerText(), 'Caches')
      for (const path of [
        inList('assets'),
        `/acme/shop/insights/queries/detail?name=${encodeURIComponent(QUERY)}`,
      ]) {
        await page.goto(path)
        await inBothThemes(page, 'main')
        await page.setViewportSize({ width: 390, height: 844 })
        await fitsWidth(page)
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      const plain = await signedInPlain(sonde.url)
      await plain.goto(inList('requests'))
      plain.shows('payments.example')
    }))
})
