/** Next.js hydrates itself: what its app router tells of mismatches, lost clicks and time, with one line in `instrumentation-client.ts`. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { bundlePage } from '../browser/harness/bundle-page.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { signedInPlain } from '../e2e/plain-page.ts'
import { type App, copyApp } from './support/app.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { mustRun } from './support/run-tool.ts'
import { type StartedTool, startTool } from './support/start-tool.ts'

let harness: Harness
let browser: Browser
let app: App
let server: StartedTool

before(async () => {
  harness = await openHarness()
  app = copyApp('next-hydration')
  const reporter = await bundlePage(
    `export { init } from '@sonde/browser'\nexport { watchNextHydration } from '@sonde/react/hydration'`,
    { format: 'esm', external: ['react'] },
  )
  writeFileSync(join(app.folder, 'sonde.mjs'), reporter)
  const env = { ...harness.env, NEXT_TELEMETRY_DISABLED: '1', NEXT_PUBLIC_SONDE_DSN: harness.project.dsn }
  await mustRun('next', ['build'], { cwd: app.folder, env })
  const started = startTool('next', ['start', '-H', '127.0.0.1', '-p', '0'], { cwd: app.folder, env })
  ;[server, browser] = await Promise.all([started, launchChromium()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
  app?.remove()
  await harness?.close()
})

/** Visits a page, buys something there once it answers, and leaves it. `held`: pressed before the scripts came. */
async function visit(path: string, { held = false } = {}): Promise<void> {
  const page = await browser.newPage()
  let release = (): void => undefined
  const opened = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\.js(?:\?|$)/, async (route) => {
    if (held) await opened
    await route.continue()
  })
  await page.goto(server.url + path, { waitUntil: 'commit' })
  if (held) {
    await page.getByRole('button').click()
    release()
  }
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0)
  await page.getByRole('button').click()
  await page.getByRole('button', { name: 'bought 1 times' }).waitFor()
  // Not closed: what the page sends as it is left would end with the browser's context.
  await page.goto('about:blank')
}

test('mismatches of root and boundary stand on the screen with shape and cost, lost clicks by route, and issues by route', async () => {
  await visit('/', { held: true })
  await visit('/products/42')
  await visit('/boundary')
  await harness.api.until<readonly object[]>(
    '/api/0/projects/acme/shop/issues/',
    (issues) => issues.length === 2,
    60_000,
  )
  const page = await signedInPlain(harness.sonde.url)
  const endMs = Date.now() + 60_000
  const routes = () => page.region('Routes').parts('tbody tr')
  do {
    assert.ok(Date.now() < endMs, 'waited in vain for the page loads')
    await page.goto('/acme/shop/hydration')
  } while (!page.has('/boundary') || routes().length < 3)
  const [root, boundary] = ['/products/42', '/boundary'].map((route) =>
    page.region('Mismatches').part('tbody tr', `time on ${route}`),
  )
  for (const part of [root, boundary]) {
    part?.shows('99:99 xx Xxxxx+ → 9:99:99 XX xx Xxxxx+ text of < time >')
    assert.equal(part?.links(/^SHOP-\d+$/).length, 1)
  }
  root?.shows(/\d+ ms whole root/)
  boundary?.shows(/\d+ ms one boundary/)
  const route = (path: string): string => routes().find(({ text }) => text.startsWith(`${path} `))?.text ?? ''
  assert.match(route('/'), /^\/ 1 100% [\d.]+ m?s 0% 1$/)
  for (const path of ['/products/42', '/boundary']) assert.match(route(path), / 0 0% [\d.]+ m?s 100% 1$/)
})
