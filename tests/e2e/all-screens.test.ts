/** Every screen of data, filled, and held to what all of them have to keep. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type FilledSonde, SCREENS, startFilledSonde } from './all-screens.ts'
import { inEveryLook, inTheseColours, WIDE } from './axe-looks.ts'
import { everyScreen } from './every-screen.ts'
import { motions } from './motions.ts'

// 150 kB, rounded as the budget is written.
const MAX_JS_GZIP_BYTES = 150_499
/** As the build compresses them ahead. */
const AS_BUILT = { level: 9 }
const MAX_HTML_GZIP_BYTES = 90_000
const LARGE = SCREENS['a large issue'] ?? ''

let filled: FilledSonde
before(async () => {
  filled = await startFilledSonde()
})
after(async () => {
  assert.equal(await filled?.close(), 0)
})

describe('every screen of data', () => {
  everyScreen('of data', () => filled)

  test('who did not ask for less motion sees some', async () => {
    assert.notDeepEqual(await motions(await filled.show('/acme/fresh/issues')), [])
  })
})

test('no violation of axe in the keyboard help, an open menu and the palette', async () => {
  const page = await filled.show('/acme/shop/issues')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await inEveryLook(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDE)
  await page.getByLabel(/^Environment:/).click()
  await page.getByRole('checkbox', { name: 'production' }).waitFor()
  await inEveryLook(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page
    .getByRole('dialog', { name: 'Go to' })
    .getByText(/^SHOP-\d+$/)
    .first()
    .waitFor()
  await inEveryLook(page)
})

test('no violation of axe with the theme that was chosen against the system', async () => {
  await filled.page.context().addCookies([{ name: 'sonde_theme', value: 'dark', url: filled.url }])
  try {
    await inTheseColours(await filled.show('/acme/shop/issues/SHOP-1'), 'dark by choice')
  } finally {
    await filled.page.context().clearCookies({ name: 'sonde_theme' })
  }
})

describe('a long event', () => {
  test('without JavaScript a link shows all breadcrumbs, all frames and what is folded', async () => {
    const { page, close } = await filled.visit({ javaScriptEnabled: false })
    await page.goto(LARGE)
    const crumbs = page.locator('.crumb-table tbody tr')
    assert.equal(await crumbs.count(), 15)
    await page.getByRole('link', { name: /earlier ones$/ }).click()
    assert.equal(new URL(page.url()).hash, '#breadcrumbs')
    await crumbs.nth(99).waitFor()
    assert.ok((await page.locator('#exception-0 .frame-name').count()) >= 250)
    const oldest = page.locator('#exception-0 details.frame-ours').last()
    await oldest.locator('summary').first().click()
    await oldest.getByText('raise ValueError').first().waitFor()
    await close()
  })

  test('breadcrumbs are turned around, the browser remembers it, and a press leads to them', async () => {
    const page = await filled.show(LARGE)
    const first = page.locator('.crumb-table tbody tr').first()
    await first.getByText('step 99 of the import').waitFor()
    await page.getByRole('button', { name: 'Oldest first' }).click()
    await first.getByText('step 85 of the import').waitFor()
    await page.getByRole('button', { name: /earlier ones$/ }).click()
    await first.getByText('step 0 of the import').waitFor()
    await page.reload()
    await first.getByText('step 85 of the import').waitFor()
    await page.getByRole('navigation', { name: 'Sections of the event' }).getByText('Breadcrumbs').click()
    assert.equal(new URL(page.url()).hash, '#breadcrumbs')
    const top = await page.locator('#breadcrumbs').evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(top >= 0 && top < 300, `${top} px from the top`)
  })
})

// How long a page takes is measured by `npm run bench -- --pages`.
describe('what a page weighs on the wire', () => {
  test('the JavaScript of the list is at most 150 kB gzipped, as the document asks for it', async (t) => {
    const html = await (await filled.page.request.get('/acme/shop/issues')).text()
    const urls = new Set(
      [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, url]) => url ?? ''),
    )
    let bytes = 0
    for (const url of urls)
      bytes += gzipSync(await (await filled.page.request.get(url)).body(), AS_BUILT).length
    t.diagnostic(`${bytes} bytes in ${urls.size} files`)
    assert.ok(urls.size >= 2 && bytes <= MAX_JS_GZIP_BYTES, `${bytes} bytes`)
  })

  test('the document of the largest event that SDKs send is at most 90 kB gzipped', async (t) => {
    const html = await (await filled.page.request.get(LARGE)).body()
    const bytes = gzipSync(html).length
    t.diagnostic(`${html.length} bytes, gzipped ${bytes}`)
    assert.ok(html.includes('frames') && bytes <= MAX_HTML_GZIP_BYTES, `${bytes} bytes`)
  })
})
