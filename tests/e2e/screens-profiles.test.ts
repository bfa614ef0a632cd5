/** Profiles in Chromium: from the list to the calls of one, by keyboard, in both themes and on a phone. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inBothThemes } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fitsWidth } from './keyboard.ts'
import { sendItems } from './performance-events.ts'
import { newEventId } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

const FUNCTIONS = [
  'main',
  'handleRequest',
  'renderCart',
  'priceOf',
  'JSON.parse',
  `a_very_${'long_'.repeat(30)}name`,
]

describe('profiles', () => {
  let sonde: RunningSonde
  let browser: Browser
  let shop: CreatedProject
  let owner: Awaited<ReturnType<typeof sessionOf>>
  const profile = newEventId()

  before(async () => {
    sonde = await startSonde()
    shop = createProject(sonde, 'acme/shop')
    browser = await launchChromium()
    const endSec = Date.now() / 1000 - 2
    const stacks = [[2, 1, 0], [3, 2, 1, 0], [4, 3, 2, 1, 0], [5, 1, 0], [0]]
    // Of the new release, a third of the time moved into the last function but one.
    const samplesOf = (isNew: boolean) =>
      Array.from({ length: 200 }, (_, at) => ({
        stack_id: isNew && at % 3 === 0 ? 3 : (at >> 3) % stacks.length,
        thread_id: '1',
        timestamp: endSec - (200 - at) * 0.01,
      }))
    const frames = FUNCTIONS.map((name, at) => ({
      function: name,
      filename: 'server/cart.ts',
      lineno: at * 10 + 1,
      in_app: at !== 4,
    }))
    const chunk = (id: string, release: string) => ({
      version: '2',
      profiler_id: newEventId(),
      chunk_id: id,
      platform: 'node',
      release,
      profile: {
        samples: samplesOf(release === 'shop@4.13.0'),
        stacks,
        frames,
        thread_metadata: { 1: { name: 'main thread' } },
      },
    })
    await sendItems(shop.dsn, [
      [{ type: 'profile_chunk' }, chunk(profile, 'shop@4.12.0')],
      [{ type: 'profile_chunk' }, chunk(newEventId(), 'shop@4.13.0')],
    ])
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  async function at(path: string, run: (page: Page) => Promise<void>): Promise<void> {
    const visited = await visit(browser, sonde.url, { storageState: owner })
    try {
      await visited.page.goto(path)
      await run(visited.page)
      assert.deepEqual(visited.complaints(), [])
    } finally {
      await visited.close()
    }
  }

  const slowest = (page: Page) => page.getByRole('region', { name: 'Slowest functions' })

  test('are listed with their slowest functions', () =>
    at('/acme/shop/profiles', async (page) => {
      for (let tries = 0; tries < 40 && (await slowest(page).getByText('renderCart').count()) === 0; tries++)
        await page.reload()
      await slowest(page).getByText('renderCart').waitFor()
      await inBothThemes(page, 'main')
      await page.setViewportSize({ width: 390, height: 800 })
      await fitsWidth(page)
    }))

  test('lead from a function to those that became slower, and to an alert on it', () =>
    at('/acme/shop/profiles', async (page) => {
      const table = slowest(page)
      await table.getByRole('link', { name: 'Change' }).click()
      await page.waitForURL(/functions=slower/)
      await table
        .getByRole('columnheader', { name: 'Change' })
        .and(page.locator('[aria-sort=descending]'))
        .waitFor()
      const row = table.getByRole('row').filter({ hasText: 'renderCart' }).first()
      await row.getByText('no previous data').waitFor()
      await row.getByRole('img', { name: /profiles? in this time range/ }).waitFor()
      await row.getByRole('link', { name: /Create alert on .*renderCart/ }).click()
      await page.waitForURL(/alerts\/new/)
      assert.equal(
        await page.getByRole('combobox', { name: 'Metric' }).inputValue(),
        'profile_functions|p75(function.self_time)',
      )
      assert.match(await page.getByLabel('Only of').inputValue(), /^function:.*renderCart.* file:/)
    }))

  test('of two releases are compared, function by function', () =>
    at('/acme/shop/profiles/compare?a=shop%404.12.0&b=shop%404.13.0', async (page) => {
      await page.locator('canvas').first().waitFor()
      const table = page.getByRole('region', { name: 'Table of differences' })
      const grown = table.getByRole('row').filter({ hasText: 'a_very_long' })
      assert.match((await grown.textContent()) ?? '', /\+\d+\.\d.*more/)
      await page.locator('canvas').focus()
      await page.keyboard.press('ArrowDown')
      await page.getByText(/before 100\.0%, after 100\.0%/).waitFor()
      await page.getByRole('searchbox', { name: 'Find a function' }).fill('price')
      assert.equal(await table.getByRole('row').count(), 2)
      await inBothThemes(page, 'main')
      await page.setViewportSize({ width: 390, height: 800 })
      await fitsWidth(page)
    }))

  test('show the calls of one as a flame graph and as a table', () =>
    at(`/acme/shop/profiles/${profile}`, async (page) => {
      await page.locator('canvas').first().waitFor()
      await page.getByText('handleRequest').first().waitFor()
      await inBothThemes(page, 'main')
      await page.setViewportSize({ width: 390, height: 800 })
      await fitsWidth(page)
    }))
})
