/** Issue trackers on the screens: connected, tried, an issue made and linked there, and closed on either side. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiClient } from '../harness/api-client.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { githubWebhook, startGithub } from '../harness/trackers/github.ts'
import { inEveryLook } from './axe-looks.ts'
import { signedInPlain } from './plain-page.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { hydrated } from './screens-visit.ts'

const TOKEN = 'token-of-acme'
const github = await startGithub(TOKEN, ['acme/shop', 'acme/app'])
const screens = useSignedInScreens({ SONDE_OUTGOING_ALLOW: '127.0.0.0/8' })
after(() => github.close())

const TRACKERS = '/acme/settings/trackers'
const ISSUE = '/acme/shop/issues/SHOP-1'
let secret = ''

const linked = (page: Page) => page.getByRole('region', { name: 'Linked issues' })

/** Shown when it was fetched again: the tracker tells Sonde, and Sonde the tracker, a moment later. */
async function eventually(page: Page, holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    assert.ok(tries < 80, what)
    await page.reload()
  }
}

describe('issue trackers', () => {
  test('without one, the issue says where to connect it', () =>
    screens.asOwner(async (page) => {
      const id = await sendEvent(screens.shop.dsn, messageEvent(Date.now() - 1_000, 'cart is gone'))
      const api = apiClient(screens.sonde)
      await api.until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
      await api.until<object[]>('/api/0/projects/acme/shop/issues/', (issues) => issues.length > 0)
      await page.goto(ISSUE)
      await linked(page).getByRole('link', { name: 'Connect GitHub, GitLab, Jira or Linear' }).click()
      await page.getByRole('heading', { level: 1, name: /issue trackers/ }).waitFor()
      await page.getByText('No tracker is connected.').waitFor()
      await inEveryLook(page)
    }))

  test('GitHub is connected: what its webhook needs is shown once, and the test shows what it answers', () =>
    screens.asOwner(async (page) => {
      await page.goto(TRACKERS)
      for (const kind of ['GitLab', 'Jira', 'Linear', 'GitHub']) {
        await page.getByRole('link', { name: kind, exact: true }).click()
        await page.getByRole('button', { name: `Connect ${kind}` }).waitFor()
      }
      await page.getByLabel('Name').fill('Ours')
      await page.getByLabel('Repositories').fill('not a repository')
      await page.getByLabel('API', { exact: true }).fill(github.url)
      await page.getByLabel('Access token').fill('wrong')
      await page.getByRole('button', { name: 'Connect GitHub' }).click()
      await page.locator('#tracker-places-error').waitFor()
      await inEveryLook(page)
      await page.getByLabel('Repositories').fill('acme/shop\nacme/app')
      await page.getByLabel('Access token').fill('wrong')
      await page.getByRole('button', { name: 'Connect GitHub' }).click()
      await page.getByText(/Copy it now/).waitFor()
      const [url = '', shown = ''] = await page.locator('.saved-notice code').allTextContents()
      assert.match(url, /\/api\/0\/trackers\/1\/webhook\/$/)
      secret = shown
      await inEveryLook(page)
      await page.getByRole('link', { name: 'Ours' }).first().click()
      await page.getByRole('heading', { level: 1, name: /Ours/ }).waitFor()
      assert.equal((await page.content()).includes(secret), false)

      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByText('GitHub can’t be used as it is set up.').waitFor()
      await page.getByText('Bad credentials').waitFor()
      await page.getByLabel('Access token').fill(TOKEN)
      await page.getByRole('button', { name: 'Save connection' }).click()
      await page.getByText('Connection saved.').waitFor()
      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByText('The connection works.').waitFor()
      await page.getByText(/octocat.*acme\/shop, acme\/app/).waitFor()
      await inEveryLook(page)
    }))

  test('an issue is made there with what is known of it here, and linked', () =>
    screens.asOwner(async (page) => {
      await page.goto(ISSUE)
      await linked(page).getByRole('link', { name: 'Create or link an issue' }).click()
      assert.equal(await page.getByLabel('Title').inputValue(), 'cart is gone')
      assert.match(await page.getByLabel('Text').inputValue(), /\[SHOP-1\]\(http.*\/SHOP-1\) in Sonde/)
      await page.getByLabel('Title').fill('Cart is gone, since Monday')
      await inEveryLook(page)
      await page.getByRole('button', { name: 'Create and link' }).click()
      const panel = linked(page)
      await panel.getByText('Issue created there and linked.').waitFor()
      const made = github.issues.find(({ title }) => title === 'Cart is gone, since Monday')
      assert.equal(made?.place, 'acme/shop')
      const link = panel.getByRole('link', { name: 'acme/shop#1' })
      assert.equal(await link.getAttribute('href'), 'https://github.test/acme/shop/issues/1')
      await panel.getByText('open', { exact: true }).waitFor()
      await inEveryLook(page)
    }))

  test('who closes it there resolves it here, and the other way around', () =>
    screens.asOwner(async (page) => {
      const [issue] = github.issues
      assert.ok(issue)
      Object.assign(issue, { isOpen: false, changedMs: issue.changedMs + 60_000 })
      const { headers, body } = githubWebhook(issue, 'closed', secret)
      const hook = `${screens.sonde.url}/api/0/trackers/1/webhook/`
      const forged = { ...headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
      assert.equal((await fetch(hook, { method: 'POST', headers: forged, body })).status, 401)
      assert.equal((await fetch(hook, { method: 'POST', headers, body })).status, 200)
      await page.goto(ISSUE)
      await page.getByRole('button', { name: 'Reopen' }).waitFor()
      await page.getByText('Closed in GitHub').waitFor()
      await linked(page).getByText('closed', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Reopen' }).click()
      await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
      const isOpen = async (): Promise<boolean> =>
        issue.isOpen && (await linked(page).getByText('open', { exact: true }).count()) === 1
      await eventually(page, isOpen, 'it is opened again there')
      await page.getByRole('button', { name: 'Resolve', exact: true }).click()
      await eventually(page, async () => !issue.isOpen, 'it is closed there')
    }))

  test('one that is there is found by words as they are typed, linked by a press, and unlinked', () =>
    screens.asOwner(async (page) => {
      github.add('acme/shop', 'Checkout is slow')
      await page.goto(`${ISSUE}/link`)
      await hydrated(page)
      const words = page.getByLabel('Key, address or words')
      await words.fill('nothing like this')
      await page.getByText('Nothing found.').waitFor()
      await words.fill('Checkout')
      await page.getByRole('button', { name: /Checkout is slow/ }).waitFor()
      await inEveryLook(page)
      await page.getByRole('button', { name: /Checkout is slow/ }).click()
      const panel = linked(page)
      await panel.getByText('Issue linked.').waitFor()
      await panel.getByRole('link', { name: 'acme/shop#2' }).waitFor()
      assert.match(github.issues[1]?.comments.join() ?? '', /Linked to \[SHOP-1\]/)
      await panel.getByRole('button', { name: 'Unlink acme/shop#2' }).click()
      await panel.getByText('Link removed.').waitFor()
      assert.equal(await panel.getByRole('link', { name: 'acme/shop#2' }).count(), 0)
    }))

  test('without JavaScript: linked by its key, refused with what the tracker says, unlinked', async () => {
    const page = await signedInPlain(screens.sonde.url)
    await page.goto(`${ISSUE}/link`)
    page.fill('Key, address or words', 'acme/shop#99')
    await page.press('Link')
    assert.equal(page.status, 422)
    page.shows(/GitHub answered 404: Not Found/)
    page.fill('Key, address or words', 'https://github.test/acme/shop/issues/2')
    await page.press('Link')
    page.shows('Issue linked.')
    await page.press('Unlink acme/shop#2')
    page.shows('Link removed.')
    await page.follow('Create or link an issue')
    page.fill('Key, address or words', 'rival/shop#1')
    await page.press('Link')
    page.shows(/is no issue of GitHub in acme\/shop, acme\/app/)
  })

  test('who may only look sees what is linked, and changes nothing', async () => {
    const viewer = { email: 'vi@example.com', password: '' }
    const args = ['user', 'create', '--org', 'acme', '--role', 'viewer', '--email', viewer.email]
    const made = sondeJson<{ password?: string }>(screens.sonde.dataDir, args)
    const page = await signedInPlain(screens.sonde.url, { ...viewer, password: made.password ?? '' })
    await page.goto(ISSUE)
    page.shows('acme/shop#1')
    assert.equal(page.has('Unlink'), false)
    assert.equal(await page.goto(`${ISSUE}/link/find?tracker=1&place=acme%2Fshop&q=cart`), 403)
    await page.goto(TRACKERS)
    page.shows('Admins and owners can connect trackers')
    assert.equal(await page.goto(`${TRACKERS}/1`), 403)
  })

  test('a new secret ends the old one, and a connection is deleted with its links', () =>
    screens.asOwner(async (page) => {
      await page.goto(`${TRACKERS}/1`)
      await page.getByText('Make a new secret').first().click()
      await page.getByRole('button', { name: 'Make a new secret' }).click()
      await page.getByText('Copy the secret now.').waitFor()
      const [issue] = github.issues
      assert.ok(issue)
      const { headers, body } = githubWebhook(issue, 'closed', secret)
      const hook = `${screens.sonde.url}/api/0/trackers/1/webhook/`
      assert.equal((await fetch(hook, { method: 'POST', headers, body })).status, 401)
      await page.getByText('Delete this connection').click()
      await page.getByText('1 linked issue').last().waitFor()
      await page.getByRole('button', { name: 'Delete connection' }).click()
      await page.getByText('Connection deleted.').waitFor()
      await page.getByText('No tracker is connected.').waitFor()
      await page.goto(ISSUE)
      assert.equal(await linked(page).getByRole('link', { name: 'acme/shop#1' }).count(), 0)
    }))
})
