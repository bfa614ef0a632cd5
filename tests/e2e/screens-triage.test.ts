/** Whose an issue is and what else is said about it, in Chromium: by keyboard, on a phone's width, without JavaScript. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { asOwner, focused, LIST, name, openList, rows, useListScreens } from './list-screens.ts'
import { becomes } from './screens-visit.ts'

useListScreens()

/** The button of the message that says it: those of earlier changes are still shown, and the new one comes after them. */
const undo = (page: Page, hasText: string) =>
  page.locator('.toast', { hasText }).getByRole('button', { name: 'Undo' }).click()

const PHONE = { viewport: { width: 360, height: 740 } }

describe('assigning', () => {
  test('by keys alone: in the list, taken back, and on the issue', (t) =>
    asOwner(async (page) => {
      await openList(page)
      const first = rows(page).first()
      await t.test('the row of the cursor', async () => {
        await page.keyboard.press('j')
        await becomes(() => focused(page), name(0))
        await page.keyboard.press('a')
        const toMe = page.getByRole('button', { name: 'Assign to me' })
        await toMe.waitFor()
        await page.keyboard.press('ArrowDown')
        await becomes(() => toMe.evaluate((element) => element === document.activeElement), true)
        await page.keyboard.press('Enter')
        await page.getByText('1 issue assigned to you').waitFor()
        await becomes(() => focused(page), name(0))
        await first.locator('.col-assignee .assignee').waitFor()
      })
      await t.test('is found, and taken back', async () => {
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Undone for 1 issue').waitFor()
        await becomes(() => first.locator('.assignee').count(), 0)
      })
      await t.test('all that match, after a question', async () => {
        await page.goto(`${LIST}?query=is%3Aunassigned`)
        await page.getByLabel('Select all on this page').check()
        await page.getByRole('button', { name: /^Select all 57/ }).click()
        await page.getByLabel('Assign', { exact: true }).click()
        await page.getByRole('button', { name: 'Assign to me' }).click()
        await page.getByRole('heading', { name: 'Assign all 57 matching issues to you?' }).waitFor()
        await page.getByRole('button', { name: 'Assign all' }).click()
        await page.getByText('57 issues assigned to you').waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Undone for 57 issues').waitFor()
      })
      await t.test('the issue', async () => {
        await page.goto(LIST)
        await page.getByText(name(2)).click()
        await page.waitForURL(/SHOP-\d+$/)
        await page.getByLabel('Assign (a)').waitFor()
        await page.keyboard.press('a')
        await page.getByRole('button', { name: 'Assign to me' }).waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        const assigned = page.getByLabel(/^Assigned to .*\(a\)$/)
        await assigned.waitFor()
        await page.keyboard.press('a')
        await page.getByRole('button', { name: 'Unassign' }).click()
        await page.getByLabel('Assign (a)').waitFor()
      })
    }))

  test('without JavaScript an address is typed, and a stranger is refused', () =>
    asOwner(
      async (page) => {
        await page.goto(LIST)
        await page.getByText(name(4)).click()
        const menu = page.locator('.assign-menu')
        await menu.locator('summary').click()
        await menu.getByRole('textbox').fill('eve@elsewhere.test')
        await menu.getByRole('button', { name: 'Assign', exact: true }).click()
        await page
          .getByRole('alert')
          .getByText(/"eve@elsewhere.test" is no member and no team/)
          .waitFor()
        await menu.locator('summary').click()
        await menu.getByRole('button', { name: 'Assign to me' }).click()
        await page.getByText(/Assigned to you\./).waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Change undone.').waitFor()
        assert.equal(await menu.locator('.assignee').count(), 0)
      },
      { javaScriptEnabled: false },
      (complaint) => complaint.includes('422'),
    ))

  test('on a phone’s width the name stands below the title', () =>
    asOwner(async (page) => {
      await openList(page)
      await page
        .getByLabel(/^Select SHOP-/)
        .first()
        .check()
      await page.getByLabel('Assign', { exact: true }).click()
      await page.getByRole('button', { name: 'Assign to me' }).click()
      await rows(page).first().locator('.meta-assignee').waitFor()
      assert.equal(await rows(page).first().locator('.col-assignee').isVisible(), false)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.ok(wider <= 0, `${wider} px wider than the window`)
    }, PHONE))
})

