/** One's own account, in Chromium. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OWNER } from '../harness/start-sonde.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { signIn, visit, visitSignedIn } from './screens-visit.ts'

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

  test('is in the palette', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme')
      await page.getByRole('button', { name: 'Search or jump to…' }).click()
      await page.getByRole('combobox').fill('two-factor')
      await page.getByRole('option', { name: /^Account/, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/settings/account')
    }))

  test('without JavaScript: name and sessions are changed, and a new password takes the place of the old', () =>
    screens.asOwner(
      async (page) => {
        const other = await visitSignedIn(screens.browser, screens.sonde.url)
        await page.goto('/settings/account')
        await page.getByLabel('Name', { exact: true }).fill('Ada')
        await page.getByRole('button', { name: 'Save name' }).click()
        await page.getByText('Name saved.').waitFor()
        await page.getByRole('button', { name: 'Sign out all other sessions' }).click()
        await page.getByText('All other sessions signed out.').waitFor()
        await other.page.goto('/acme')
        assert.equal(new URL(other.page.url()).pathname, '/sign-in')
        await other.close()

        await page.getByLabel('Current password').fill('not my password')
        await page.getByLabel('New password').fill('another password 1')
        await page.getByRole('button', { name: 'Change password' }).click()
        await page.getByText('this is not your current password').waitFor()
        await page.getByLabel('Current password').fill(OWNER.password)
        await page.getByLabel('New password').fill('another password 1')
        await page.getByRole('button', { name: 'Change password' }).click()
        await page.getByText('Password changed.').waitFor()
        const again = await visit(screens.browser, screens.sonde.url)
        await again.page.goto('/sign-in')
        await signIn(again.page, { email: OWNER.email, password: 'another password 1' })
        await again.page.waitForURL((url) => url.pathname !== '/sign-in')
        await again.close()
      },
      { javaScriptEnabled: false },
    ))
})
