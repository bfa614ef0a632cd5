/** The noise of a project in Chromium: each class with its examples, its rule one click away, and what a rule does. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { fillNoise, NOISE, noiseEvent } from './noise-events.ts'
import { sendEvent } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

describe('noise', () => {
  let sonde: RunningSonde
  let browser: Browser
  let shop: CreatedProject
  let owner: Awaited<ReturnType<typeof sessionOf>>

  before(async () => {
    sonde = await startSonde()
    shop = createProject(sonde, 'acme/shop')
    browser = await launchChromium()
    const last = await fillNoise(shop.dsn)
    await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${last}/`, () => true)
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  async function atNoise(run: (page: Page) => Promise<void>): Promise<void> {
    const visited = await visit(browser, sonde.url, { storageState: owner })
    try {
      await visited.page.goto('/acme/shop/noise')
      await run(visited.page)
      // A form that is refused is answered with 422.
      assert.deepEqual(
        visited.complaints().filter((complaint) => !complaint.includes('422')),
        [],
      )
    } finally {
      await visited.close()
    }
  }
  const row = (page: Page, name: string) =>
    page.getByRole('group', { name: 'Classes of noise' }).getByRole('row').filter({ hasText: name })

  test('has each class with its newest events and what they met', () =>
    atNoise(async (page) => {
      for (const name of ['Bots', 'Browser extensions', 'In-app browsers', 'Translated pages', 'Ad blockers'])
        assert.match(await row(page, name).innerText(), /Keep\s+1\s+0\s+0\s+1/)
      assert.equal(
        await page.getByRole('heading', { level: 2 }).count(),
        Object.keys(NOISE).length + 3,
        'a section of each class',
      )
      await page.getByText('chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'TypeError: x is null' }).click()
      await page.waitForURL(/\/issues\/\d+\/events\/[0-9a-f]{32}$/)
      await page.getByText('extension_frame').first().waitFor()
    }))

  test('leads to its issues by search', () =>
    atNoise(async (page) => {
      await row(page, 'Stale builds').getByRole('link', { name: '1', exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get('query') === 'noise.class:stale_build')
      // The page of noise, which stands until the list has come, shows every class.
      await page
        .getByRole('link', { name: /Script error/ })
        .first()
        .waitFor({ state: 'detached' })
      await page
        .getByRole('link', { name: /Loading chunk 12 failed/ })
        .first()
        .waitFor()
      assert.equal(await page.getByRole('link', { name: /Script error/ }).count(), 0)
    }))

  test('is dropped where its rule says so, and counted with its reason and the way to the rule', () =>
    atNoise(async (page) => {
      await page.getByRole('combobox', { name: 'Third-party scripts' }).selectOption('drop')
      await page.getByRole('button', { name: 'Save rules' }).click()
      await page.getByText('Noise rules saved.').waitFor()
      await page.getByLabel('Events of an issue and day').fill('7')
      await page.getByRole('button', { name: 'Save rules' }).click()
      await page.getByText('is a whole number from 100').waitFor()
      // Settings are read four times a second: the next events may still be stored.
      const told = NOISE['third_party']
      assert.ok(told)
      for (let dropped = 0; dropped === 0;) {
        await sendEvent(shop.dsn, noiseEvent(told))
        await page.goto('/acme/shop/noise')
        dropped = await page.getByText('Class of noise that is dropped: Third-party scripts').count()
      }
      await page.getByRole('link', { name: 'Noise rules' }).first().click()
      await page.waitForURL((url) => url.hash === '#rules')
      assert.match(await row(page, 'Third-party scripts').innerText(), /Drop/)
    }))
})
