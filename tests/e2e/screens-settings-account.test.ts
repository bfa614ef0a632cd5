/** One's own account: in Chromium, and by its forms alone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OWNER } from '../harness/start-sonde.ts'
import { signedInPlain } from './plain-page.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { hydrated } from './screens-visit.ts'

const screens = useSignedInScreens()

describe('the account', () => {
  test('is reached from the menu; a token is shown once, works, and ends', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme')
      await page.getByLabel(/^Account/).click()
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
      await page.getByLabel('New token').fill('Release script')
      await page.getByLabel('org:read').check()
      await page.locator('#token-password').fill('not my password')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('this is not your current password').waitFor()
      await page.locator('#token-password').fill(OWNER.password)
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('It won’t be shown again').waitFor()
      const token = (await page.locator('.saved-notice code').textContent()) ?? ''
      const ask = () =>
        fetch(`${screens.sonde.url}/api/0/organizations/`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal((await ask()).status, 200)
      await page.reload()
      await page.getByText('Created in the last 7 days: Release script').waitFor()
      await page.getByText(/created .* last used .* expires 20\d\d-/).waitFor()
      await page.getByLabel('Delete Release script').click()
      assert.equal((await page.content()).includes(token), false)
      await page.getByRole('button', { name: 'Delete token Release script' }).click()
      await page.getByText('Token deleted.').waitFor()
      assert.equal((await ask()).status, 401)
      await page.locator('#build-token-life').selectOption('never')
      await page.locator('#build-token-password').fill(OWNER.password)
      await page.getByRole('button', { name: 'Create build token' }).click()
      await page.getByText('It won’t be shown again').waitFor()
      assert.match((await page.locator('.saved-notice code').textContent()) ?? '', /^sntrys_/)
    }))

  test('its time zone is that of the times on every screen, at once and after a reload', () =>
    screens.asOwner(
      async (page) => {
        const inZone = page.locator('main time[title*="+05:45"]')
        const others = page.locator('main time:not([title*="+05:45"])')
        const save = async (timeZone: string): Promise<void> => {
          await page.goto('/settings/account')
          await hydrated(page)
          await page.getByLabel('Time zone').fill(timeZone)
          await page.getByRole('button', { name: 'Save profile' }).click()
          await page.getByText('Profile saved.').waitFor()
        }
        await save('Asia/Kathmandu')
        await inZone.first().waitFor()
        assert.equal(await others.count(), 0, 'in the tab where it was saved')
        for (const path of ['/settings/account', '/acme/settings/audit']) {
          await page.goto(path)
          await hydrated(page)
          await inZone.first().waitFor()
          assert.equal(await others.count(), 0, path)
        }
        await save('')
      },
      { timezoneId: 'UTC' },
    ))

  test('is in the palette', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme')
      await page.getByRole('button', { name: 'Search or jump to…' }).click()
      await page.getByRole('combobox').fill('two-factor')
      await page.getByRole('option', { name: /^Account/, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/settings/account')
    }))

  test('without JavaScript: name and sessions are changed, and a new password takes the place of the old', async () => {
    const page = await signedInPlain(screens.sonde.url)
    const other = await signedInPlain(screens.sonde.url)
    await page.goto('/settings/account')
    page.fill('Name', 'Ada')
    await page.press('Save profile')
    page.shows('Profile saved.')
    await page.press('Sign out all other sessions')
    page.shows('All other sessions signed out.')
    await other.goto('/acme')
    assert.equal(other.url.pathname, '/sign-in')

    page.fill('Current password', 'not my password')
    page.fill('New password', 'another password 1')
    await page.press('Change password')
    page.shows('this is not your current password')
    page.fill('Current password', OWNER.password)
    page.fill('New password', 'another password 1')
    await page.press('Change password')
    page.shows('Password changed.')
    const again = { email: OWNER.email, password: 'another password 1' }
    assert.equal((await signedInPlain(screens.sonde.url, again)).status, 200)
  })
})
