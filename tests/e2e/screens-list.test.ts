/** The lists of issues in Chromium: searching, keys, and choosing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sondeJson } from '../harness/start-sonde.ts'
import {
  ISSUES,
  PAGE_ROWS,
  LIST,
  sonde,
  name,
  asOwner,
  rows,
  query,
  focused,
  openList,
  useListScreens,
} from './list-screens.ts'
import { signedInPlain } from './plain-page.ts'
import { becomes } from './screens-visit.ts'

useListScreens()

describe('the search', () => {
  test('is driven by the keyboard alone, and with a press', (t) =>
    asOwner(async (page) => {
      await openList(page)
      const box = page.getByRole('combobox', { name: 'Search issues' })
      await t.test('offers keys and values at the cursor, and stands in the address', async () => {
        await page.keyboard.press('/')
        assert.equal(await box.evaluate((element) => element === document.activeElement), true)
        await box.fill('is:unresolved lev')
        await page.getByRole('option', { name: /^level/ }).waitFor()
        assert.equal(await box.getAttribute('aria-expanded'), 'true')
        await page.keyboard.press('ArrowDown')
        const active = await box.getAttribute('aria-activedescendant')
        assert.match((await page.locator(`[id="${active}"]`).textContent()) ?? '', /^level/)
        await page.keyboard.press('Enter')
        await becomes(() => box.inputValue(), 'is:unresolved level:')
        await page.getByRole('option', { name: 'fatal' }).waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await becomes(() => box.inputValue(), 'is:unresolved level:fatal ')
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => url.searchParams.get('query')?.trim() === 'is:unresolved level:fatal')
        await page.getByText('1 issue', { exact: true }).waitFor()
        assert.equal(await rows(page).count(), 1)
        await page.goBack()
        await page.waitForFunction(
          (expected) => document.querySelectorAll('tbody tr').length === expected,
          PAGE_ROWS,
        )
        assert.equal(await box.inputValue(), 'is:unresolved')
      })
      await t.test('offers the values that events really have, with a press', async () => {
        await box.fill('region:')
        await page.getByRole('option', { name: /^eu-west-1/ }).click()
        await becomes(() => box.inputValue(), 'region:eu-west-1 ')
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        await page.getByText(`${Math.ceil(ISSUES / 2)} issues`, { exact: true }).waitFor()
      })
      await t.test('says what it cannot understand, and marks where', async () => {
        await box.fill('level:error is:nonsense x')
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        const alert = page.getByRole('alert')
        assert.match((await alert.textContent()) ?? '', /"is:nonsense" is not known \(at position 13\)/)
        await becomes(() => alert.locator('mark').textContent(), 'is:nonsense')
        await becomes(() => box.getAttribute('aria-invalid'), 'true')
        await becomes(() => box.inputValue(), 'level:error is:nonsense x')
      })
    }))

  test('takes two times in the zone of the reader or in UTC, says what is wrong, and keeps them', () =>
    asOwner(
      async (page) => {
        await openList(page)
        await page.getByLabel('Time: All time').click()
        const form = page.getByRole('form', { name: 'Custom range' })
        // The browser's own name for the zone: some have an older one for the same.
        const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
        await form.getByText(`Time zone: ${zone}`).waitFor()
        await form.getByLabel('From').fill('2027-01-02T10:00')
        await form.getByLabel('From').press('ArrowDown')
        await becomes(() => form.getByLabel('From').inputValue(), '2027-12-02T10:00')
        await form.getByLabel('From').fill('2026-01-02T10:00')
        await form.getByLabel('To').fill('2026-01-02T09:00')
        await form.getByRole('button', { name: 'Apply' }).click()
        await becomes(() => form.getByRole('alert').textContent(), 'The end must be after the start.')
        assert.equal(query(page).get('start'), null)
        await form.getByLabel('UTC').check()
        await becomes(() => form.getByLabel('From').inputValue(), '2026-01-02T06:00')
        await form.getByLabel('UTC').uncheck()
        await form.getByLabel('To').fill('2026-01-02T11:00')
        await form.getByRole('button', { name: 'Apply' }).click()
        await page.waitForURL((url) => url.searchParams.get('start') === '2026-01-02T06:00:00Z')
        assert.equal(query(page).get('end'), '2026-01-02T07:00:00Z')
        await form.waitFor({ state: 'hidden' })
        const opener = page.getByLabel('Time: 2026-01-02 06:00 – 2026-01-02 07:00 UTC')
        assert.equal(await opener.evaluate((element) => element === document.activeElement), true)
        await page.getByText('No matching issues').waitFor()
        await page.getByLabel('Sort by').selectOption('freq')
        await page.waitForURL((url) => url.searchParams.get('sort') === 'freq')
        assert.equal(query(page).get('start'), '2026-01-02T06:00:00Z')
        // Half an hour has a part of the issues, one a minute.
        const nowMs = Date.now()
        const at = (minutes: number): string => new Date(nowMs - minutes * 60_000).toISOString()
        await openList(page, `${LIST}?start=${at(30.5)}&end=${at(-60)}`)
        const shown = await rows(page).count()
        assert.ok(shown > 20 && shown <= 30, `${shown} issues within half an hour`)
      },
      { timezoneId: 'Asia/Dubai' },
    ))

  test('keeps environment and period of the address in every way to another list', () =>
    asOwner(async (page) => {
      await openList(page, `${LIST}?environment=staging&statsPeriod=24h`)
      assert.equal(await rows(page).count(), 5)
      await page.getByLabel('Sort by').selectOption('new')
      await page.waitForURL((url) => url.searchParams.get('sort') === 'new')
      await page.getByRole('link', { name: 'All', exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get('query') === '')
      assert.equal(query(page).get('environment'), 'staging')
      assert.equal(query(page).get('statsPeriod'), '24h')
      assert.equal(query(page).get('sort'), 'new')
      assert.equal(await rows(page).count(), 5)
    }))
})

describe('the keys', () => {
  test('move a cursor that is the focus, choose rows, and open an issue', () =>
    asOwner(async (page) => {
      await openList(page)
      await page.keyboard.press('j')
      assert.equal(await focused(page), name(0))
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      assert.equal(await focused(page), name(1))
      await page.keyboard.press('x')
      await page.getByText('1 selected').waitFor()
      assert.equal(await page.getByLabel('Select SHOP-').nth(1).isChecked(), true)
      // Tab goes on from the cursor: nobody is held.
      await page.keyboard.press('Tab')
      assert.equal(await focused(page), name(2))
      await page.keyboard.press('k')
      await page.keyboard.press('o')
      await page.getByRole('heading', { level: 1, name: name(1) }).waitFor()
      await page.goBack()
      await page.getByLabel('Select all on this page').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: name(0) }).waitFor()
    }))
})

describe('choosing', () => {
  test('changes one, a range or all that match, and takes it back', (t) =>
    asOwner(async (page) => {
      await openList(page)
      await t.test('one row by its key leaves the cursor on the row that follows', async () => {
        await page.keyboard.press('j')
        await page.keyboard.press('j')
        await page.keyboard.press('m')
        await page.getByText('1 issue ignored').waitFor()
        await page.waitForFunction(
          (expected) => document.activeElement?.closest('tr')?.textContent.includes(expected),
          name(2),
        )
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('link', { name: name(1) }).waitFor()
      })
      await t.test('a range with Shift', async () => {
        const boxes = page.getByLabel('Select SHOP-')
        await boxes.nth(1).click()
        await boxes.nth(4).click({ modifiers: ['Shift'] })
        await page.getByText('4 selected').waitFor()
        await page.getByRole('button', { name: 'Resolve' }).click()
        await page.getByText('4 issues resolved').waitFor()
        await page.getByText(`${PAGE_ROWS} of ${ISSUES - 4} issues`).waitFor()
        assert.equal(await page.getByRole('link', { name: name(1) }).count(), 0)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Undone for 4 issues').waitFor()
        await page.getByText(`${PAGE_ROWS} of ${ISSUES} issues`).waitFor()
        await rows(page).nth(1).getByText('new', { exact: true }).waitFor()
      })
      await t.test('all that match: asks first, and changes those on other pages too', async () => {
        await page.getByLabel('Select all on this page').click()
        await page.getByText(`${PAGE_ROWS} selected`).waitFor()
        await page.getByRole('button', { name: `Select all ${ISSUES} matching` }).click()
        await page.getByRole('button', { name: 'Resolve' }).click()
        const dialog = page.getByRole('dialog', { name: `Resolve all ${ISSUES} matching issues?` })
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await dialog.waitFor({ state: 'hidden' })
        assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Resolve')
        await page.getByRole('button', { name: 'Resolve' }).click()
        await dialog.getByRole('button', { name: 'Resolve all' }).click()
        await page.getByRole('heading', { name: 'No unresolved issue' }).waitFor()
        await page.getByText(`${ISSUES} issues resolved`).waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText(`${PAGE_ROWS} of ${ISSUES} issues`).waitFor()
      })
    }))

  test('works without JavaScript, the question and the way back included', async () => {
    const page = await signedInPlain(sonde.url)
    await page.goto(LIST)
    const labels = page.fields('Select SHOP-').map(({ element }) => element.getAttribute('aria-label') ?? '')
    for (const row of [0, 2]) page.check(labels[row] ?? '')
    await page.press('Ignore')
    page.shows('2 issues ignored')
    await page.press('Undo')
    page.shows('Undone for 2 issues')
    await page.press('Resolve')
    page.shows('Select at least one issue')
    page.check(`All ${ISSUES} matching issues`)
    await page.press('Resolve')
    page.shows(`Resolve all ${ISSUES} matching issues?`)
    await page.press('Resolve all')
    page.shows(`${ISSUES} issues resolved`)
    await page.press('Undo')
    page.shows(`Undone for ${ISSUES} issues`)
  })

  test('is for who may change issues: others have no boxes, and what they post is refused', async () => {
    const guest = { email: 'guest@example.com', password: 'only here to look' }
    const args = ['--org', 'acme', '--role', 'viewer', '--email', guest.email, '--password', guest.password]
    sondeJson(sonde.dataDir, ['user', 'create', ...args])
    const page = await signedInPlain(sonde.url, guest)
    await page.goto(LIST)
    assert.equal(page.links(name(0)).length, 1)
    assert.equal(page.parts('input[type=checkbox]').length, 0)
    const refused = await fetch(sonde.url + LIST, {
      method: 'POST',
      headers: { cookie: page.cookie(), origin: sonde.url },
      body: new URLSearchParams({ status: 'resolved', all: '1', confirmed: '1' }),
    })
    assert.equal(refused.status, 403)
  })
})
