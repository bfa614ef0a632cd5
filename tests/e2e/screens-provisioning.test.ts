/** Provisioning by SCIM in Chromium: an owner creates the token, a directory uses it, it is replaced and turned off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { OWNER } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const screens = useSignedInScreens()
const SETTINGS = '/acme/settings/single-sign-on'
const LONG = `${'a-name-without-any-space'.repeat(5)}@elsewhere.example`

const ask = async (token: string, method: string, path: string, body?: object) =>
  (
    await fetch(`${screens.sonde.url}/api/0/organizations/acme/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  ).status

/** By the button that says so; the token is shown once. */
async function makeToken(page: Page, button: string): Promise<string> {
  await page.getByLabel('Confirm your password').fill(OWNER.password)
  await page.getByRole('button', { name: button }).click()
  const shown = page.locator('#scim code', { hasText: /^sonde_scim_[\w-]{43}$/ })
  const token = (await shown.textContent()) ?? ''
  await inEveryLook(page)
  await page.reload()
  await page.getByText('token created').waitFor()
  assert.ok(!(await page.content()).includes(token))
  return token
}

test('an owner creates the SCIM token, sees it used and who waits, replaces it, and turns it off', () =>
  screens.asOwner(async (page) => {
    await page.goto(SETTINGS)
    const provisioning = page.locator('#scim')
    await provisioning.getByText('off', { exact: true }).waitFor()
    await provisioning.getByText(`${screens.sonde.url}/api/0/organizations/acme/scim/v2`).waitFor()
    await page.getByLabel('Confirm your password').fill('not the password')
    await page.getByRole('button', { name: 'Create a token' }).click()
    await provisioning.locator('.field-error').waitFor()
    await inEveryLook(page)
    const first = await makeToken(page, 'Create a token')
    await provisioning.getByText('never used').waitFor()

    assert.equal(await ask(first, 'POST', '/Users', { userName: LONG }), 201)
    await page.reload()
    await provisioning.getByText('POST /Users').waitFor()
    await provisioning.getByText('1 person of the directory').waitFor()
    await provisioning.getByText('1 person waits for an account').waitFor()
    await provisioning.getByText(LONG).waitFor()
    await inEveryLook(page)

    await provisioning.getByText('Replace the token').first().focus()
    await page.keyboard.press('Enter')
    const second = await makeToken(page, 'Replace the token')
    assert.notEqual(second, first)
    assert.deepEqual([await ask(first, 'GET', '/Users'), await ask(second, 'GET', '/Users')], [401, 200])

    await page.getByRole('button', { name: 'Turn provisioning off' }).click()
    await page.getByText('Provisioning is off. People and teams stay as they are.').waitFor()
    assert.equal(await ask(second, 'GET', '/Users'), 401)
    await page.goto('/acme/settings/audit?action=scim.*')
    for (const action of ['scim.token', 'scim.use', 'scim.user-create', 'scim.off'])
      await page.locator('code', { hasText: action }).first().waitFor()
  }))
