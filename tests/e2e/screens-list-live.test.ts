/** The lists of issues in Chromium: what happens while something arrives, going on by cursor, and axe. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBothThemes } from './axe-looks.ts'
import { PAGE_ROWS, LIST, shop, name, asOwner, rows, openList, useListScreens } from './list-screens.ts'
import { messageEvent, sendEvent } from './screens-events.ts'

useListScreens()

describe('while events arrive', () => {
  async function countsWhatIsNew(page: Page, title: string): Promise<void> {
    const first = rows(page).first()
    const before = {
      text: await first.locator('.issue-name').textContent(),
      box: await first.boundingBox(),
    }
    await sendEvent(shop.dsn, messageEvent(Date.now(), title))
    const bar = page.getByRole('button', { name: /^1 new/ })
    await bar.waitFor()
    assert.deepEqual(
      { text: await first.locator('.issue-name').textContent(), box: await first.boundingBox() },
      before,
    )
    await bar.click()
    await page.getByRole('link', { name: title }).waitFor()
    assert.equal(await first.locator('.issue-name').textContent(), title)
    await bar.waitFor({ state: 'detached' })
    await page.waitForFunction(
      (expected) => document.activeElement?.closest('tr')?.textContent.includes(expected),
      title,
    )
  }

  test('the list stands still', (t) =>
    asOwner(async (page) => {
      await openList(page)
      await t.test('it counts what is new, told by the stream, and moves no row until it is asked', () =>
        countsWhatIsNew(page, 'Arrived by the stream'),
      )
      await t.test('the numbers of a row follow where it stands', async () => {
        const row = rows(page).filter({ hasText: name(9) })
        const index = await row.evaluate((element) => (element as HTMLTableRowElement).rowIndex)
        await sendEvent(shop.dsn, messageEvent(Date.now() - 9_000, name(9), 'error'))
        await row.locator('td.col-num').first().getByText('2', { exact: true }).waitFor()
        assert.equal(await row.evaluate((element) => (element as HTMLTableRowElement).rowIndex), index)
      })
      await t.test(
        'nothing stands in the way of assistive technology with a row chosen and suggestions open',
        async () => {
          await page.getByLabel('Select SHOP-').first().click()
          await page.getByRole('combobox', { name: 'Search issues' }).fill('is:')
          await page.getByRole('option').first().waitFor()
          await page.keyboard.press('ArrowDown')
          await inBothThemes(page, '#main')
        },
      )
    }))

  test('the list counts what is new, asking by itself while the stream is away, and moves no row until it is asked', () =>
    asOwner(
      async (page) => {
        await page.route('**/live/**', (route) => route.abort())
        await openList(page)
        await countsWhatIsNew(page, 'Arrived without it')
      },
      {},
      (complaint) => complaint.includes('ERR_FAILED'),
    ))

  test('what is told while the page is fetched is fetched too, at once', () =>
    asOwner(async (page) => {
      await openList(page)
      const wire = await page.context().newCDPSession(page)
      await wire.send('Network.enable')
      const told = (): Promise<unknown> =>
        new Promise((resolve) => wire.once('Network.eventSourceMessageReceived', resolve))
      const answered = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      await page.route(
        (url) => url.pathname === LIST,
        async (route) => {
          const response = await route.fetch()
          answered.resolve()
          await release.promise
          await route.fulfill({ response })
        },
        { times: 1 },
      )
      await sendEvent(shop.dsn, messageEvent(Date.now(), 'Begins a fetch'))
      await answered.promise
      const second = told()
      await sendEvent(shop.dsn, messageEvent(Date.now(), 'Comes during the fetch'))
      await second
      // The page has heard of it, and has done what it does then.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      release.resolve()
      await page.getByRole('button', { name: /^2 new/ }).waitFor({ timeout: 20_000 })
    }))
})

describe('the pages', () => {
  test('go on by cursor and back, by the address alone', () =>
    asOwner(async (page) => {
      await openList(page, `${LIST}?sort=new`)
      const first = await rows(page).first().textContent()
      await page.getByRole('link', { name: 'Next' }).click()
      await page.waitForURL((url) => url.searchParams.has('cursor'))
      await page.waitForFunction((most) => document.querySelectorAll('tbody tr').length < most, PAGE_ROWS)
      await page.getByRole('link', { name: 'Previous' }).click()
      await page.waitForFunction((most) => document.querySelectorAll('tbody tr').length === most, PAGE_ROWS)
      assert.equal((await rows(page).first().textContent())?.slice(0, 20), first?.slice(0, 20))
    }))

  test('of an organization show the issues of all its projects, and search them', () =>
    asOwner(async (page) => {
      await openList(page, '/acme/issues')
      await page.getByRole('link', { name: 'Something of the API' }).waitFor()
      await page.getByRole('link', { name: name(4) }).waitFor()
      const box = page.getByRole('combobox', { name: 'Search issues' })
      await box.fill('project:')
      await page.getByRole('option', { name: /^api/ }).click()
      await page.keyboard.press('Enter')
      await page.getByText('1 issue', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Something of the API' }).click()
      await page.waitForURL((url) => url.pathname === '/acme/api/issues/API-1')
    }))
})
