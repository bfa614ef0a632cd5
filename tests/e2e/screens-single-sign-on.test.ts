/** Single sign-on in Chromium: set up by an owner, tested, turned on, and used, with real providers on this machine. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type OidcServer, startOidcServer } from '../harness/sign-in/oidc-server.ts'
import { type SamlServer, startSamlServer } from '../harness/sign-in/saml-server.ts'
import { sonde } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { hydrated, visit } from './screens-visit.ts'

const screens = useSignedInScreens({ SONDE_OUTGOING_ALLOW: '127.0.0.0/8' })
const SETTINGS = '/acme/settings/single-sign-on'
let oidc: OidcServer
let saml: SamlServer

/** A browser of somebody who is not signed in. */
async function asStranger(run: (page: Page) => Promise<void>): Promise<void> {
  const { page, close } = await visit(screens.browser, screens.sonde.url)
  try {
    await run(page)
  } finally {
    await close()
  }
}

async function atOidc(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
}

async function atSaml(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('single sign-on', () => {
  before(async () => {
    const base = `${screens.sonde.url}/api/0/sso/acme`
    oidc = await startOidcServer([`${base}/callback/`])
    saml = await startSamlServer({ acs: `${base}/acs/`, metadata: `${base}/metadata/` })
    const ada = { email: 'ada@example.com', name: 'Ada Lovelace', groups: ['engineering'] }
    oidc.people.set('ada', { ...ada, email_verified: true })
    oidc.people.set('owner', {
      email: 'owner@example.com',
      email_verified: true,
      groups: ['engineering', 'ops'],
    })
    saml.people.set('grace', { email: 'grace@example.com', name: 'Grace Hopper', groups: ['engineering'] })
    saml.people.set('owner', { email: 'owner@example.com' })
  })
  after(() => Promise.all([oidc.close(), saml.close()]))

  test('an owner sets up OpenID Connect: what is missing is said, and it is tested before it is turned on', () =>
    screens.asOwner(async (page) => {
      await page.goto(SETTINGS)
      await page.getByText('people sign in to this organization with the account they have at work').waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'OpenID Connect' }).click()
      await page.getByText(`${screens.sonde.url}/api/0/sso/acme/callback/`).waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Acme login')
      await page.getByLabel('Issuer').fill('http://login.example')
      await page.getByLabel('Client ID').fill(oidc.clientId)
      await page.getByLabel('Client secret').fill(oidc.clientSecret)
      await page.getByLabel('More scopes').fill('groups')
      await page.getByRole('button', { name: 'Save provider' }).click()
      await page.getByText('the issuer must begin with https://').waitFor()
      await inEveryLook(page)
      await page.getByLabel('Issuer').fill(oidc.issuer)
      await page.getByLabel('Client secret').fill(oidc.clientSecret)
      await page.getByRole('button', { name: 'Save provider' }).click()
      await page.getByText('Test the connection, then turn single sign-on on.').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Turn on' }).count(), 0)
      assert.ok(!(await page.content()).includes(oidc.clientSecret))

      await page.getByRole('link', { name: 'Test the connection' }).click()
      await atOidc(page, 'owner')
      await page.getByText('The test worked.').waitFor()
      await page.getByText('engineering, ops').waitFor()
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByText('Single sign-on is on.').waitFor()
    }))

  test('a domain and a group lead to accounts and to a team', () =>
    screens.asOwner(async (page) => {
      const made = await page.request.post('/api/0/organizations/acme/teams/', {
        data: { name: 'Web', slug: 'web' },
        headers: { origin: screens.sonde.url },
      })
      assert.equal(made.status(), 201, await made.text())
      await page.goto(SETTINGS)
      await page.getByLabel('Domain', { exact: true }).fill('example.com')
      await page.getByRole('button', { name: 'Add domain' }).click()
      await page.getByText('Domain added.').waitFor()
      await page.getByLabel('Group', { exact: true }).fill('engineering')
      await page.getByRole('button', { name: 'Add mapping' }).click()
      await page.getByText('leads to a team, to a role, or to both').waitFor()
      await page.getByRole('combobox', { name: 'Team' }).selectOption({ label: 'Web' })
      await page.getByRole('button', { name: 'Add mapping' }).click()
      await page.getByText('Mapping saved.').waitFor()
      await page.getByText('team Web').waitFor()
      await inEveryLook(page)
    }))

  test('a new person signs in by keyboard alone, and is in the team; removed, they are out at once', () =>
    asStranger(async (page) => {
      await page.goto('/acme/shop/issues')
      await hydrated(page)
      await page.getByRole('link', { name: 'Sign in with Acme login' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /Sign in to/ }).waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'Sign in with Acme login' }).focus()
      await page.keyboard.press('Enter')
      await page.locator('input[name=login]').waitFor()
      await page.locator('input[name=login]').focus()
      await page.keyboard.type('ada')
      await page.keyboard.press('Tab')
      await page.keyboard.type('any')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/acme/shop/issues')
      await page.getByRole('heading', { level: 1 }).first().waitFor()

      type Member = { readonly id: string; readonly email: string; readonly orgRole?: string }
      await screens.asOwner(async (owner) => {
        const answer = await owner.request.get('/api/0/organizations/acme/members/')
        const ada = ((await answer.json()) as Member[]).find(({ email }) => email === 'ada@example.com')
        assert.ok(ada)
        const team = await owner.request.get('/api/0/teams/acme/web/members/')
        assert.ok((await team.text()).includes('ada@example.com'), await team.text())
        const removed = await owner.request.delete(`/api/0/organizations/acme/members/${ada.id}/`, {
          headers: { origin: screens.sonde.url },
        })
        assert.equal(removed.status(), 204, await removed.text())
      })
      const removedMs = Date.now()
      const answer = await page.request.get('/api/0/projects/acme/shop/issues/')
      assert.equal(answer.status(), 404)
      assert.ok(Date.now() - removedMs < 1_000)
      assert.equal((await page.goto('/acme/shop/issues'))?.status(), 404)
      // Neither the provider lets them in again.
      await page.context().clearCookies()
      await page.goto('/sign-in/sso/acme')
      await page.getByRole('link', { name: 'Sign in with Acme login' }).click()
      await atOidc(page, 'ada')
      await page.getByText('You are not a member of this organization.').waitFor()
      await inEveryLook(page)
    }))

  test('required: a password leads to the provider, without scripts too, and owners still get in', async () => {
    const args = [
      'user',
      'create',
      '--email',
      'bob@example.com',
      '--org',
      'acme',
      '--password',
      'correct horse battery',
    ]
    assert.equal(sonde(screens.sonde.dataDir, args).code, 0)
    await screens.asOwner(async (page) => {
      await page.goto(SETTINGS)
      await page.getByRole('button', { name: 'Require single sign-on' }).click()
      await page.getByText('A password opens this organization for its owners only').waitFor()
      await inEveryLook(page)
    })
    await asStranger(async (page) => {
      await page.goto('/sign-in?next=/acme/shop/issues')
      await page.getByLabel('E-mail').fill('bob@example.com')
      await page.getByLabel('Password').fill('correct horse battery')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('This organization requires single sign-on.').waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'Sign in with Acme login' }).waitFor()
      await page.getByRole('link', { name: 'Connect my account' }).waitFor()
      await page.goto('/')
      await page.getByText('needs another sign-in').waitFor()
    })
  })

  test('SAML takes its place: metadata by address, tested, found by the domain of an address', async () => {
    await screens.asOwner(async (page) => {
      await page.goto(`${SETTINGS}?kind=saml`)
      await page.getByText('takes the place of the provider that is set up now').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Acme SAML')
      await page.getByLabel('Address of the provider’s metadata').fill(`${saml.entityId}/sso`)
      await page.getByRole('button', { name: 'Save provider' }).click()
      await page.getByText('this is a web page, not metadata').waitFor()
      await inEveryLook(page)
      await page.getByLabel('Address of the provider’s metadata').fill(`${saml.entityId}/metadata`)
      await page.getByRole('button', { name: 'Save provider' }).click()
      await page.getByText('Test the connection, then turn single sign-on on.').waitFor()
      await page.getByRole('link', { name: 'Test the connection' }).click()
      await atSaml(page, 'owner')
      await page.getByText('The test worked.').waitFor()
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByText('Single sign-on is on.').waitFor()
      await page.getByLabel('Group', { exact: true }).fill('engineering')
      await page.getByRole('combobox', { name: 'Team' }).selectOption({ label: 'Web' })
      await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('admin')
      await page.getByRole('button', { name: 'Add mapping' }).click()
      await page.getByText('team Web · role admin').waitFor()
      await inEveryLook(page)
    })
    await asStranger(async (page) => {
      await page.goto('/sign-in/sso')
      await inEveryLook(page)
      await page.getByLabel('E-mail or organization').fill('grace@elsewhere.example')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('No organization signs in people of this domain.').waitFor()
      await page.getByLabel('E-mail or organization').fill('grace@example.com')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('link', { name: 'Sign in with Acme SAML' }).click()
      await atSaml(page, 'grace')
      await page.waitForURL(/\/acme(?:\/|$)/)
      const team = await page.request.get('/api/0/teams/acme/web/members/')
      assert.ok((await team.text()).includes('grace@example.com'), await team.text())
    })
  })
})
