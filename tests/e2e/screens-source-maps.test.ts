/** From minified to readable, as a person goes: nothing uploaded, an error, the upload, the same error again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtApp } from '../../packages/cli/test/sourcemaps/built.ts'
import { apiClient } from '../harness/api-client.ts'
import { uploadBuild } from '../harness/upload-build.ts'
import { asBuild, buildToken, uploadTo } from './fill-source-maps.ts'
import { signedInPlain } from './plain-page.ts'
import { sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
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
  const plain = await signedInPlain(sonde.url)
  await plain.goto(MAPS)
  await plain.follow('shop@1')
  plain.shows('~/main.js.map')
  await plain.press('Delete upload')
  plain.shows('check the box')
  plain.check('Delete it in all projects')
  await plain.press('Delete upload')
  plain.shows('Upload deleted.')
  plain.shows('No uploads yet')
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
  type Run = { dateFinished: string | null }
  // Until it is through, the page says so.
  await api.until<readonly Run[]>(
    '/api/0/projects/acme/shop/source-maps/reprocessing/',
    (runs) => runs.length > 0 && runs.every(({ dateFinished }) => dateFinished !== null),
  )
  await plain.goto(MAPS)
  plain.part('.maps-reprocessings li', /1 event processed, 1 updated/).shows('done')
  plain.shows('All 1 error symbolicated.')
  await plain.goto('/acme/shop/issues/SHOP-1')
  plain.shows('src/cart.ts:4:43')
  plain.shows('Symbolicated with ~/main.js.map')
  assert.ok(!plain.has('not symbolicated'))
  await plain.follow('Minified')
  plain.shows(/\/assets\/main\.js:2:\d+/)
  await plain.follow('Original')
  plain.shows('src/cart.ts:4:43')
  await screens.asOwner(async (page) => {
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
  })
})
