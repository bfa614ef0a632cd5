/** Style sheets as esbuild makes them, uploaded by sentry-cli: a sheet that a page waits for is led to its source. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ensureStockTools } from '../../scripts/test/stock-tools.mjs'
import { navigationSpan, sendSpans } from '../e2e/performance-events.ts'
import { signedInPlain } from '../e2e/plain-page.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { mustRun } from './support/run-tool.ts'

let harness: Harness
let folder: string

before(async () => {
  harness = await openHarness()
  const cache = join(ensureStockTools(), '.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'style-sheets-'))
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await harness?.close()
})

const BUILD = `import { build } from 'esbuild'
await build({
  absWorkingDir: import.meta.dirname, entryPoints: ['src/shop.css', 'src/cart.css'], outdir: 'dist/assets', bundle: true, minify: true,
  sourcemap: true, entryNames: '[name]-[hash]', assetNames: '[name]-[hash]', loader: { '.jpg': 'file' },
})
`
const SOURCES = {
  'package.json': '{ "type": "module" }',
  'build.mjs': BUILD,
  'src/shop.css': '@import "./base.css";\n@import "./home/home.css";\n',
  'src/base.css': 'body {\n  margin: 0;\n}\n',
  'src/home/home.css': '.hero {\n  height: 200px;\n  background: url("../img/hero.jpg");\n}\n',
  'src/img/hero.jpg': 'not really',
  'src/cart.css': '.cart {\n  display: grid;\n}\n',
}

test('by release and address: the one source of a sheet, and of several the one that sets the picture', async () => {
  for (const [path, text] of Object.entries(SOURCES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  await mustRun('./build.mjs', [], { cwd: folder, env: {} })
  const built = readdirSync(join(folder, 'dist/assets'))
  const named = (start: string, end: string): string =>
    `/assets/${built.find((name) => name.startsWith(start) && name.endsWith(end))}`
  await mustRun(
    'sentry-cli 3',
    ['sourcemaps', 'upload', '--release', 'shop@6', '--ext', 'css', '--ext', 'map', 'dist'],
    { cwd: folder, env: harness.env },
  )
  const lcp = (route: string, own: Readonly<Record<string, string | number>>) => {
    const span = navigationSpan(route, route, Date.now() - 30_000, {
      'sentry.release': 'shop@6',
      'sentry.transaction': route,
      'sentry.op': 'ui.webvital.lcp',
      'browser.web_vital.lcp.value': 2_800,
      'browser.web_vital.lcp.element': 'div.hero',
      ...own,
    })
    const kept = Object.entries(span.attributes).filter(([key]) => !key.startsWith('sonde.navigation'))
    return { ...span, attributes: Object.fromEntries(kept) }
  }
  await sendSpans(harness.project.dsn, [
    lcp('/cart', {
      'browser.web_vital.lcp.element_render_delay': 2_400,
      'browser.web_vital.lcp.stylesheet': named('cart-', '.css'),
      'browser.web_vital.lcp.stylesheet_delay': 2_100,
    }),
    lcp('/', {
      'browser.web_vital.lcp.url': `https://shop.example${named('hero-', '.jpg')}`,
      'browser.web_vital.lcp.url_stylesheet': named('shop-', '.css'),
      'browser.web_vital.lcp.resource_load_delay': 2_100,
    }),
  ])
  const page = await signedInPlain(harness.sonde.url)
  const endMs = Date.now() + 60_000
  do {
    assert.ok(Date.now() < endMs, 'waited in vain for the vitals')
    await page.goto('/acme/shop/vitals?vital=lcp')
  } while (!page.has('/cart') || !page.has('waits for hero.jpg'))
  const causes = page.part('[aria-label="Main causes"]', '')
  causes.shows(/on \/cart ?: 75% waits for the style sheet src\/cart\.css/)
  causes.shows(/on \/ ?: 75% waits for hero\.jpg ?, set in src\/home\/home\.css:3/)
})
