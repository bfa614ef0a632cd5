/** Lines of logs in Chromium: found by words and attributes, put into patterns, followed live, and watched by an alert. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { fillLogs, sendItems } from './performance-events.ts'
import { newEventId } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

const LOGS = '/acme/shop/logs?statsPeriod=24h'

describe('logs', () => {
  let sonde: RunningSonde
  let browser: Browser
  let shop: CreatedProject
  let owner: Awaited<ReturnType<typeof sessionOf>>

  before(async () => {
    sonde = await startSonde()
    shop = createProject(sonde, 'acme/shop')
    browser = await launchChromium()
    await fillLogs(shop.dsn, newEventId())
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  async function atLogs(run: (page: Page) => Promise<void>): Promise<void> {
    const visited = await visit(browser, sonde.url, { storageState: owner })
    try {
      await visited.page.goto(LOGS)
      await visited.page.getByRole('button', { name: 'Search or jump to…' }).waitFor()
      await run(visited.page)
      assert.deepEqual(visited.complaints(), [])
    } finally {
      await visited.close()
    }
  }
  const lines = (page: Page) => page.getByRole('list', { name: 'Log lines' }).getByRole('listitem')
  const search = async (page: Page, query: string): Promise<void> => {
    await page.getByRole('combobox').fill(query)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.waitForURL((url) => url.searchParams.get('query') === query)
  }

  test('are found by severity and words, and a line shows its attributes', () =>
    atLogs(async (page) => {
      await search(page, 'severity:error REFUSED')
      const found = await lines(page).allInnerTexts()
      assert.ok(found.length > 1)
      for (const text of found) assert.match(text, /connection refused by 10\.0\.0\.\d+:5432/)
      await lines(page).first().locator('summary').click()
      await page.getByRole('cell', { name: 'shop@4.12.0' }).waitFor()
      await page.getByRole('rowheader', { name: 'order.region' }).waitFor()
    }))

  test('a search that cannot be read is said in words', () =>
    atLogs(async (page) => {
      await search(page, 'severity_number:many')
      await page.getByRole('alert').waitFor()
      assert.equal(await lines(page).count(), 0)
    }))

  test('become patterns, each of which leads to its lines', () =>
    atLogs(async (page) => {
      await page.getByRole('link', { name: 'Patterns' }).click()
      const placed = page.getByRole('row').filter({ hasText: 'order' }).first()
      await placed.getByRole('link').click()
      await lines(page).first().waitFor()
      for (const text of await lines(page).allInnerTexts()) assert.match(text, /order \d+ placed/)
    }))

  test('are followed live', () =>
    atLogs(async (page) => {
      await page.getByRole('link', { name: 'Live tail' }).click()
      await page.getByRole('link', { name: 'Stop live tail' }).waitFor()
      const line = { timestamp: Date.now() / 1000, trace_id: newEventId(), level: 'warn', body: 'just now' }
      const content_type = 'application/vnd.sentry.items.log+json'
      await sendItems(shop.dsn, [[{ type: 'log', item_count: 1, content_type }, { items: [line] }]])
      await lines(page).filter({ hasText: 'just now' }).waitFor()
    }))

  test('lead to an alert on what is searched for', () =>
    atLogs(async (page) => {
      await search(page, 'severity:error refused')
      await page.getByRole('link', { name: 'Create alert' }).click()
      await page.getByLabel('Metric', { exact: true }).waitFor()
      assert.equal(await page.getByLabel('Metric', { exact: true }).inputValue(), 'logs|count()')
      await page
        .getByText('severity:error refused')
        .or(page.locator('[value="severity:error refused"]'))
        .first()
        .waitFor()
    }))
})
