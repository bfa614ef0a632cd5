/** Sampling rules and caps of spans: set in Chromium, felt by what is sent. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { pageLoad, sendTransaction } from './performance-events.ts'
import { checkoutError, sendEvent } from './screens-events.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'

const screens = useSignedInScreens()

/** With a trace whose lot is known: of the fifteen made of one digit, a quarter keeps those of 3 and 9. */
function loadOf(digit: string, route: string) {
  const load = pageLoad({ route, atMs: Date.now() - 5_000, lcp: 1_000, cls: 0 })
  const own = load.contexts.trace.trace_id
  return JSON.parse(JSON.stringify(load).replaceAll(own, digit.repeat(32))) as typeof load
}
const DIGITS = '123456789abcdef'.split('')

const rulesOf = async (page: Page): Promise<string[]> => {
  const routes = await page.getByLabel('Route').all()
  return Promise.all(routes.map((route) => route.inputValue()))
}
/** Without scripts a press is a new document: its fields are there when they are. */
async function rulesBecome(page: Page, expected: readonly string[]): Promise<void> {
  const endMs = Date.now() + 30_000
  let rules: string[] = []
  while (Date.now() < endMs) {
    rules = await rulesOf(page).catch(() => [])
    if (isDeepStrictEqual(rules, expected)) return
    await page.getByLabel('Route').first().waitFor()
  }
  assert.deepEqual(rules, expected)
}
const openSettings = (page: Page) => page.goto('/acme/shop/settings')
/** Reloads until the server says it: what was sent is counted a moment later. */
async function reloadUntil(page: Page, text: string | RegExp, timeoutMs = 30_000): Promise<void> {
  const endMs = Date.now() + timeoutMs
  while ((await page.getByText(text).count()) === 0) {
    assert.ok(Date.now() < endMs, `waited in vain for ${text}`)
    await page.reload()
  }
}

describe('sampling of a project', () => {
  for (const [how, scripts] of WAYS) {
    test(`${how}: rules are written, refused beside their field, moved, tried and saved`, () =>
      screens.asOwner(
        async (page) => {
          await openSettings(page)
          const before = (await rulesOf(page)).length
          for (let left = before; left > 0; left--) {
            await page.getByRole('button', { name: `Remove rule ${left}` }).click()
            await page.getByRole('button', { name: `Remove rule ${left}` }).waitFor({ state: 'detached' })
          }
          const section = page.locator('#sampling')
          await section.getByRole('button', { name: 'Add rule' }).click()
          await section.getByLabel('Route').fill('/checkout')
          await section.getByLabel('Sample rate (%)').fill('1000')
          await section.getByRole('button', { name: 'Add rule' }).click()
          await section.getByLabel('Route').nth(1).fill('/health*')
          await section.getByLabel('Sample rate (%)').nth(1).fill('0')
          await section.getByRole('button', { name: 'Save sampling rules' }).click()
          await section.getByText('is a share from 0.01 to 100 percent').waitFor()
          assert.equal(
            await section.getByLabel('Sample rate (%)').first().getAttribute('aria-invalid'),
            'true',
          )

          await section.getByLabel('Sample rate (%)').first().fill('25')
          if (scripts) {
            await section.getByLabel('Route').nth(1).press('Alt+ArrowUp')
            assert.equal(
              await section
                .getByLabel('Route')
                .first()
                .evaluate((field) => field === document.activeElement),
              true,
            )
            await section.getByText('The rule is now number 1 of 2.').waitFor({ state: 'attached' })
          } else await section.getByRole('button', { name: 'Move rule 2 up' }).click()
          await rulesBecome(page, ['/health*', '/checkout'])
          if (!scripts) await section.getByRole('button', { name: 'Preview' }).click()
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
        },
        { javaScriptEnabled: scripts },
      ))
  }

  test('what a rule leaves out is counted, and what is counted up says so', () =>
    screens.asOwner(async (page) => {
      const { dsn } = screens.shop
      for (const digit of DIGITS) {
        await sendTransaction(dsn, loadOf(digit, '/checkout'))
        await sendTransaction(dsn, loadOf(digit, '/health/live'))
      }
      await openSettings(page)
      const section = page.locator('#sampling')
      // Of thirteen page loads and of fifteen, two spans each.
      await reloadUntil(page, /Dropped 26 in the last 24 hours/)
      await reloadUntil(page, /Dropped 30 in the last 24 hours/)
      await section.getByLabel('Sample rate (%)').nth(1).fill('50')
      await section
        .getByText('These rules would have kept 8 of 16 spans of the last 24 hours (50%).')
        .waitFor()
      await page.goto('/acme/shop/performance')
      const row = page.getByRole('row').filter({ hasText: '/checkout' })
      await row.getByText('≈8', { exact: true }).first().waitFor()
      await row.getByTitle('8 transactions, extrapolated from 1 in 4 (2 stored)').waitFor()
      assert.equal(await page.getByText('/health/live').count(), 0)
      await page.goto('/acme/shop/vitals')
      await page
        .getByRole('row')
        .filter({ hasText: '/health/live' })
        .getByTitle('15 page views', { exact: true })
        .first()
        .waitFor()
    }))

  test('a cap that is reached stops spans and no errors, until it is raised', () =>
    screens.asOwner(async (page) => {
      await openSettings(page)
      const section = page.locator('#caps')
      await section.getByLabel('Span quota').fill('some')
      await section.getByRole('button', { name: 'Save quotas' }).click()
      await section.getByText('is a whole number of spans').waitFor()
      await section.getByLabel('Span quota').fill('1')
      await section.getByRole('button', { name: 'Save quotas' }).click()
      await page.getByText('Span quotas saved.').waitFor()
      await section.getByText('quota reached').waitFor()
      await untilDoorSays(429)
      await sendEvent(screens.shop.dsn, checkoutError(Date.now()))
      await reloadUntil(page, /rejected in the last 24 hours/)
      await section.getByLabel('Span quota').fill('1 000 000')
      await section.getByRole('button', { name: 'Save quotas' }).click()
      await section.getByText('quota reached').waitFor({ state: 'detached' })
      await untilDoorSays(200)
    }))
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
