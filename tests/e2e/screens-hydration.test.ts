/** The screen of hydration, without scripts: ranks of the reporter and of a stock SDK, lost clicks, what is nobody's fault. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { fillHydration, sendStockMismatch } from './hydration-events.ts'
import { pageLoad, sendTransaction } from './performance-events.ts'
import { signedInPlain } from './plain-page.ts'

let sonde: RunningSonde
before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  createProject(sonde, 'acme/fresh')
  await fillHydration(dsn)
  for (let n = 0; n < 4; n++)
    await sendTransaction(dsn, pageLoad({ route: '/news', atMs: Date.now() - 30_000, lcp: 900, cls: 0 }))
  const event = await sendStockMismatch(dsn, '/news')
  await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${event}/`, () => true)
})
after(async () => {
  assert.equal(await sonde?.stop(), 0)
})

test('mismatches are ranked by ms × users, and show shapes, scope, rate and issue', async () => {
  const page = await signedInPlain(sonde.url)
  assert.equal(await page.goto('/acme/shop/hydration'), 200)
  const region = page.region('Mismatches')
  const order = region.parts('tbody th').map(({ text }) => text)
  assert.deepEqual(order, [
    'DeliveryClock on /products/[product]',
    'Price on /products/[product]',
    'Badge on /products/[product]',
    'StockClock on /news',
  ])
  const clock = region.part('tr', 'DeliveryClock')
  clock.shows('99:99 XXX → 9:99:99 XX')
  clock.shows('220 ms whole root')
  // The mean of 180 to 260 ms × nine page loads, of forty.
  clock.shows(/1,980/)
  clock.shows(/9 (?:23%|22\.5%)/)
  region.part('tr', 'Price').shows('one boundary')
  region.part('tr', 'Badge').shows('server’s value stays')
  const stock = region.part('tr', 'StockClock')
  stock.shows('25%')
  assert.equal(stock.links(/^SHOP-\d+$/).length, 1)
  page.shows('Rows without a cost come from errors of Sentry’s SDKs.')
})

test('lost clicks stand by route, and harmless differences are counted and no issues', async () => {
  const page = await signedInPlain(sonde.url)
  await page.goto('/acme/shop/hydration')
  page
    .region('Routes')
    .part('tbody tr', '/products/[product]')
    .shows(/8.*10%/)
  const benign = page.region('Benign differences')
  benign.part('tr', 'Browser extension').shows(/10.*90 ms/)
  benign.part('tr', 'White space').shows(/2.*none/)
  await page.goto('/acme/shop/issues?query=hydration')
  assert.equal(page.html.includes('extension'), false)
})

test('a project without any says what to do next', async () => {
  const page = await signedInPlain(sonde.url)
  await page.goto('/acme/fresh/hydration')
  page.shows('No hydration yet')
  page.shows('watchHydration')
  assert.equal(page.links('Hydration').length, 1)
})
