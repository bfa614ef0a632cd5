/** Members and tokens of an organization: in Chromium, and by the HTML and the forms alone. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { OWNER, sondeJson } from '../harness/start-sonde.ts'
import { type PlainPage, type PlainPart, signedInPlain } from './plain-page.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const PASSWORD = 'another password 1'
const screens = useSignedInScreens()

describe('members and tokens', () => {
  const emailOf = (name: string): string => `${name}@example.com`
  const add = (name: string, role: string): void => {
    const args = ['--org', 'acme', '--email', emailOf(name), '--name', name, '--role', role]
    sondeJson(screens.sonde.dataDir, ['user', 'create', ...args, '--password', PASSWORD])
  }
  const asPerson = (name: string): Promise<PlainPage> =>
    signedInPlain(screens.sonde.url, { email: emailOf(name), password: PASSWORD })
  const plainSettings = async (page: PlainPage): Promise<void> => {
    await page.goto('/acme/settings')
    assert.match(page.part('h1').text, /members and tokens/)
  }
  const plainLine = (page: PlainPage, name: string): PlainPart =>
    page.part('ul[aria-label=Members] > li', emailOf(name))
  const settings = async (page: Page): Promise<void> => {
    await page.goto('/acme/settings')
    await page.getByRole('heading', { level: 1, name: /members and tokens/ }).waitFor()
  }
  const lineOf = (page: Page, name: string) =>
    page
      .getByRole('list', { name: 'Members' })
      .getByRole('listitem')
      .filter({ hasText: emailOf(name) })
  let plain: PlainPage
  before(async () => {
    add('vera', 'viewer')
    add('adam', 'admin')
    plain = await signedInPlain(screens.sonde.url)
  })

  test('a role is changed, and who is removed is out at the next click', async () => {
    const name = 'with-scripts'
    add(name, 'member')
    const theirs = await asPerson(name)
    assert.equal(await theirs.goto('/acme'), 200)
    await screens.asOwner(async (page) => {
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
    })
    assert.equal(await theirs.goto('/acme/shop/issues'), 404)
  })

  test('without JavaScript: a role is changed, and who is removed is out at the next click', async () => {
    const name = 'plain'
    add(name, 'member')
    const theirs = await asPerson(name)
    assert.equal(await theirs.goto('/acme'), 200)
    await plainSettings(plain)
    const line = () => plainLine(plain, name)
    line().shows(/two-factor off · last seen .* · added /)
    line().select('Role', 'viewer')
    await line().press(`Save role of ${name}`)
    plain.shows('Role changed.')
    assert.ok(line().hasExactly('viewer'))
    await line().press(`Remove member ${name}`)
    plain.shows('Member removed')
    assert.equal(plain.parts('ul[aria-label=Members] > li', emailOf(name)).length, 0)
    assert.equal(await theirs.goto('/acme/shop/issues'), 404)
  })

  test('who sees the projects of their teams, and is in none, is told so and what to ask for', async () => {
    add('teamless', 'member')
    const theirs = await asPerson('teamless')
    await plain.goto('/acme/settings/teams')
    await plain.press('Limit members to the projects of their teams')
    plain.shows('Members and viewers see only the projects of their teams now.')
    for (const address of ['/acme', '/acme/issues']) {
      await theirs.goto(address)
      theirs.shows('None of your teams has a project')
      theirs.shows(/to add you to a team/)
      assert.equal(theirs.has('Create a project'), false)
    }
    await plain.press('Show members all projects')
    await theirs.goto('/acme')
    assert.equal(theirs.has('None of your teams has a project'), false)
  })

  test('some of the members are shown by role and second factor, also after one of them was changed', async () => {
    add('narrowed', 'viewer')
    await plain.goto('/acme/settings?role=viewer&factor=off')
    assert.deepEqual(
      [plain.part('#member-role option[selected]').text, plain.part('#member-factor option[selected]').text],
      ['Viewer', 'Without second factor'],
    )
    assert.equal(plain.parts('ul[aria-label=Members] > li', emailOf('adam')).length, 0)
    plainLine(plain, 'narrowed').select('Role', 'member')
    await plainLine(plain, 'narrowed').press('Save role of narrowed')
    plain.shows('Role changed.')
    assert.equal(plain.parts('ul[aria-label=Members] > li', emailOf('narrowed')).length, 0)
    assert.ok(plainLine(plain, 'vera'))
    await screens.asOwner(async (page) => {
      await page.goto('/acme/settings?role=king&team=none')
      assert.equal(await page.getByLabel('With role').inputValue(), '')
      await page.getByLabel('Search members').fill('NOBODY@')
      await page.keyboard.press('Enter')
      await page.getByText('No members match.').waitFor()
      await page.getByRole('link', { name: 'Clear filter' }).click()
      await lineOf(page, 'adam').waitFor()
    })
  })

  test('who was removed in another tab meanwhile is said to be no member any more', async () => {
    add('two-tabs', 'member')
    const other = await signedInPlain(screens.sonde.url)
    for (const page of [plain, other]) await plainSettings(page)
    await plainLine(plain, 'two-tabs').press('Remove member two-tabs')
    plain.shows('Member removed')
    await plainLine(other, 'two-tabs').press('Remove member two-tabs')
    other.shows('This person is no longer a member.')
    assert.equal(other.parts('ul[aria-label=Members] > li', emailOf('two-tabs')).length, 0)
  })

  const statusOf = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${screens.sonde.url}/api/0/organizations/acme/`, { headers })).status
  }
  const TOKEN_LINE = /event:read.* created .* by owner · last used .* · expires 20\d\d-\d\d-\d\d/

  test('a token of the organization is shown once, works, and ends for everybody', () =>
    screens.asOwner(async (page) => {
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
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('It won’t be shown again').waitFor()
      const token = (await page.locator('.saved-notice code').textContent()) ?? ''
      assert.equal(await statusOf(token), 200)
      await settings(page)
      assert.ok(!(await page.content()).includes(token))
      const list = page.getByRole('list', { name: 'Tokens' })
      await list.getByText(TOKEN_LINE).waitFor()
      await list.getByLabel('Delete Nightly build', { exact: true }).click()
      await list.getByRole('button', { name: 'Delete token Nightly build' }).click()
      await page.getByText('Token deleted.').waitFor()
      assert.equal(await statusOf(token), 401)
    }))

  test('without JavaScript: a token of the organization is shown once, works, and ends for everybody', async () => {
    await plainSettings(plain)
    plain.fill('New organization token', 'Nightly build')
    plain.check('org:read')
    plain.select('Expires', '30')
    plain.fill('Confirm your password', 'not my password')
    await plain.press('Create token')
    plain.shows('this is not your current password')
    assert.equal(plain.valueOf('New organization token'), 'Nightly build')
    assert.equal(plain.valueOf('Expires'), '30')
    plain.fill('Confirm your password', OWNER.password)
    plain.check('org:read')
    await plain.press('Create token')
    plain.shows('It won’t be shown again')
    const token = plain.part('.saved-notice code').text
    assert.equal(await statusOf(token), 200)
    await plainSettings(plain)
    assert.ok(!plain.html.includes(token))
    const list = plain.part('ul[aria-label=Tokens]')
    list.shows(TOKEN_LINE)
    await list.press('Delete token Nightly build')
    plain.shows('Token deleted.')
    assert.equal(await statusOf(token), 401)
  })

  test('a token without an end is made only after an owner allows it', async () => {
    await plainSettings(plain)
    const make = async (): Promise<void> => {
      plain.fill('New organization token', 'For ever')
      plain.select('Expires', 'never')
      plain.fill('Confirm your password', OWNER.password)
      await plain.press('Create token')
    }
    await make()
    plain.shows('tokens of acme expire within a year')
    await plain.press('Allow tokens that never expire')
    plain.shows('New tokens may now be created without an expiration date')
    await make()
    plain.shows('It won’t be shown again')
    await plainSettings(plain)
    plain.shows(/never used · does not expire/)
  })

  test('the last owner cannot be touched, and owners are touched by owners alone', async () => {
    await plainSettings(plain)
    const own = plainLine(plain, 'owner')
    own.shows('Last owner')
    assert.equal(own.has('Remove'), false)
    assert.equal(plainLine(plain, 'adam').parts('summary', /^Remove$/).length, 1)
    const adam = await asPerson('adam')
    await plainSettings(adam)
    assert.equal(plainLine(adam, 'owner').fields('Role').length, 0)
    assert.equal(plainLine(adam, 'vera').field('Role').parts('option').length, 3)
    assert.equal(adam.has('Token expiration'), false)
    plain.shows('Token expiration')
  })

  test('a viewer sees who is there, and nothing to change; no tokens', async () => {
    const vera = await asPerson('vera')
    await vera.goto('/acme')
    await vera.follow('Settings')
    assert.match(vera.part('h1').text, /members and tokens/)
    assert.ok(plainLine(vera, 'adam'))
    vera.shows('Only admins and owners can see organization tokens.')
    assert.equal(vera.parts('main form').length, 0)
  })

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
