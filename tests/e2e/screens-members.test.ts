/** Members and tokens of an organization, in Chromium. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { OWNER, sondeJson } from '../harness/start-sonde.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'
import { signIn, visit } from './screens-visit.ts'

const PASSWORD = 'another password 1'
const screens = useSignedInScreens()

describe('members and tokens', () => {
  const emailOf = (name: string): string => `${name}@example.com`
  const add = (name: string, role: string): void => {
    const args = ['--org', 'acme', '--email', emailOf(name), '--name', name, '--role', role]
    sondeJson(screens.sonde.dataDir, ['user', 'create', ...args, '--password', PASSWORD])
  }
  const asPerson = async (name: string, run: (page: Page) => Promise<void>): Promise<void> => {
    const { page, close } = await visit(screens.browser, screens.sonde.url)
    try {
      await page.goto('/sign-in')
      await signIn(page, { email: emailOf(name), password: PASSWORD })
      await page.waitForURL((url) => url.pathname !== '/sign-in')
      await run(page)
    } finally {
      await close()
    }
  }
  const settings = async (page: Page): Promise<void> => {
    await page.goto('/acme/settings')
    await page.getByRole('heading', { level: 1, name: /members and tokens/ }).waitFor()
  }
  const lineOf = (page: Page, name: string) =>
    page
      .getByRole('list', { name: 'Members' })
      .getByRole('listitem')
      .filter({ hasText: emailOf(name) })
  before(() => {
    add('vera', 'viewer')
    add('adam', 'admin')
  })

  for (const [how, javaScriptEnabled] of WAYS)
    test(`${how}: a role is changed, and who is removed is out at the next click`, async () => {
      const name = javaScriptEnabled ? 'with-scripts' : 'plain'
      add(name, 'member')
      await asPerson(name, async (theirs) => {
        await theirs.goto('/acme')
        await theirs.getByRole('heading', { level: 1 }).waitFor()
        await screens.asOwner(
          async (page) => {
            await settings(page)
            const line = lineOf(page, name)
            await line.getByText(/two-factor off · last seen .* · added /).waitFor()
            await line.getByLabel(`Change role of ${name}`, { exact: true }).click()
            await line.getByLabel('Role', { exact: true }).selectOption('viewer')
            await line.getByRole('button', { name: `Save role of ${name}` }).click()
            await page.getByText('Role changed.').waitFor()
            await line.getByText('viewer', { exact: true }).first().waitFor()
            await line.getByLabel(`Remove ${name}`, { exact: true }).click()
            await line.getByRole('button', { name: `Remove member ${name}` }).click()
            await page.getByText('Member removed').waitFor()
            assert.equal(await lineOf(page, name).count(), 0)
          },
          { javaScriptEnabled },
        )
        const answer = await theirs.goto('/acme/shop/issues')
        assert.equal(answer?.status(), 404)
      })
    })

  for (const [how, javaScriptEnabled] of WAYS)
    test(`${how}: a token of the organization is shown once, works, and ends for everybody`, () =>
      screens.asOwner(
        async (page) => {
          await settings(page)
          await page.getByLabel('New organization token').fill('Nightly build')
          await page.getByLabel('org:read').check()
          await page.getByLabel('Expires').selectOption('30')
          await page.getByLabel('Confirm your password').fill('not my password')
          await page.getByRole('button', { name: 'Create token' }).click()
          await page.getByText('this is not your current password').waitFor()
          assert.equal(await page.getByLabel('New organization token').inputValue(), 'Nightly build')
          assert.equal(await page.getByLabel('Expires').inputValue(), '30')
          await page.getByLabel('Confirm your password').fill(OWNER.password)
          if (!javaScriptEnabled) await page.getByLabel('org:read').check()
          await page.getByRole('button', { name: 'Create token' }).click()
          await page.getByText('It won’t be shown again').waitFor()
          const token = (await page.locator('.saved-notice code').textContent()) ?? ''
          const ask = async (): Promise<number> => {
            const headers = { authorization: `Bearer ${token}` }
            return (await fetch(`${screens.sonde.url}/api/0/organizations/acme/`, { headers })).status
          }
          assert.equal(await ask(), 200)
          await settings(page)
          assert.ok(!(await page.content()).includes(token))
          const list = page.getByRole('list', { name: 'Tokens' })
          await list
            .getByText(/event:read.* created .* by owner · last used .* · expires 20\d\d-\d\d-\d\d/)
            .waitFor()
          await list.getByLabel('Delete Nightly build', { exact: true }).click()
          await list.getByRole('button', { name: 'Delete token Nightly build' }).click()
          await page.getByText('Token deleted.').waitFor()
          assert.equal(await ask(), 401)
        },
        { javaScriptEnabled },
      ))

  test('a token without an end is made only after an owner allows it', () =>
    screens.asOwner(async (page) => {
      await settings(page)
      const make = async (): Promise<void> => {
        await page.getByLabel('New organization token').fill('For ever')
        await page.getByLabel('Expires').selectOption('never')
        await page.getByLabel('Confirm your password').fill(OWNER.password)
        await page.getByRole('button', { name: 'Create token' }).click()
      }
      await make()
      await page.getByText('tokens of acme expire within a year').waitFor()
      await page.getByRole('button', { name: 'Allow tokens that never expire' }).click()
      await page.getByText('New tokens may now be created without an expiration date').waitFor()
      await make()
      await page.getByText('It won’t be shown again').waitFor()
      await settings(page)
      await page.getByText(/never used · does not expire/).waitFor()
    }))

  test('the last owner cannot be touched, and owners are touched by owners alone', async () => {
    await screens.asOwner(async (page) => {
      await settings(page)
      const own = lineOf(page, 'owner')
      await own.getByText('Last owner').waitFor()
      assert.equal(await own.getByText('Remove').count(), 0)
      assert.equal(await lineOf(page, 'adam').getByText('Remove', { exact: true }).count(), 1)
    })
    await asPerson('adam', async (page) => {
      await settings(page)
      assert.equal(await lineOf(page, 'owner').getByText('Role', { exact: true }).count(), 0)
      await lineOf(page, 'vera').getByLabel('Change role of vera', { exact: true }).click()
      const offered = await lineOf(page, 'vera').getByLabel('Role', { exact: true }).locator('option').count()
      assert.equal(offered, 3)
      assert.equal(await page.getByText('Token expiration').count(), 0)
    })
  })

  test('a viewer sees who is there, and nothing to change; no tokens', () =>
    asPerson('vera', async (page) => {
      await page.goto('/acme')
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('heading', { level: 1, name: /members and tokens/ }).waitFor()
      await lineOf(page, 'adam').waitFor()
      await page.getByText('Only admins and owners can see organization tokens.').waitFor()
      assert.equal(await page.locator('main form').count(), 0)
    }))

  test('is in the palette', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme')
      await page.getByRole('button', { name: 'Search or jump to…' }).click()
      await page.getByRole('combobox').fill('members')
      await page.getByRole('option', { name: /Members and tokens of acme/, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/acme/settings')
    }))
})
