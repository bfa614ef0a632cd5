/** Navigations of a page that has only `@sentry/browser` as it comes from npm: transactions and streamed spans alike. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { type PlainPage, signedInPlain } from '../e2e/plain-page.ts'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { buildShop } from './browser/build-shop.ts'
import { startShopServer } from './browser/shop-server.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { runProgram } from './support/run-program.ts'

const LIFECYCLES = ['static', 'stream'] as const
type Lifecycle = (typeof LIFECYCLES)[number]

let harness: Harness
let browser: Browser
const projects = {} as { [Each in Lifecycle]: CreatedProject }

before(async () => {
  harness = await openHarness('javascript')
  browser = await launchChromium()
  const shop = await buildShop('shop@2.0.0', join(import.meta.dirname, 'navigations', 'page'))
  const server = await startShopServer(shop.folder, harness.sonde.url)
  try {
    for (const lifecycle of LIFECYCLES) {
      projects[lifecycle] = createProject(harness.sonde, `acme/${lifecycle}`, 'javascript')
      await visit(server.url, { dsn: projects[lifecycle].dsn, lifecycle, user: 'u-1' })
    }
  } finally {
    await server.stop()
    shop.remove()
  }
})
after(async () => {
  await browser?.close()
  await harness?.close()
})

async function visit(url: string, params: Readonly<Record<string, string>>): Promise<void> {
  const page = await browser.newPage()
  await page.goto(`${url}/cart/9?${new URLSearchParams(params).toString()}`)
  await page.waitForFunction(() => window.stockVisit.ready)
  await page.click('#order')
  await page.waitForFunction(() => window.stockVisit.sent)
  await page.close()
}

type Pair = { readonly from: string; readonly to: string; readonly count: number }
const pairs = (project: string) =>
  harness.api.until<readonly Pair[]>(
    `/api/0/projects/acme/${project}/navigations/?statsPeriod=1h`,
    (found) => found.length > 0,
    60_000,
  )

async function screen(project: string): Promise<PlainPage> {
  await pairs(project)
  const page = await signedInPlain(harness.sonde.url)
  await page.goto(`/acme/${project}/navigations`)
  return page
}

for (const lifecycle of LIFECYCLES)
  test(`one navigation is one row without an end, and the page load is none: ${lifecycle}`, async () => {
    const found = await pairs(lifecycle)
    assert.deepEqual(
      found.map(({ to, count }) => [to, count]),
      [['/orders/[id]', 1]],
    )
    const page = await screen(lifecycle)
    const table = page.region('Navigations of the Sentry SDK')
    const row = table.part('tbody tr', '/orders/[id]')
    // An error in the same trace, and its issue.
    row.shows('100%')
    row.shows('order 42 answered 404')
    // Of a transaction by its breadcrumb, of streamed spans by the link to the page load.
    row.shows('from /cart/[id]')
    page.region('Failed requests during navigations').part('tbody tr', '/api/orders/').shows('404 × 1')
    // Nothing says how it ended, so nothing counts it as shown.
    page.shows('@sonde/sentry-integration')
    assert.deepEqual(page.parts('#time'), [], 'no chart of what was not measured')
    await page.goto(
      row
        .links(/./)
        .find(({ element }) => element.getAttribute('href')?.includes('navigation='))
        ?.element.getAttribute('href') ?? '',
    )
    page.shows(/Outcome not known: .*Its idle span took/)
    page.region('Navigation details').shows('/cart')
  })

test('a transaction of @sentry/node is no navigation, whatever its op', async () => {
  const api = createProject(harness.sonde, 'acme/api', 'node')
  const program = join(import.meta.dirname, 'node', 'navigation.ts')
  const run = await runProgram(process.execPath, [program], api.dsn)
  assert.equal(run.code, 0, run.stderr)
  const { traceId } = JSON.parse(run.stdout) as { traceId: string }
  await harness.api.until<{ transactions: readonly unknown[] }>(
    `/api/0/organizations/acme/trace/${traceId}/`,
    ({ transactions }) => transactions.length > 0,
  )
  const { body } = await harness.api.get<readonly Pair[]>(
    '/api/0/projects/acme/api/navigations/?statsPeriod=1h',
  )
  assert.deepEqual(body, [])
})