describe('ignoring until a date', () => {
  test('by the clock of the profile, which the field names; what is over is refused', (t) =>
    asOwner(
      async (page) => {
        await page.goto('/settings/account')
        const before = await page.locator('[name=timeZone]').inputValue()
        const setZone = async (zone: string): Promise<void> => {
          await page.goto('/settings/account')
          await page.locator('[name=timeZone]').fill(zone)
          await page
            .locator('form', { has: page.locator('[name=timeZone]') })
            .getByRole('button')
            .click()
          await page.getByText('Profile saved.').waitFor()
        }
        await setZone('Pacific/Kiritimati')
        await page.goto(LIST)
        await page.getByText(name(11)).click()
        await page.waitForURL(/SHOP-\d+$/)
        const menu = page.locator('.archive-menu')
        const choose = async (at: string): Promise<void> => {
          await menu.locator('summary').click()
          await menu.getByText('(Pacific/Kiritimati)').waitFor()
          await menu
            .getByLabel(/^Until/)
            .first()
            .fill(at)
          await menu.getByRole('button', { name: 'Ignore until that time' }).click()
        }
        await t.test('a time that is over', async () => {
          await choose('2020-01-01T10:00')
          await page
            .getByRole('alert')
            .getByText(/still to come/)
            .waitFor()
        })
        await t.test('and one to come', async () => {
          await choose('2060-06-15T10:00')
          await page.getByText('until 2060-06-15 10:00:00 +14:00').waitFor()
          await page.getByText(/Ignored until 2060-06-14 20:00 UTC/).waitFor()
          await page.getByRole('button', { name: 'Undo' }).click()
          await becomes(() => page.locator('.archive-menu').count(), 1)
        })
        await setZone(before)
      },
      {},
      (complaint) => complaint.includes('422'),
    ))
})

describe('what else is said of issues', () => {
  test('on the issue: review, priority, bookmark, and ignoring until so much more came', (t) =>
    asOwner(async (page) => {
      await page.goto(LIST)
      await page.getByText(name(6)).click()
      await page.waitForURL(/SHOP-\d+$/)
      const notice = (text: string) => page.getByText(text).waitFor()
      await t.test('is reviewed by a key', async () => {
        await page.getByRole('button', { name: 'Mark reviewed' }).waitFor()
        await page.keyboard.press('r')
        await notice('Marked as reviewed.')
        await becomes(() => page.getByRole('button', { name: 'Mark reviewed' }).count(), 0)
      })
      await t.test('is bookmarked, which subscribes', async () => {
        await page.getByRole('button', { name: 'Bookmark' }).click()
        await becomes(
          () => page.getByRole('button', { name: 'Subscribe' }).getAttribute('aria-pressed'),
          'true',
        )
      })
      await t.test('has a priority that can be taken back', async () => {
        await page.getByLabel('Priority: medium').click()
        await page.getByRole('button', { name: 'High priority' }).click()
        await page.getByLabel('Priority: high, set by hand').waitFor()
        await undo(page, 'Set to high priority.')
        await page.getByLabel('Priority: medium').waitFor()
      })
      await t.test('is ignored until ten more users came', async () => {
        await page.getByLabel('Ignore until…').click()
        await page.getByLabel('Of what').selectOption('users')
        await page.getByLabel('Within').selectOption('1440')
        await page.getByRole('button', { name: 'Ignore until then' }).click()
        await page.getByText('until 10 more users within 1 day').waitFor()
        await page.getByRole('button', { name: 'Reopen' }).click()
        await notice('Reopened.')
      })
    }))

  test('in the list: tabs, and chosen issues at once', (t) =>
    asOwner(async (page) => {
      await openList(page)
      await t.test('for review are those that nobody has reviewed', async () => {
        await page.getByRole('link', { name: 'For review' }).click()
        await page.getByText('56 issues').first().waitFor()
        await page.keyboard.press('j')
        await page.keyboard.press('r')
        await page.getByText('1 issue marked as reviewed').waitFor()
        await page.getByText('55 issues').first().waitFor()
      })
      await t.test('some get a priority, and stand first', async () => {
        await page.goto(`${LIST}?sort=priority`)
        await page.getByLabel('Select all on this page').waitFor()
        const third = rows(page).nth(2)
        const title = await third.locator('.issue-name').textContent()
        await third.getByRole('checkbox').check()
        await page.getByLabel('More actions').click()
        await page.getByRole('button', { name: 'High priority' }).click()
        await page.getByText('1 issue set to high priority').waitFor()
        await becomes(() => rows(page).first().locator('.issue-name').textContent(), title)
      })
      await t.test('all of a search are ignored for a day, and brought back', async () => {
        await page.goto(`${LIST}?query=is%3Aunresolved+level%3Afatal`)
        await page.getByLabel('Select all on this page').check()
        await page.getByLabel('Ignore until…').click()
        await page.getByRole('button', { name: 'For a day' }).click()
        await undo(page, '1 issue ignored until it is time')
        await page.getByText('Undone for 1 issue').waitFor()
      })
      await t.test('bookmarks are found', async () => {
        await page.goto(`${LIST}?query=is%3Abookmarked`)
        await page.getByText('1 issue', { exact: true }).waitFor()
        assert.equal(await rows(page).first().locator('.issue-name').textContent(), name(6))
      })
    }))
})
