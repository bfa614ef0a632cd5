/** Applications that sign in by OAuth, with a client that is strict about the standards, and the consent page in Chromium. */
import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { OWNER } from '../harness/start-sonde.ts'
import { openOauthClient } from './oauth-client.ts'
import { signedInPlain } from './plain-page.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { visit } from './screens-visit.ts'

const screens = useSignedInScreens()

describe('an application', () => {
  const open = async (t: TestContext, name?: string) => {
    const client = await openOauthClient(screens.sonde.url, name)
    t.after(client.close)
    return client
  }
  const asks = async (token: string, path = '/api/0/organizations/') =>
    (await fetch(`${screens.sonde.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status

  test('is connected by who is not signed in yet, renews its tokens, and is disconnected in the account', async (t) => {
    const client = await open(t)
    const { page, close } = await visit(screens.browser, screens.sonde.url)
    await page.goto(client.authorizeUrl())
    await page.getByLabel('E-mail').fill(OWNER.email)
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Connect Robot?' }).waitFor()
    await page.getByText('Nobody has verified this name').waitFor()
    await page.getByText('this computer').waitFor()
    await page.locator('select[name=org]').selectOption('acme')
    await page.getByLabel('event:read').uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    const tokens = await client.exchange(await client.answer())
    assert.equal(tokens.scope, 'org:read project:read')
    assert.equal(await asks(tokens.access_token), 200)
    assert.equal(await asks(tokens.access_token, '/api/0/projects/acme/shop/'), 200)
    assert.equal(await asks(tokens.access_token, '/api/0/projects/acme/shop/issues/'), 403)
    assert.equal(await asks(tokens.access_token, '/api/0/organizations/default/'), 403)
    const renewed = await client.refresh(tokens.refresh_token ?? '')
    assert.equal(await asks(renewed.access_token), 200)

    await page.goto('/settings/account#apps')
    const apps = page.getByRole('list', { name: 'Connected applications' })
    await apps.getByText(/Robot for acme, on this computer/).waitFor()
    await apps.getByText(/last used .* from 127\.0\.0\.1/).waitFor()
    await page.getByLabel('Disconnect Robot').click()
    await page.getByRole('button', { name: 'Disconnect application Robot' }).click()
    await page.getByText('Application disconnected.').waitFor()
    assert.deepEqual([await asks(tokens.access_token), await asks(renewed.access_token)], [401, 401])
    await assert.rejects(client.refresh(renewed.refresh_token ?? ''), { error: 'invalid_grant' })
    await close()
  })

  test('without JavaScript: the link leads back, a denial is told, and what is wrong sends nobody anywhere', async (t) => {
    const client = await open(t)
    const page = await signedInPlain(screens.sonde.url)
    const path = (url: string) => url.slice(new URL(url).origin.length)
    await page.goto(path(client.authorizeUrl({ scope: 'event:read event:write' })))
    page.shows(/Connect Robot ?\?/)
    await page.press('Deny')
    page.shows('Not connected')
    const denied = new URL(page.links('Back to the application')[0]?.element.getAttribute('href') ?? '')
    assert.deepEqual(
      [denied.origin, denied.searchParams.get('error'), denied.searchParams.get('iss')],
      [new URL(client.redirectUri).origin, 'access_denied', screens.sonde.url],
    )
    for (const [fields, words] of [
      [{ redirect_uri: 'https://evil.example/' }, 'did not register'],
      [{ client_id: 'x' }, 'does not know the application'],
      [{ code_challenge_method: 'plain' }, 'does not use PKCE'],
    ] as const) {
      await page.goto(path(client.authorizeUrl(fields)))
      page.shows(words)
    }
  })

  test('cannot be let in by another site: not from a frame, not by a post', async (t) => {
    const client = await open(t)
    const { headers, status } = await fetch(client.authorizeUrl(), { redirect: 'manual' })
    // Nobody is signed in here; the policy is that of every page.
    assert.equal(status, 303)
    const page = await fetch(`${screens.sonde.url}${headers.get('location')}`)
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
    const foreign = await fetch(client.authorizeUrl(), {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=allow&org=acme&scopes=event:read',
    })
    assert.equal(foreign.status, 403)
  })

  test('asks for tokens from any page, and gets short words for what is wrong', async () => {
    const post = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${screens.sonde.url}/api/0/oauth/${path}/`, {
        method: 'POST',
        headers: { 'content-type': type, origin: 'https://tool.example' },
        body,
      })
    const wrong = await post('token', 'grant_type=authorization_code&code=x')
    assert.deepEqual(
      [wrong.status, wrong.headers.get('access-control-allow-origin'), wrong.headers.get('cache-control')],
      [400, '*', 'private, no-store'],
    )
    assert.equal(((await wrong.json()) as { error: string }).error, 'invalid_grant')
    assert.equal((await post('token', '{}', 'application/json')).status, 400)
    assert.equal((await post('register', 'no json', 'application/json')).status, 400)
    assert.equal((await post('register', 'x'.repeat(17_000), 'application/json')).status, 413)
    assert.equal((await post('revoke', 'token=x')).status, 200)
    const preflight = await fetch(`${screens.sonde.url}/api/0/oauth/token/`, { method: 'OPTIONS' })
    assert.equal(preflight.status, 204)
  })
})
