/** Every screen, held to axe's rules; those of signing in: `axe-sign-in.test.ts`. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inEveryLook, inTheseColours, WIDE } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fillSourceMaps } from './fill-source-maps.ts'
import { fillNavigations } from './navigation-events.ts'
import { fillPerformance } from './performance-events.ts'
import { fillReleases } from './release-events.ts'
import { checkoutError, messageEvent, sendEvent } from './screens-events.ts'
import { visit, visitSignedIn } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
/** One sign-in for all of them. */
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  const server = createProject(sonde, 'acme/api', 'node')
  createProject(sonde, 'acme/fresh', 'python')
  await fillPerformance(dsn, server.dsn, TRACE)
  await fillNavigations(dsn)
  await fillReleases(sonde, dsn, { visits: 12 })
  const nowMs = Date.now()
  await sendEvent(dsn, checkoutError(nowMs - 3_600_000, 'u-1'))
  await sendEvent(dsn, messageEvent(nowMs - 30_000, 'Payment provider answered slowly: 812 ms'))
  const { unreadable } = await fillSourceMaps(sonde, dsn)
  await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${unreadable}/`, () => true)
  const last = await sendEvent(dsn, checkoutError(nowMs - 60_000, 'u-2'))
  await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${last}/`, () => true)
  browser = await launchChromium()
  const { page, close } = await visitSignedIn(browser, sonde.url)
  signedIn = await page.context().storageState()
  await close()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

const TRACE = 'ab'.repeat(16)
const ISSUE = '/acme/shop/issues/SHOP-1'
const SCREENS: Readonly<Record<string, string>> = {
  organisations: '/',
  projects: '/acme',
  'an organisation without projects': '/default',
  'issues of all projects': '/acme/issues',
  issues: '/acme/shop/issues?statsPeriod=14d&environment=production',
  'issues, nothing matches': '/acme/shop/issues?query=nothing-like-this',
  'issues, a search that is refused': '/acme/shop/issues?query=is%3Anonsense',
  'a project that waits for its first event': '/acme/fresh/issues',
  'an issue': ISSUE,
  'events of an issue': `${ISSUE}/events`,
  'values of a tag': `${ISSUE}/tags/environment`,
  transactions: '/acme/shop/performance',
  'web vitals, one of them explained': '/acme/shop/vitals?vital=inp&statsPeriod=24h',
  'no web vitals yet': '/acme/fresh/vitals',
  navigations: '/acme/shop/navigations',
  releases: '/acme/shop/releases',
  'a release': '/acme/shop/releases/shop%404.12.0',
  'two releases': '/acme/shop/releases/compare',
  'a trace': `/acme/traces/${TRACE}`,
  'source maps': '/acme/shop/source-maps',
  'one upload': '/acme/shop/source-maps?upload=1',
  'no source maps yet': '/acme/fresh/source-maps',
  'settings of a project': '/acme/shop/settings',
  'the account': '/settings/account',
  'status of the installation': '/settings/status',
  'not found': '/acme/nope',
}

async function look(path: string, prepare: (page: Page) => Promise<void> = async () => {}): Promise<void> {
  const { page, close } = await visit(browser, sonde.url, { viewport: WIDE, storageState: signedIn })
  try {
    await page.goto(path, { waitUntil: 'load' })
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    if (path !== '/acme/nope') await page.getByRole('button', { name: 'Go to…' }).waitFor()
    await prepare(page)
    await inEveryLook(page)
  } finally {
    await close()
  }
}

describe('no violation of axe', { concurrency: 2 }, () => {
  for (const [name, path] of Object.entries(SCREENS)) test(`on ${name}`, () => look(path))

  test('in an open menu', () =>
    look('/acme/shop/issues', async (page) => {
      await page.getByLabel(/^Environment:/).click()
      await page.getByRole('checkbox', { name: 'production' }).waitFor()
    }))

  test('in the palette', () =>
    look('/acme', async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to' }).getByText('SHOP-1').waitFor()
    }))

  test('in the keyboard help', () =>
    look('/acme/shop/issues', async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    }))

  test('with the theme that was chosen against the system', async () => {
    const { page, close } = await visit(browser, sonde.url, {
      viewport: WIDE,
      colorScheme: 'light',
      storageState: signedIn,
    })
    try {
      await page.context().addCookies([{ name: 'sonde_theme', value: 'dark', url: sonde.url }])
      await page.goto(ISSUE)
      await inTheseColours(page, 'dark by choice')
    } finally {
      await close()
    }
  })
})
