/** What is around every screen: switchers, pickers, palette, shortcuts, theme, and the operator's page. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { checkoutError, messageEvent, sendEvent } from './screens-events.ts'
import { becomes, quietVisit, sessionOf, signIn, visit } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>
const ISSUES = '/acme/shop/issues'

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  for (const name of ['api', 'web', 'ios', 'android', 'worker', 'mail', 'search', 'billing'])
    createProject(sonde, `acme/${name}`)
  const nowMs = Date.now()
  await sendEvent(dsn, { ...messageEvent(nowMs - 30_000, 'Disk is filling up'), environment: 'staging' })
  const last = await sendEvent(dsn, checkoutError(nowMs - 60_000, 'u-2'))
  await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${last}/`, () => true)
  browser = await launchChromium()
  signedIn = await sessionOf(sonde.url)
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
const withoutScripts = { javaScriptEnabled: false }

describe('switching', () => {
  test('to another project by typing a part of its name, with environment and time kept', () =>
    withPage(async (page) => {
      await page.goto(`${ISSUES}?statsPeriod=7d&environment=staging`)
      await page.getByLabel('Switch project').click()
      const field = page.getByRole('searchbox', { name: 'Filter projects' })
      await field.fill('work')
      await page.getByRole('link', { name: 'worker' }).waitFor()
      await field.press('Enter')
      await page.waitForURL((url) => url.pathname === '/acme/worker/issues')
      assert.equal(new URL(page.url()).search, '?statsPeriod=7d&environment=staging')
    }))

  test('by keyboard: arrows move, Escape closes and gives the focus back', () =>
    withPage(async (page) => {
      await page.goto(ISSUES)
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
    }))
})

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
      await page.getByRole('link', { name: 'Issues', exact: true }).click()
      await page.waitForURL((url) => url.search === '?environment=staging&statsPeriod=24h')
      await page.getByLabel('Environment: staging').waitFor()
      await page.getByRole('link', { name: 'Disk is filling up' }).click()
      await page.getByRole('heading', { level: 1, name: /Disk is filling up/ }).waitFor()
      const kept = new URL(page.url()).searchParams
      assert.deepEqual([kept.get('environment'), kept.get('statsPeriod')], ['staging', '24h'])
    }))

  test('is chosen without JavaScript', () =>
    withPage(async (page) => {
      await page.goto(`${ISSUES}?query=is%3Aunresolved`)
      await page.getByLabel(/^Environment:/).click()
      await page.getByLabel('Environment', { exact: true }).fill('staging')
      await page.getByRole('button', { name: 'Apply' }).first().click()
      assert.deepEqual(
        [...new URL(page.url()).searchParams],
        [
          ['query', 'is:unresolved'],
          ['environment', 'staging'],
        ],
      )
      await page.getByRole('link', { name: 'Disk is filling up' }).waitFor()
    }, withoutScripts))
})

describe('the palette', () => {
  test('goes to an issue by its short id, by keyboard alone', () =>
    withPage(async (page) => {
      await open(page, '/acme')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to' }).waitFor()
      await page.keyboard.type('shop-2')
      await page.getByRole('option', { name: /SHOP-2/, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/acme/shop/issues/SHOP-2')
      assert.equal(await page.getByRole('dialog').count(), 0)
    }))

  test('keeps the focus inside, and gives it back when it is closed', () =>
    withPage(async (page) => {
      await open(page, '/acme')
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
    }))

  test('changes the theme, and says what nothing is called', () =>
    withPage(async (page) => {
      await open(page, '/acme')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to' }).waitFor()
      await page.keyboard.type('no such thing')
      await page.getByText('No results').waitFor()
      await page.getByRole('dialog').getByRole('combobox').fill('theme: dark')
      await page.keyboard.press('Enter')
      await becomes(() => page.locator('html').getAttribute('data-theme'), 'dark')
    }))

  test('shows no issue of an organization that the viewer does not belong to', async () => {
    const stranger = { email: 'stranger@example.com', password: 'nothing to see here' }
    createProject(sonde, 'elsewhere/site')
    const args = ['--org', 'elsewhere', '--role', 'admin', '--email', stranger.email]
    sondeJson(sonde.dataDir, ['user', 'create', ...args, '--password', stranger.password])
    const { page, close } = await visit(browser, sonde.url)
    try {
      await page.goto('/sign-in')
      await signIn(page, stranger)
      await page.waitForURL((url) => url.pathname === '/elsewhere')
      const places = await page.request.get('/settings/go?org=acme&text=shop')
      assert.deepEqual(await places.json(), {
        projects: [{ org: 'elsewhere', slug: 'site', name: 'site' }],
        issues: [],
      })
      assert.equal((await page.request.get('/settings/environments?org=acme')).status(), 404)
      assert.equal((await page.request.get('/settings/status')).status(), 404)
      const post = { form: { all: 'yes' }, headers: { origin: new URL(sonde.url).origin } }
      assert.equal((await page.request.post('/settings/status', post)).status(), 404)
    } finally {
      await close()
    }
  })
})

describe('shortcuts', () => {
  test('the help lists those of the page, and those of a single key can be turned off', () =>
    withPage(async (page) => {
      await open(page, '/acme')
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await help.waitFor()
      assert.equal(await help.getByText('Next issue').count(), 0)
      await page.keyboard.press('Escape')
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
})

describe('the theme', () => {
  test('is in the first HTML of the next page', () =>
    withPage(
      async (page) => {
        await page.goto('/acme')
        await page.getByLabel(/^Account/).click()
        await page.getByRole('button', { name: 'Dark' }).click()
        await becomes(() => page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed'), 'true')
        const html = await (await page.request.get(ISSUES)).text()
        assert.match(html, /^<!DOCTYPE html><html lang="en" data-theme="dark">/)
        await page.getByRole('button', { name: 'System' }).click()
        await becomes(() => page.locator('html').getAttribute('data-theme'), null)
      },
      { colorScheme: 'light' },
    ))

  test('is chosen without JavaScript, and the page stays', () =>
    withPage(async (page) => {
      await page.goto(`${ISSUES}?statsPeriod=7d`)
      await page.getByLabel(/^Account/).click()
      await page.getByRole('button', { name: 'Dark' }).click()
      await becomes(() => page.locator('html').getAttribute('data-theme'), 'dark')
      assert.equal(page.url(), `${sonde.url}${ISSUES}?statsPeriod=7d`)
    }, withoutScripts))
})

describe('cards and the operator’s page', () => {
  test('a card has the errors of a day, a trend and the latest release', () =>
    withPage(async (page) => {
      await page.goto('/acme')
      const card = page.getByRole('article').filter({ hasText: 'shop@' })
      const figures = await card.locator('.figure').allInnerTexts()
      assert.match(figures.join(' ').replaceAll('\n', ' '), /Errors, 24 h 1\b/)
      await card.getByRole('img', { name: /^2 events in 24 hours/ }).waitFor()
      await card.getByText('shop@4.11.2').waitFor()
    }))

  test('the owner sees parts, outcomes, disks and dead letters', () =>
    withPage(async (page) => {
      await page.goto('/acme')
      await page.getByLabel(/^Account/).click()
      await page.getByRole('link', { name: 'System status' }).click()
      await page.getByRole('heading', { level: 1, name: 'System status' }).waitFor()
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      await row('pipeline').getByText('healthy').waitFor()
      assert.match((await row('accepted').first().innerText()).replaceAll(/\s+/g, ' '), /accepted .*%/)
      for (const name of ['telemetry', 'log', 'records', 'blobs'])
        assert.ok((await page.locator('#disk').getByRole('row').filter({ hasText: name }).count()) > 0, name)
      await page.getByText('None. Everything received was processed.').waitFor()
      await page.getByRole('link', { name: '7 days' }).click()
      await page.waitForURL((url) => url.searchParams.get('statsPeriod') === '7d')
    }))
})
