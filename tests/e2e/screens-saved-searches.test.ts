/** Saved searches in Chromium: saved from the list, chosen by keys, changed, deleted and had back; on a phone's width; without JavaScript. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { asOwner, LIST, openList, query, rows, sonde, useListScreens } from './list-screens.ts'
import { becomes } from './screens-visit.ts'

useListScreens()

const PHONE = { viewport: { width: 390, height: 800 } }
const LONG = 'Everything that broke in the checkout of the shop since the last release of the year 2026'
const ORG_LIST = '/acme/issues'
const menu = (page: Page) => page.locator('.saved-search-menu')
const shownName = (page: Page): Promise<string> => menu(page).locator('.saved-search-name').innerText()
const item = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const widerBy = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

async function save(page: Page, list: string, search: string, name: string, isShared = false): Promise<void> {
  await page.goto(`${list}?query=${encodeURIComponent(search)}&sort=freq`)
  await menu(page).locator('summary').click()
  await page.getByRole('link', { name: 'Save this search…' }).click()
  await page.getByLabel('Name', { exact: true }).first().fill(name)
  if (isShared) await page.getByLabel('For', { exact: true }).selectOption('organization')
  await page.getByRole('button', { name: 'Save search' }).click()
  await becomes(() => shownName(page), name)
}

describe('saved searches', () => {
  test('one is saved from a project’s list, found by keys in all others, and opens the list as the default', (t) =>
    asOwner(async (page) => {
      await t.test('is saved with its search and order', async () => {
        await save(page, LIST, 'level:fatal', 'Fatal ones')
        assert.equal(new URL(page.url()).pathname, LIST)
        assert.deepEqual([query(page).get('query'), query(page).get('sort')], ['level:fatal', 'freq'])
        await becomes(() => rows(page).count(), 1)
      })
      await t.test('is chosen by keys alone over all projects', async () => {
        await openList(page, ORG_LIST)
        await page.keyboard.press('v')
        const field = page.getByLabel('Filter searches')
        await field.waitFor()
        await becomes(() => field.evaluate((element) => element === document.activeElement), true)
        await page.keyboard.type('fatal on')
        await page.keyboard.press('Enter')
        await becomes(() => shownName(page), 'Fatal ones')
        assert.equal(new URL(page.url()).pathname, ORG_LIST)
        await becomes(() => rows(page).count(), 1)
      })
      await t.test('opens the list, whose other tabs still lead where they say', async () => {
        await menu(page).locator('summary').click()
        await page.getByRole('button', { name: 'Open the list with it' }).click()
        await page.waitForURL((url) => url.pathname === ORG_LIST && url.search === '')
        await becomes(() => shownName(page), 'Fatal ones')
        await page.goto(LIST)
        await becomes(() => rows(page).count(), 1)
        await page.getByRole('navigation', { name: 'Status' }).getByText('Unresolved').click()
        await page.waitForURL((url) => url.searchParams.get('query')?.startsWith('is:unresolved') === true)
        await page.goto(`${LIST}?query=is%3Aunresolved`)
        await becomes(() => rows(page).count(), 50)
      })
      await t.test('and no longer', async () => {
        await menu(page).locator('summary').click()
        await page.getByRole('button', { name: /No longer open the list with/ }).click()
        await page.waitForURL((url) => url.pathname === LIST && url.search === '')
        await becomes(() => rows(page).count(), 50)
        await becomes(() => shownName(page), 'Saved searches')
      })
    }))

  test('are renamed, pinned in an order, deleted and had back', (t) =>
    asOwner(
      async (page) => {
        await save(page, LIST, 'region:eu-west-1', 'Europe', true)
        await save(page, LIST, 'region:us-east-1', 'America')
        await menu(page).locator('summary').click()
        await page.getByRole('link', { name: 'Manage saved searches' }).click()
        await page.getByRole('heading', { name: 'Saved searches' }).waitFor()
        await t.test('renamed; a name that is taken is refused beside its field', async () => {
          const own = item(page, 'America').last()
          await own.getByText('Rename or change').click()
          await own.getByLabel('Name').fill('Fatal ones')
          await own.getByRole('button', { name: 'Save changes' }).click()
          await own.getByText('is taken by another saved search').waitFor()
          await own.getByLabel('Name').fill('The Americas')
          await own.getByRole('button', { name: 'Save changes' }).click()
          await page.getByRole('status').getByText('Saved search changed.').waitFor()
        })
        await t.test('pinned in an order', async () => {
          await page.getByRole('button', { name: 'Pin: Europe' }).click()
          await page.getByRole('button', { name: 'Unpin: Europe' }).waitFor()
          await page.getByRole('button', { name: 'Pin: The Americas' }).click()
          await page.getByRole('button', { name: 'Move up: The Americas' }).click()
          const pinned = page.getByRole('list', { name: 'Pinned: saved searches' })
          await becomes(
            () => pinned.locator('.account-item > p:first-child a').allInnerTexts(),
            ['The Americas', 'Europe'],
          )
        })
        await t.test('deleted and had back', async () => {
          await page.getByRole('button', { name: 'Delete: Europe' }).click()
          await page.getByRole('status').getByText('Saved search deleted.').waitFor()
          await becomes(() => page.getByRole('button', { name: 'Delete: Europe' }).count(), 0)
          await page.getByRole('button', { name: 'Undo' }).click()
          await page.getByRole('button', { name: 'Unpin: Europe' }).waitFor()
        })
      },
      {},
      (complaint) => complaint.includes('422'),
    ))

  test('on a phone’s width long names stay within the window, in the list and where they are kept', () =>
    asOwner(async (page) => {
      await save(page, LIST, 'level:error', LONG, true)
      assert.ok((await widerBy(page)) <= 0, 'the list is wider than the window')
      await menu(page).locator('summary').click()
      await page.getByRole('link', { name: LONG }).waitFor()
      const panel = await menu(page).locator('.menu-panel').boundingBox()
      assert.ok(panel && panel.x >= 0 && panel.x + panel.width <= 390, JSON.stringify(panel))
      await page.getByRole('link', { name: 'Manage saved searches' }).click()
      await page.getByRole('heading', { name: 'Saved searches' }).waitFor()
      assert.ok((await widerBy(page)) <= 0, 'the screen is wider than the window')
    }, PHONE))

  test('without JavaScript, and one that cannot be read says so', () =>
    asOwner(
      async (page) => {
        await page.goto('/acme/issues/searches?query=level%3Ainfo')
        await page.getByLabel('Name', { exact: true }).first().fill('Plain')
        await page.getByLabel('Search', { exact: true }).first().fill('level:[a')
        await page.getByRole('button', { name: 'Save search' }).click()
        await page.locator('#save-query-error').waitFor()
        await page.getByLabel('Search', { exact: true }).first().fill('level:info')
        await page.getByRole('button', { name: 'Save search' }).click()
        await becomes(() => shownName(page), 'Plain')
        // As one whose word a later version does not know any more.
        const records = new DatabaseSync(join(sonde.dataDir, 'records.sqlite'))
        records.exec(
          `PRAGMA busy_timeout = 10000; UPDATE saved_search SET query = 'is:nonsense' WHERE name = 'Plain'`,
        )
        records.close()
        await page.goto('/acme/issues/searches')
        await item(page, 'Plain')
          .getByText(/can’t be read any more/)
          .waitFor()
        await page.getByRole('button', { name: 'Delete: Plain' }).click()
        await page.getByText('Saved search deleted.').waitFor()
      },
      { javaScriptEnabled: false },
      (complaint) => complaint.includes('422'),
    ))
})
