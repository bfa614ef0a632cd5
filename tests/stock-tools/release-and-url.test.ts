/** Builds without debug ids: files are found by release and address, whichever generation of sentry-cli sent them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { openHarness, type Harness } from './support/harness.ts'
import { pay } from './support/pay.ts'
import { type PlainShop, plainShop } from './support/plain-shop.ts'
import { assertCheckoutReadable } from './support/read-checkout.ts'
import { storedEvent } from './support/readable.ts'
import { mustRun } from './support/run-tool.ts'

let harness: Harness
let browser: Browser
const shops: PlainShop[] = []

before(async () => {
  harness = await openHarness()
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  for (const { app } of shops) app.remove()
  await harness?.close()
})

async function newShop(release: string): Promise<PlainShop> {
  const shop = await plainShop(harness, { release })
  shops.push(shop)
  return shop
}

async function assertReadableOnce(shop: PlainShop, release: string): Promise<void> {
  const server = await shop.deploy()
  try {
    const event = await storedEvent(harness, await pay(browser, server.url))
    assert.equal(event.release?.version, release)
    assertCheckoutReadable(event)
  } finally {
    await server.stop()
  }
}

for (const cli of ['sentry-cli 2', 'sentry-cli 3'] as const) {
  test(`${cli} uploads a folder for a release, without debug ids`, async () => {
    const release = `plain@${cli.at(-1)}`
    const shop = await newShop(release)
    const said = await mustRun(cli, ['sourcemaps', 'upload', '--release', release, 'dist'], {
      cwd: shop.app.folder,
      env: harness.env,
    })
    assert.match(said, /Source Map Upload Report/)
    assert.doesNotMatch(said, /debug id/)
    await assertReadableOnce(shop, release)
  })
}

test('sentry-cli 2 uploads file by file in the old way', async () => {
  const release = 'legacy@1'
  const shop = await newShop(release)
  const options = { cwd: shop.app.folder, env: harness.env }
  const files = ['releases', 'files', release]
  await mustRun('sentry-cli 2', ['releases', 'new', release], options)
  for (const name of ['main.js', 'main.js.map'])
    await mustRun('sentry-cli 2', [...files, 'upload', `dist/${name}`, `~/${name}`], options)
  const listed = await mustRun('sentry-cli 2', [...files, 'list'], options)
  assert.match(listed, /~\/main\.js\.map/)
  await assertReadableOnce(shop, release)
  await mustRun('sentry-cli 2', [...files, 'delete', '--all'], options)
  assert.doesNotMatch(await mustRun('sentry-cli 2', [...files, 'list'], options), /main\.js/)
})
