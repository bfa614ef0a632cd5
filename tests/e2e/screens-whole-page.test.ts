/** What a long event leaves out at first is there for who has no JavaScript, and for who presses. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FilledSonde, SCREENS, startFilledSonde } from './all-screens.ts'

const LARGE = SCREENS['a large issue'] ?? ''

let filled: FilledSonde
before(async () => {
  filled = await startFilledSonde()
})
after(async () => {
  assert.equal(await filled?.close(), 0)
})

test('without JavaScript a link shows all breadcrumbs, all frames and what is folded', () =>
  filled.look(LARGE, { javaScriptEnabled: false }, async (page) => {
    const crumbs = page.locator('.crumb-table tbody tr')
    assert.equal(await crumbs.count(), 15)
    await page.getByRole('link', { name: /earlier ones$/ }).click()
    assert.equal(new URL(page.url()).hash, '#breadcrumbs')
    await crumbs.nth(99).waitFor()
    assert.ok((await page.locator('#exception-0 .frame-name').count()) >= 250)
    const oldest = page.locator('#exception-0 details.frame-ours').last()
    await oldest.locator('summary').first().click()
    await oldest.getByText('raise ValueError').first().waitFor()
  }))

test('breadcrumbs are turned around, and the browser remembers it', () =>
  filled.look(LARGE, {}, async (page) => {
    const first = page.locator('.crumb-table tbody tr').first()
    await first.getByText('step 99 of the import').waitFor()
    await page.getByRole('button', { name: 'Oldest first' }).click()
    await first.getByText('step 85 of the import').waitFor()
    await page.getByRole('button', { name: /earlier ones$/ }).click()
    await first.getByText('step 0 of the import').waitFor()
    await page.reload()
    await first.getByText('step 85 of the import').waitFor()
  }))

test('sections of a long event are one press away', () =>
  filled.look(LARGE, {}, async (page) => {
    await page.getByRole('navigation', { name: 'Sections of the event' }).getByText('Breadcrumbs').click()
    assert.equal(new URL(page.url()).hash, '#breadcrumbs')
    const top = await page.locator('#breadcrumbs').evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(top >= 0 && top < 300, `${top} px from the top`)
  }))
