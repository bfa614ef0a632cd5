/** Sampling rules and caps of spans: set in Chromium and by forms alone, felt by what is sent. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { pageLoad, sendTransaction } from './performance-events.ts'
import { type PlainPage, type PlainPart, signedInPlain } from './plain-page.ts'
import { checkoutError, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const screens = useSignedInScreens()

/** With a trace whose lot is known: of the fifteen made of one digit, a quarter keeps those of 3 and 9. */
function loadOf(digit: string, route: string) {
  const load = pageLoad({ route, atMs: Date.now() - 5_000, lcp: 1_000, cls: 0 })
  const own = load.contexts.trace.trace_id
  return JSON.parse(JSON.stringify(load).replaceAll(own, digit.repeat(32))) as typeof load
}
const DIGITS = '123456789abcdef'.split('')

async function rulesBecome(page: Page, expected: readonly string[]): Promise<void> {
  const rules = async (): Promise<string[]> => {
    const routes = await page.getByLabel('Route').all()
    return Promise.all(routes.map((route) => route.inputValue()))
  }
  const endMs = Date.now() + 30_000
  while (Date.now() < endMs && !isDeepStrictEqual(await rules(), expected))
    await page.getByLabel('Route').first().waitFor()
  assert.deepEqual(await rules(), expected)
}
const openSettings = (page: Page) => page.goto('/acme/shop/settings')
const rows = (page: PlainPage): PlainPart[] => page.parts('.sampling-rules > li')
const plainRules = (page: PlainPage): string[] => rows(page).map((row) => row.valueOf('Route'))
/** Reloads until the server says it: what was sent is counted a moment later. */
async function reloadUntil(page: PlainPage, text: string | RegExp, timeoutMs = 30_000): Promise<void> {
  const endMs = Date.now() + timeoutMs
  while (!page.has(text)) {
    assert.ok(Date.now() < endMs, `waited in vain for ${text}`)
    await page.reload()
  }
}

