/** From minified to readable, as a person goes: nothing uploaded, an error, the upload, the same error again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { builtApp } from '../../packages/server/test/sourcemaps/built.ts'
import { apiClient } from '../harness/api-client.ts'
import { uploadBuild } from '../harness/upload-build.ts'
import { asBuild, buildToken, uploadTo } from './fill-source-maps.ts'
import { sendEvent } from './screens-events.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'
import { crashOf } from './source-map-events.ts'

const screens = useSignedInScreens()
const MAPS = '/acme/shop/source-maps'

test('a late upload makes an error readable, and the page says so before and after', async (t) => {
  const { sonde, shop } = screens
  const dir = await builtApp(t)
  const token = buildToken(sonde)
  const build = (...args: string[]) => asBuild(sonde, token, args)

  // Debug ids are in the files now; what was uploaded is deleted again.
  await uploadBuild(dir, { ...uploadTo(sonde, token), release: 'shop@1' })
  await screens.asOwner(
    async (page) => {
      await page.goto(MAPS)
      await page.getByRole('link', { name: 'shop@1' }).click()
      await page.getByText('~/main.js.map').first().waitFor()
      await page.getByRole('button', { name: 'Delete upload' }).click()
      await page.getByText('check the box').waitFor()
      await page.getByLabel('Delete it in all projects').check()
      await page.getByRole('button', { name: 'Delete upload' }).click()
      await page.getByText('Upload deleted.').waitFor()
      await page.getByText('No uploads yet').waitFor()
    },
    { javaScriptEnabled: false },
  )
  const removed = build('upload', dir)
  assert.equal(removed.code, 2)
  assert.match(removed.stderr, /npx @sentry\/cli sourcemaps inject .*\n.*npx @sentry\/cli sourcemaps upload /)
  const asked = build('verify', dir)
  assert.equal(asked.code, 1)
  assert.match(asked.stdout, /not uploaded/)

  const api = apiClient(sonde)
  type Stored = { groupID: string; errors: { type: string }[] }
  const event = `/api/0/projects/acme/shop/events/${await sendEvent(shop.dsn, crashOf(dir))}/`
  const minified = await api.until<Stored>(event, () => true)
  assert.deepEqual(
    minified.errors.map(({ type }) => type),
    ['js_no_source'],
  )
  await screens.asOwner(async (page) => {
    await page.goto('/acme/shop/issues/SHOP-1')
    await page.getByText('Both frames are not symbolicated: no source map with the debug id').click()
    await page.getByText(`--url ${sonde.url} sourcemaps upload --org acme --project shop`).first().waitFor()
    await page.getByRole('link', { name: 'Source maps and tokens' }).click()
    await page.getByText('100% of 1 error unsymbolicated.').waitFor()
    await page.getByText('No source map with the debug id of the script was uploaded').waitFor()
  })

  await uploadBuild(dir, { ...uploadTo(sonde, token), release: 'shop@1' })
  assert.equal(build('verify', dir).code, 0)
  await api.until<Stored>(event, ({ errors }) => errors.length === 0)
  await screens.asOwner(reprocessed)
  for (const [, javaScriptEnabled] of WAYS)
    await screens.asOwner(
      async (page) => {
        await page.goto('/acme/shop/issues/SHOP-1')
        await page.getByText('src/cart.ts:4:43').first().waitFor()
        await page.getByText('Symbolicated with ~/main.js.map').first().waitFor()
        assert.equal(await page.getByText('not symbolicated').count(), 0)
        await page.getByRole('link', { name: 'Minified' }).click()
        await page
          .getByText(/\/assets\/main\.js:2:\d+/)
          .first()
          .waitFor()
        await page.getByRole('link', { name: 'Original' }).click()
        await page.getByText('src/cart.ts:4:43').first().waitFor()
      },
      { javaScriptEnabled },
    )
})

/** The reprocessing run is through: until then the event may be there as it was. */
async function reprocessed(page: Page): Promise<void> {
  const endMs = Date.now() + 30_000
  for (;;) {
    await page.goto(MAPS)
    const done = page.locator('.maps-reprocessings li').filter({ hasText: '1 event processed, 1 updated' })
    if ((await done.filter({ hasText: 'done' }).count()) > 0) break
    if (Date.now() > endMs)
      assert.fail(`no reprocessing run is done: ${await page.locator('main').innerText()}`)
  }
  await page.getByText('All 1 error symbolicated.').waitFor()
}
