/**
 * Profiles as unmodified SDKs send them: of one transaction and of a profiler that runs on (chunks), from Node, Python and
 * Chromium, whose minified functions get their names from source maps.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { ensurePython } from '../../scripts/test/compat-tools.mjs'
import { launchChromium } from '../e2e/chromium.ts'
import { buildToken } from '../e2e/fill-source-maps.ts'
import { uploadBuild } from '../harness/upload-build.ts'
import { startShopServer } from './browser/shop-server.ts'
import { assertOutcomes } from './support/counts.ts'
import { findTool } from './support/find-tool.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { runProgram } from './support/run-program.ts'
import { signIn } from './support/screens.ts'

const python = findTool(ensurePython)
const PROFILES_POLICY = { 'document-policy': 'js-profiling' }

suite('profiles from unmodified SDKs', () => {
  let harness: Harness
  let browser: Browser
  let screens: Page

  before(async () => {
    harness = await openHarness('node')
    browser = await launchChromium()
    screens = await signIn(browser, harness)
  })
  after(async () => {
    await browser?.close()
    await harness?.close()
  })

  /** What the list of slowest functions says, once it names the function. */
  async function functionRow(name: string): Promise<string> {
    const row = screens
      .getByRole('region', { name: 'Table of slowest functions' })
      .getByRole('row')
      .filter({ hasText: name })
    for (let tries = 0; tries < 40; tries++) {
      await screens.goto(`${harness.sonde.url}/acme/shop/profiles`)
      if ((await row.count()) > 0) break
    }
    return (await row.first().textContent()) ?? ''
  }

  const runNode = async (mode: 'transaction' | 'trace'): Promise<void> => {
    const program = join(import.meta.dirname, 'node', 'profiles.ts')
    const run = await runProgram(process.execPath, [program, mode], harness.project.dsn)
    assert.equal(run.code, 0, run.stderr)
  }

  test('@sentry/profiling-node: one profile of a transaction, which its trace leads to', async () => {
    await runNode('transaction')
    assert.match(await functionRow('priceTheCart'), /profiles\.ts/)
    await assertOutcomes(harness, [{ category: 'profile', outcome: 'accepted', reason: '', quantity: 1 }])
  })

  test('@sentry/profiling-node: chunks of a profiler that runs with the trace', async () => {
    await runNode('trace')
    await assertOutcomes(harness, [
      { category: 'profile_chunk', outcome: 'accepted', reason: '', quantity: 1 },
    ])
    await screens.goto(`${harness.sonde.url}/acme/shop/profiles`)
    await screens
      .getByRole('link', { name: /^Chunk / })
      .first()
      .click()
    await screens.getByRole('heading', { name: 'Continuous profile' }).waitFor()
    await screens.getByRole('region', { name: 'Table of calls' }).getByRole('row').nth(1).waitFor()
  })

  test('sentry-sdk: chunks of Python', { skip: python.skip }, async () => {
    const program = join(import.meta.dirname, 'python', 'profiles.py')
    const run = await runProgram(python.path, [program], harness.project.dsn)
    assert.equal(run.code, 0, run.stderr)
    assert.notEqual(await functionRow('weigh_the_parcel'), '')
  })

  test('@sentry/browser: chunks of Chromium, with the names of the sources', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-profiled-'))
    await build({
      root: join(import.meta.dirname, 'profiles', 'page'),
      configFile: false,
      logLevel: 'error',
      define: { SHOP_RELEASE: JSON.stringify('shop@4.0.0') },
      build: { outDir: folder, emptyOutDir: false, sourcemap: true },
    })
    await uploadBuild(join(folder, 'assets'), {
      url: harness.sonde.url,
      token: buildToken(harness.sonde),
      project: 'acme/shop',
      release: 'shop@4.0.0',
    })
    const shop = await startShopServer(folder, harness.sonde.url, PROFILES_POLICY)
    try {
      const page = await browser.newPage()
      await page.goto(`${shop.url}/?${new URLSearchParams({ dsn: harness.project.dsn })}`)
      await page.click('#work')
      await page.waitForSelector('body[data-done=yes]', { timeout: 20_000 })
      assert.match(await functionRow('countTheStock'), /main\.ts/)
      await page.close()
    } finally {
      await shop.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
