/**
 * One trace over three processes, each with its own SDK from its own registry and its own project: a page in Chromium
 * (@sentry/browser 11, streaming), its Node server (@sentry/node 10, streaming), and a Flask service behind that
 * (sentry-sdk). Real HTTP between them, and no header written by us.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { ensurePython } from '../../scripts/test/compat-tools.mjs'
import { launchChromium } from '../e2e/chromium.ts'
import { createProject } from '../harness/api-client.ts'
import { buildShop } from './browser/build-shop.ts'
import { findTool } from './support/find-tool.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { startProgram } from './support/start-program.ts'
import type { Span, Trace } from './support/trace.ts'

const FOLDER = join(import.meta.dirname, 'one-trace')
const VITALS = ['lcp', 'cls', 'fcp', 'ttfb', 'inp'] as const
type Vitals = Readonly<Record<(typeof VITALS)[number], number>>

const python = findTool(ensurePython)

// A skipped suite is no skipped test to the runner; this one shows in the totals.
test('a Python with sentry-sdk and Flask can be had', { skip: python.skip }, () => assert.ok(python.path))

suite('a trace from the page through Node to Python', { skip: python.skip }, () => {
  let harness: Harness
  let browser: Browser
  let seen: { readonly trace: string; readonly vitals: Vitals }

  before(async () => {
    harness = await openHarness('javascript')
    const projects = {
      api: createProject(harness.sonde, 'acme/api', 'node'),
      stock: createProject(harness.sonde, 'acme/stock', 'python'),
    }
    const page = await buildShop('cart-page@1.4.2', join(FOLDER, 'page'))
    browser = await launchChromium()
    const stock = await startProgram(python.path, [join(FOLDER, 'stock.py')], projects.stock.dsn)
    const api = await startProgram(
      process.execPath,
      ['--import', join(FOLDER, 'instrument.ts'), join(FOLDER, 'api.ts'), page.folder, stock.url],
      projects.api.dsn,
    )
    try {
      seen = await visit(`${api.url}/cart?dsn=${encodeURIComponent(harness.project.dsn)}`)
    } finally {
      await api.stop()
      await stock.stop()
      page.remove()
    }
  })
  after(async () => {
    await browser?.close()
    await harness?.close()
  })

  /** Looks, presses the button once, and leaves. */
  async function visit(url: string): Promise<typeof seen> {
    const page = await browser.newPage()
    await page.goto(url)
    await page.waitForFunction(() => window.cart.ready)
    await page.click('#order')
    await page.waitForFunction(() => (window.cart.vitals['inp'] ?? 0) > 0)
    await page.evaluate(() => void window.cart.leave())
    await page.waitForFunction(() => window.cart.left)
    const { trace, vitals } = await page.evaluate(() => ({ ...window.cart, leave: undefined }))
    await page.close()
    return { trace, vitals: vitals as unknown as Vitals }
  }

  test('is one waterfall of three projects, each below the one that asked it', async () => {
    const path = `/api/0/organizations/acme/trace/${seen.trace}/`
    const { transactions } = await harness.api.until<Trace>(
      path,
      ({ transactions: roots }) => roots.length === 1 && flat(roots).some(({ op }) => op === 'db'),
      60_000,
    )
    const [root] = transactions
    assert.deepEqual([root?.op, root?.project_slug, root?.is_transaction], ['pageload', 'shop', true])
    const query = flat(transactions).find(({ op }) => op === 'db')
    const way = wayTo(query, transactions)
    const stations = way
      .filter(({ op }) => ['pageload', 'http.client', 'http.server', 'db'].includes(op))
      .map(({ project_slug, op }) => `${project_slug} ${op}`)
    assert.deepEqual(stations, [
      'shop pageload',
      'shop http.client',
      'api http.server',
      'api http.client',
      'stock http.server',
      'stock db',
    ])
    const named = way.map(({ description }) => description).join(' > ')
    assert.match(
      named,
      /^\/cart > GET .* > GET \/api\/cart\/4711 > GET .*\/stock\/4711 > stock > SELECT left FROM stock$/,
    )
  })

  test('begins and ends inside the call that caused it, by clocks of one machine', async () => {
    const path = `/api/0/organizations/acme/trace/${seen.trace}/`
    const { transactions } = (await harness.api.get<Trace>(path)).body
    const query = flat(transactions).find(({ op }) => op === 'db')
    const way = wayTo(query, transactions)
    assert.ok(way.length >= 6)
    for (const [at, span] of way.entries()) {
      const parent = way[at - 1]
      if (parent === undefined) continue
      // Browsers round times, and read their clock but once.
      assert.ok(
        span.start_timestamp >= parent.start_timestamp - 0.02,
        `${span.op} begins before ${parent.op}`,
      )
    }
  })

  test('has the web vitals that the page itself logged', async () => {
    type Row = { readonly route: string } & {
      readonly [name in (typeof VITALS)[number]]?: { readonly p75: number }
    }
    const rows = await harness.api.until<readonly Row[]>(
      '/api/0/projects/acme/shop/vitals/',
      (found) => VITALS.every((name) => found.some((row) => row[name] !== undefined)),
      60_000,
    )
    const row = rows.find(({ route }) => route === '/cart')
    assert.ok(row, JSON.stringify(rows))
    for (const name of VITALS) {
      const [told = NaN, logged] = [row[name]?.p75, seen.vitals[name]]
      // Percentiles come from a sketch that keeps 8 bits of a value, and are promised within 1 %.
      const within = Math.max(0.01 * logged, name === 'cls' ? 0.001 : 1)
      assert.ok(Math.abs(told - logged) <= within, `${name}: Sonde says ${told}, the page ${logged}`)
    }
    assert.ok(seen.vitals.inp >= 120, 'the press was slow')
    assert.ok(seen.vitals.cls > 0, 'the button was pushed down')
  })
})

const flat = (spans: readonly Span[]): Span[] => spans.flatMap((span) => [span, ...flat(span.children)])

/** From its root down to it. */
function wayTo(wanted: Span | undefined, spans: readonly Span[]): Span[] {
  for (const span of spans) {
    if (span === wanted) return [span]
    const below = wayTo(wanted, span.children)
    if (below.length > 0) return [span, ...below]
  }
  return []
}
