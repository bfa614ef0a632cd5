/** Finding one's way in a long event. */
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
