/** What is around every screen: switchers, pickers, palette, shortcuts, theme, and the operator's page. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'
import { checkoutError, messageEvent, sendEvent } from './screens-events.ts'
import { becomes, quietVisit, sessionOf } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>
const ISSUES = '/acme/shop/issues'

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  signedIn = await sessionOf(sonde.url)
  const [session] = signedIn.cookies
  for (const slug of ['api', 'web', 'ios', 'android', 'worker', 'mail', 'search', 'billing']) {
    const made = await fetch(`${sonde.url}/acme`, {
      method: 'POST',
      headers: { origin: sonde.url, cookie: `${session?.name}=${session?.value}` },
      body: new URLSearchParams({ slug, platform: 'javascript' }),
      redirect: 'manual',
    })
    assert.equal(made.status, 303)
  }
  const nowMs = Date.now()
  await sendEvent(dsn, { ...messageEvent(nowMs - 30_000, 'Disk is filling up'), environment: 'staging' })
  const last = await sendEvent(dsn, checkoutError(nowMs - 60_000, 'u-2'))
  await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${last}/`, () => true)
  browser = await launchChromium()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** Signed in; the page must have complained of nothing. */
const withPage = (run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> =>
  quietVisit(browser, sonde.url, { storageState: signedIn, ...options }, run)

/** With its scripts running: before that, keys are pressed in vain. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: 'Search or jump to…' }).waitFor()
}

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

test('switching to another project', (t) =>
  withPage(async (page) => {
    await page.goto(`${ISSUES}?statsPeriod=7d&environment=staging`)
    await t.test('by keyboard: arrows move, Escape closes and gives the focus back', async () => {
      const button = page.getByLabel('Switch project')
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'billing' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      assert.equal(await focusedText(page), 'api')
      await page.keyboard.press('Escape')
      await becomes(() => page.getByRole('link', { name: 'billing' }).isVisible(), false)
      assert.equal(await button.evaluate((element) => element === document.activeElement), true)
    })
    await t.test('by typing a part of its name, with environment and time kept', async () => {
      await page.getByLabel('Switch project').click()
      const field = page.getByRole('searchbox', { name: 'Filter projects' })
      await field.fill('work')
      await page.getByRole('link', { name: 'worker' }).waitFor()
      await field.press('Enter')
      await page.waitForURL((url) => url.pathname === '/acme/worker')
      assert.equal(new URL(page.url()).search, '?statsPeriod=7d&environment=staging')
    })
  }))

describe('what the screens are narrowed to', () => {
  test('is chosen from the environments that were sent, is in the address, and follows to the next page', () =>
    withPage(async (page) => {
      await open(page, ISSUES)
      await page.getByLabel(/^Environment:/).click()
      await page.getByRole('checkbox', { name: 'staging' }).check()
      await page.waitForURL((url) => url.searchParams.get('environment') === 'staging')
      await page.getByRole('link', { name: /TypeError/ }).waitFor({ state: 'detached' })
      await page.getByLabel(/^Time:/).click()
      await page.getByRole('link', { name: 'Last 24 hours' }).click()
      await page.waitForURL((url) => url.searchParams.get('statsPeriod') === '24h')
      const tabs = page.getByRole('navigation', { name: 'Project', exact: true })
      await tabs.getByRole('link', { name: 'Issues', exact: true }).click()
      await page.waitForURL((url) => url.search === '?environment=staging&statsPeriod=24h')
      await page.getByLabel('Environment: staging').waitFor()
      await page.getByRole('link', { name: 'Disk is filling up' }).click()
      await page.getByRole('heading', { level: 1, name: /Disk is filling up/ }).waitFor()
      const kept = new URL(page.url()).searchParams
      assert.deepEqual([kept.get('environment'), kept.get('statsPeriod')], ['staging', '24h'])
    }))

  test('is chosen without JavaScript', async () => {
    const page = await signedInPlain(sonde.url)
    await page.goto(`${ISSUES}?query=is%3Aunresolved`)
    const form = page.parts('form').find((each) => each.fields(/^Environment$/).length > 0)
    form?.fill(/^Environment$/, 'staging')
    await form?.press('Apply')
    assert.deepEqual(
      [...page.url.searchParams],
      [
        ['query', 'is:unresolved'],
        ['environment', 'staging'],
      ],
    )
    assert.equal(page.links('Disk is filling up').length, 1)
  })
})

test('around the projects', (t) =>
  withPage(
    async (page) => {
      await open(page, '/acme')
      await t.test('a card has the errors of a day, a trend and the latest release', async () => {
        const card = page.getByRole('article').filter({ hasText: 'shop@' })
        const figures = await card.locator('.figure').allInnerTexts()
        assert.match(figures.join(' ').replaceAll('\n', ' '), /Errors, 24 h 1\b/)
        await card.getByRole('img', { name: /^2 events in 24 hours/ }).waitFor()
        await card.getByText('shop@4.11.2').waitFor()
      })
      await t.test('the theme is in the first HTML of the next page', async () => {
        await page.getByLabel(/^Account/).click()
        await page.getByRole('button', { name: 'Dark' }).click()
        await becomes(() => page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed'), 'true')
        const html = await (await page.request.get(ISSUES)).text()
        assert.match(html, /^<!DOCTYPE html><html lang="en" data-theme="dark">/)
        await page.getByRole('button', { name: 'System' }).click()
        await becomes(() => page.locator('html').getAttribute('data-theme'), null)
        await page.keyboard.press('Escape')
      })
      await t.test('the palette keeps the focus inside, and gives it back when it is closed', async () => {
        const button = page.getByRole('button', { name: 'Search or jump to…' })
        await button.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog', { name: 'Go to' }).waitFor()
        for (let step = 0; step < 4; step++) {
          await page.keyboard.press('Tab')
          const isOutside = await page.evaluate(
            () => document.activeElement?.matches('dialog *, dialog, body') === false,
          )
          assert.equal(isOutside, false)
        }
        await page.keyboard.press('Escape')
        assert.equal(await button.evaluate((element) => element === document.activeElement), true)
      })
      await t.test('the help lists the shortcuts of the page', async () => {
        await page.keyboard.press('?')
        const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
        await help.waitFor()
        assert.equal(await help.getByText('Next issue').count(), 0)
        await page.keyboard.press('Escape')
      })
      await t.test('the palette changes the theme, and says what nothing is called', async () => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog', { name: 'Go to' }).waitFor()
        await page.keyboard.type('no such thing')
        await page.getByText('No results').waitFor()
        await page.getByRole('dialog').getByRole('combobox').fill('theme: dark')
        await page.keyboard.press('Enter')
        await becomes(() => page.locator('html').getAttribute('data-theme'), 'dark')
      })
      await t.test('the palette goes to an issue by its short id, by keyboard alone', async () => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog', { name: 'Go to' }).waitFor()
        await page.keyboard.type('shop-2')
        await page.getByRole('option', { name: /SHOP-2/, selected: true }).waitFor()
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => url.pathname === '/acme/shop/issues/SHOP-2')
        assert.equal(await page.getByRole('dialog').count(), 0)
        // A menu that is opened before the page has changed closes with it.
        await becomes(async () => (await page.title()).includes('SHOP-2'), true)
      })
      await t.test('the owner sees parts, outcomes, disks and dead letters', async () => {
        await page.getByLabel(/^Account/).click()
        await page.getByRole('link', { name: 'System status' }).click()
        await page.getByRole('heading', { level: 1, name: 'System status' }).waitFor()
        const row = (name: string) => page.getByRole('row').filter({ hasText: name })
        await row('pipeline').getByText('healthy').waitFor()
        assert.match((await row('accepted').first().innerText()).replaceAll(/\s+/g, ' '), /accepted .*%/)
        for (const name of ['telemetry', 'log', 'records', 'blobs'])
          assert.ok(
            (await page.locator('#disk').getByRole('row').filter({ hasText: name }).count()) > 0,
            name,
          )
        await page.getByText('None. Everything received was processed.').waitFor()
        await page.getByRole('link', { name: '7 days' }).click()
        await page.waitForURL((url) => url.searchParams.get('statsPeriod') === '7d')
      })
    },
    { colorScheme: 'light' },
  ))

test('the palette shows no issue of an organization that the viewer does not belong to', async () => {
  const stranger = { email: 'stranger@example.com', password: 'nothing to see here' }
  createProject(sonde, 'elsewhere/site')
  const args = ['--org', 'elsewhere', '--role', 'admin', '--email', stranger.email]
  sondeJson(sonde.dataDir, ['user', 'create', ...args, '--password', stranger.password])
  const page = await signedInPlain(sonde.url, stranger)
  assert.equal(page.url.pathname, '/elsewhere')
  const headers = { cookie: page.cookie(), origin: sonde.url }
  const places = await fetch(`${sonde.url}/settings/go?org=acme&text=shop`, { headers })
  assert.deepEqual(await places.json(), {
    projects: [{ org: 'elsewhere', slug: 'site', name: 'site' }],
    issues: [],
  })
  assert.equal(await page.goto('/settings/environments?org=acme'), 404)
  assert.equal(await page.goto('/settings/status'), 404)
  const post = { method: 'POST', body: new URLSearchParams({ all: 'yes' }), headers }
  assert.equal((await fetch(`${sonde.url}/settings/status`, post)).status, 404)
  assert.equal(await page.goto('/settings/backups'), 404)
  const backUp = { ...post, body: new URLSearchParams({ form: 'create' }) }
  assert.equal((await fetch(`${sonde.url}/settings/backups`, backUp)).status, 404)
})

test('the shortcuts of a single key can be turned off', () =>
  withPage(async (page) => {
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await open(page, ISSUES)
    await page.keyboard.press('?')
    await help.getByText('Next issue').waitFor()
    await help.getByLabel('Enable single-key shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    assert.equal(await help.count(), 0)
  }))

test('the theme is chosen without JavaScript, and the page stays', async () => {
  const page = await signedInPlain(sonde.url)
  await page.goto(`${ISSUES}?statsPeriod=7d`)
  await page.press('Dark')
  assert.match(page.html, /^<!DOCTYPE html><html lang="en" data-theme="dark">/)
  assert.equal(page.url.href, `${sonde.url}${ISSUES}?statsPeriod=7d`)
})