describe('sampling of a project', () => {
  let plain: PlainPage
  before(async () => {
    plain = await signedInPlain(screens.sonde.url)
  })

  test('rules are written, refused beside their field, moved, tried and saved', () =>
    screens.asOwner(async (page) => {
      await openSettings(page)
      const section = page.locator('#sampling')
      await section.getByRole('button', { name: 'Add rule' }).click()
      await section.getByLabel('Route').fill('/checkout')
      await section.getByLabel('Sample rate (%)').fill('1000')
      await section.getByRole('button', { name: 'Add rule' }).click()
      await section.getByLabel('Route').nth(1).fill('/health*')
      await section.getByLabel('Sample rate (%)').nth(1).fill('0')
      await section.getByRole('button', { name: 'Save sampling rules' }).click()
      await section.getByText('is a share from 0.01 to 100 percent').waitFor()
      assert.equal(await section.getByLabel('Sample rate (%)').first().getAttribute('aria-invalid'), 'true')

      await section.getByLabel('Sample rate (%)').first().fill('25')
      await section.getByLabel('Route').nth(1).press('Alt+ArrowUp')
      assert.equal(
        await section
          .getByLabel('Route')
          .first()
          .evaluate((field) => field === document.activeElement),
        true,
      )
      await section.getByText('The rule is now number 1 of 2.').waitFor({ state: 'attached' })
      await rulesBecome(page, ['/health*', '/checkout'])
      await section
        .getByText(/the last 24 hours/)
        .first()
        .waitFor()
      await section.getByRole('button', { name: 'Save sampling rules' }).click()
      await page.getByText('Sampling rules saved.').waitFor()
      await page.reload()
      await rulesBecome(page, ['/health*', '/checkout'])
      await section
        .getByText('Drops all of /health*. Dropped traces are neither stored nor counted.')
        .waitFor()
      await section.getByText('Keeps 1 in 4 of /checkout. Counts are extrapolated.').waitFor()
      for (const rule of [2, 1]) {
        await page.getByRole('button', { name: `Remove rule ${rule}` }).click()
        await page.getByRole('button', { name: `Remove rule ${rule}` }).waitFor({ state: 'detached' })
      }
      await section.getByText('No rules. Every trace is stored.').waitFor()
    }))

  test('without JavaScript: rules are written, refused beside their field, moved, tried and saved', async () => {
    await plain.goto('/acme/shop/settings')
    for (let left = rows(plain).length; left > 0; left--) {
      await plain.press(`Remove rule ${left}`)
      assert.equal(rows(plain).length, left - 1)
    }
    const section = plain.part('#sampling')
    const row = (at: number): PlainPart => rows(plain)[at] ?? assert.fail(section.text)
    await section.press('Add rule')
    row(0).fill('Route', '/checkout')
    row(0).fill('Sample rate (%)', '1000')
    await section.press('Add rule')
    row(1).fill('Route', '/health*')
    row(1).fill('Sample rate (%)', '0')
    await section.press('Save sampling rules')
    section.shows('is a share from 0.01 to 100 percent')
    assert.equal(row(0).field('Sample rate (%)').element.getAttribute('aria-invalid'), 'true')

    row(0).fill('Sample rate (%)', '25')
    await section.press('Move rule 2 up')
    assert.deepEqual(plainRules(plain), ['/health*', '/checkout'])
    await section.press('Preview')
    section.shows(/the last 24 hours/)
    await section.press('Save sampling rules')
    plain.shows('Sampling rules saved.')
    await plain.reload()
    assert.deepEqual(plainRules(plain), ['/health*', '/checkout'])
    section.shows('Drops all of /health*. Dropped traces are neither stored nor counted.')
    section.shows('Keeps 1 in 4 of /checkout. Counts are extrapolated.')
  })

  test('what a rule leaves out is counted, and what is counted up says so', async () => {
    const { dsn } = screens.shop
    for (const digit of DIGITS) {
      await sendTransaction(dsn, loadOf(digit, '/checkout'))
      await sendTransaction(dsn, loadOf(digit, '/health/live'))
    }
    await plain.goto('/acme/shop/settings')
    // Of thirteen page loads and of fifteen, two spans each.
    await reloadUntil(plain, /Dropped 26 in the last 24 hours/)
    await reloadUntil(plain, /Dropped 30 in the last 24 hours/)
    await screens.asOwner(async (page) => {
      await openSettings(page)
      const section = page.locator('#sampling')
      await section.getByLabel('Sample rate (%)').nth(1).fill('50')
      await section
        .getByText('These rules would have kept 8 of 16 spans of the last 24 hours (50%).')
        .waitFor()
    })
    await plain.goto('/acme/shop/performance')
    const row = plain.part('tr', '/checkout')
    assert.ok(row.hasExactly('≈8'))
    assert.equal(row.parts('[title="8 transactions, extrapolated from 1 in 4 (2 stored)"]').length, 1)
    assert.equal(plain.has('/health/live'), false)
    await plain.goto('/acme/shop/vitals')
    assert.ok(plain.part('tr', '/health/live').parts('[title="15 page views"]').length > 0)
  })

  test('a cap that is reached stops spans and no errors, until it is raised', async () => {
    await plain.goto('/acme/shop/settings')
    const section = plain.part('#caps')
    const save = async (count: string): Promise<void> => {
      section.fill('Span quota', count)
      await section.press('Save quotas')
    }
    await save('some')
    section.shows('is a whole number of spans')
    await save('1')
    plain.shows('Span quotas saved.')
    section.shows('quota reached')
    await untilDoorSays(429)
    await sendEvent(screens.shop.dsn, checkoutError(Date.now()))
    await reloadUntil(plain, /rejected in the last 24 hours/)
    await save('1 000 000')
    assert.equal(section.has('quota reached'), false)
    await untilDoorSays(200)
  })
})

/** To a transaction. What was saved holds within about a second. */
async function untilDoorSays(wanted: number): Promise<void> {
  const { id, publicKey } = screens.shop
  const url = `${screens.sonde.url}/api/${id}/envelope/?sentry_key=${publicKey}`
  const endMs = Date.now() + 30_000
  for (;;) {
    const item = JSON.stringify(loadOf('3', '/capped'))
    const answer = await fetch(url, { method: 'POST', body: `{}\n{"type":"transaction"}\n${item}\n` })
    await answer.body?.cancel()
    if (answer.status === wanted) return
    assert.ok(Date.now() < endMs, `the door says ${answer.status}, not ${wanted}`)
  }
}
