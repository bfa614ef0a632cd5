/** The settings of a project and of the person, in Chromium. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { OWNER, type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { messageEvent, newEventId } from './screens-events.ts'
import { signIn, visit, visitSignedIn } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject
/** Signed in once: a password takes its time to check. */
let owner: BrowserContextOptions['storageState']

before(async () => {
  sonde = await startSonde()
  shop = createProject(sonde, 'acme/shop')
  browser = await launchChromium()
  const first = await visitSignedIn(browser, sonde.url)
  owner = await first.page.context().storageState()
  await first.close()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

const isStatus = (complaint: string): boolean => complaint.startsWith('Failed to load resource')

async function asOwner(run: (page: Page) => Promise<void>, javaScriptEnabled = true): Promise<void> {
  const visited = await visit(browser, sonde.url, {
    javaScriptEnabled,
    ...(owner && { storageState: owner }),
  })
  try {
    await run(visited.page)
    assert.deepEqual(
      visited.complaints().filter((complaint) => !isStatus(complaint)),
      [],
    )
  } finally {
    await visited.close()
  }
}

const WAYS = [
  ['with JavaScript', true],
  ['without JavaScript', false],
] as const

/** What the door says to an event with this key. */
const statusAtDoor = async (publicKey: string): Promise<number> => {
  const answer = await fetch(`${sonde.url}/api/${shop.id}/store/?sentry_key=${publicKey}`, {
    method: 'POST',
    body: JSON.stringify({ ...messageEvent(Date.now(), 'at the door'), event_id: newEventId() }),
  })
  await answer.body?.cancel()
  return answer.status
}

describe('the settings of a project', () => {
  for (const [how, scripts] of WAYS) {
    test(`${how}: a refused name keeps what was typed, a right one is saved and said`, () =>
      asOwner(async (page) => {
        await page.goto('/acme/shop/settings')
        await page.getByLabel('Name', { exact: true }).fill('The shop')
        await page.getByLabel('Name in addresses').fill('settings')
        await page.getByRole('button', { name: 'Save project' }).click()
        await page.getByText('is used by Sonde itself').waitFor()
        assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'The shop')
        assert.equal(await page.getByLabel('Name in addresses').inputValue(), 'settings')
        await page.getByLabel('Name in addresses').fill('shop')
        await page.getByRole('button', { name: 'Save project' }).click()
        await page.getByText('The project was saved.').waitFor()
        await page.getByRole('heading', { level: 1, name: 'The shop' }).waitFor()
        assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'The shop')
      }, scripts))

    test(`${how}: keys are made, limited, disabled, rotated and deleted`, () =>
      asOwner(async (page) => {
        await page.goto('/acme/shop/settings')
        const name = `app ${scripts ? 1 : 2}`
        await page.getByLabel('New key').fill(name)
        await page.getByRole('button', { name: 'Make a key' }).click()
        await page.getByText('The key was made.').waitFor()
        const items = page.locator('.key-list > li').filter({ hasText: name })
        const item = items.first()
        const dsn = (await item.locator('code').textContent()) ?? ''
        assert.equal(await statusAtDoor(new URL(dsn).username), 200)

        await item.getByText('Name and limit', { exact: true }).click()
        await item.getByLabel('At most (events)').fill('-1')
        await item.getByRole('button', { name: 'Save key' }).click()
        await item.getByText('is a number of events, 0 or more').waitFor()
        assert.equal(await item.getByLabel('At most (events)').inputValue(), '-1')
        await item.getByLabel('At most (events)').fill('500')
        await item.getByRole('button', { name: 'Save key' }).click()
        await item.getByText('at most 500 events in 60 s').waitFor()

        await item.getByRole('button', { name: `Disable key ${name}` }).click()
        await item.getByText('disabled', { exact: true }).waitFor()
        await item.getByRole('button', { name: `Enable key ${name}` }).click()
        await item.getByText('active', { exact: true }).waitFor()

        await item.getByText('Rotate', { exact: true }).click()
        await item.getByLabel('The old one').selectOption('stops now')
        await item.getByRole('button', { name: 'Rotate key' }).click()
        await page.getByText('A new key was made in place of the old one.').waitFor()
        assert.equal(await items.count(), 2)
        await item.getByText('disabled', { exact: true }).waitFor()

        await item.getByText('Delete', { exact: true }).click()
        await item.getByRole('button', { name: 'Delete key' }).click()
        await page.getByText('The key was deleted.').waitFor()
        assert.equal(await items.count(), 1)
        assert.notEqual(await item.locator('code').textContent(), dsn)
      }, scripts))
  }

  test('filters are saved, and a pattern that would drop everything is refused beside its field', () =>
    asOwner(async (page) => {
      await page.goto('/acme/shop/settings')
      await page.getByLabel('Events of pages on localhost').check()
      await page.getByLabel('Releases').fill('shop@1.*\n*')
      await page.getByRole('button', { name: 'Save filters' }).click()
      await page.getByText('a pattern of * alone would drop every event').waitFor()
      assert.equal(await page.getByLabel('Releases').inputValue(), 'shop@1.*\n*')
      assert.equal(await page.getByLabel('Events of pages on localhost').isChecked(), true)
      await page.getByLabel('Releases').fill('shop@1.*')
      await page.getByRole('button', { name: 'Save filters' }).click()
      await page.getByText('The filters were saved.').waitFor()
      await page.reload()
      assert.equal(await page.getByLabel('Releases').inputValue(), 'shop@1.*')
      assert.equal(await page.getByLabel('Events of pages on localhost').isChecked(), true)
    }, false))

  for (const [how, scripts] of WAYS) {
    test(`${how}: scrubbing rules are tried before they are saved`, () =>
      asOwner(async (page) => {
        const field = `loyalty_${scripts}`
        await page.goto('/acme/shop/settings')
        await page.getByLabel('Remove these fields too').fill(field)
        await page.getByLabel('Try the rules on an event').fill(`{"extra":{"${field}":"L-1","colour":"red"}}`)
        if (!scripts) await page.getByRole('button', { name: 'Try the rules' }).click()
        const result = page.locator('.scrub-result')
        await result.getByText(`extra.${field}`).waitFor()
        await result.getByText('1 value would be removed:').waitFor()
        assert.equal(await page.getByLabel('Remove these fields too').inputValue(), field)
        await page.getByRole('button', { name: 'Save scrubbing rules' }).click()
        await page.getByText('The scrubbing rules were saved.').waitFor()
        await page.reload()
        assert.equal(await page.getByLabel('Remove these fields too').inputValue(), field)
      }, scripts))
  }

  test('who may not write sees them, and can press nothing that changes them', async () => {
    const password = 'only looking 1'
    const email = 'viewer@sonde.local'
    const args = ['user', 'create', '--email', email, '--org', 'acme', '--role', 'viewer']
    sondeJson(sonde.dataDir, [...args, '--password', password])
    const { page, complaints, close } = await visit(browser, sonde.url)
    await page.goto('/sign-in?next=/acme/shop/settings')
    await signIn(page, { email, password })
    await page.getByText('You may look at these settings.').waitFor()
    assert.equal(await page.getByLabel('Releases').isDisabled(), true)
    assert.equal(await page.getByLabel('Remove these fields too').isDisabled(), true)
    assert.equal(
      await page.getByRole('button', { name: /^(Save|Make|Disable|Rotate|Delete|Try)/ }).count(),
      0,
    )
    const form = { form: 'new-key', label: 'sneaked in' }
    const answer = await page.request.post('/acme/shop/settings', { form, headers: { origin: sonde.url } })
    assert.equal(answer.status(), 403)
    assert.deepEqual(complaints(), [])
    await close()
  })

  test('a project goes when its slug is typed, and not before', () =>
    asOwner(async (page) => {
      createProject(sonde, 'acme/old')
      await page.goto('/acme/old/settings')
      await page.getByLabel('Type old to delete').fill('shop')
      await page.getByRole('button', { name: 'Delete project' }).click()
      await page.getByText('type old to delete it').waitFor()
      await page.getByLabel('Type old to delete').fill('old')
      await page.getByRole('button', { name: 'Delete project' }).click()
      await page.waitForURL((url) => url.pathname === '/acme')
      assert.equal((await page.goto('/acme/old/settings'))?.status(), 404)
    }))
})

