/** An organization that may keep no more: each tool says so in its own output. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openHarness, type Harness } from './support/harness.ts'
import { type PlainShop, plainShop } from './support/plain-shop.ts'
import { runTool } from './support/run-tool.ts'

// Less than the maps of React alone.
const QUOTA_BYTES = 200_000
const FULL = /no room for the upload: the organization may keep 0 MiB of source maps/

let harness: Harness
let shop: PlainShop

before(async () => {
  harness = await openHarness('javascript', { SONDE_ARTIFACT_QUOTA_BYTES: String(QUOTA_BYTES) })
  shop = await plainShop(harness, { release: 'large@1' })
})
after(async () => {
  shop?.app.remove()
  await harness?.close()
})

for (const cli of ['sentry-cli 2', 'sentry-cli 3'] as const)
  test(`${cli} says that there is no room, and ends with 1`, async () => {
    const { code, output } = await runTool(cli, ['sourcemaps', 'upload', '--release', 'large@1', 'dist'], {
      cwd: shop.app.folder,
      env: harness.env,
    })
    assert.match(output, FULL)
    assert.equal(code, 1, output)
  })

test('the Vite plugin says that there is no room', async () => {
  const { output } = await runTool('vite', ['build'], {
    cwd: shop.app.folder,
    env: { ...harness.env, OUT_DIR: join(shop.app.folder, 'plugin-dist') },
  })
  assert.match(output, FULL)
  assert.doesNotMatch(output, /Successfully uploaded/)
})