describe('the account', () => {
  test('is reached from the menu; a token is shown once, works, and ends', () =>
    asOwner(async (page) => {
      await page.goto('/acme')
      await page.getByLabel(/^Account/).click()
      await page.getByRole('link', { name: 'Your account' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
      await page.getByLabel('New token').fill('Release script')
      await page.getByLabel('org:read').check()
      await page.getByRole('button', { name: 'Make a token' }).click()
      await page.getByText('it is not shown again').waitFor()
      const token = (await page.locator('.saved-notice code').textContent()) ?? ''
      const ask = () =>
        fetch(`${sonde.url}/api/0/organizations/`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal((await ask()).status, 200)
      await page.reload()
      await page.getByLabel('Delete Release script').click()
      assert.equal((await page.content()).includes(token), false)
      await page.getByRole('button', { name: 'Delete token Release script' }).click()
      await page.getByText('The token was deleted.').waitFor()
      assert.equal((await ask()).status, 401)
    }))

  test('without JavaScript: name and sessions are changed, and a new password takes the place of the old', () =>
    asOwner(async (page) => {
      const other = await visitSignedIn(browser, sonde.url)
      await page.goto('/settings/account')
      await page.getByLabel('Name', { exact: true }).fill('Ada')
      await page.getByRole('button', { name: 'Save name' }).click()
      await page.getByText('Your name was saved.').waitFor()
      await page.getByRole('button', { name: 'End all other sessions' }).click()
      await page.getByText('All other sessions have ended.').waitFor()
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
      await page.getByText('The password was changed.').waitFor()
      const again = await visit(browser, sonde.url)
      await again.page.goto('/sign-in')
      await signIn(again.page, { email: OWNER.email, password: 'another password 1' })
      await again.page.waitForURL((url) => url.pathname !== '/sign-in')
      await again.close()
    }, false))
})
