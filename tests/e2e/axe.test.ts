/** Every screen, held to axe's rules (WCAG 2.2 A and AA, and its best practices), light and dark, wide and narrow. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { totp } from '../../packages/access/test/totp.ts'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { checkoutError, messageEvent, sendEvent } from './screens-events.ts'
import { signIn, visit, visitSignedIn } from './screens-visit.ts'

type Violation = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}
type Axe = { run(options: object): Promise<{ readonly violations: readonly Violation[] }> }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }
/** What a theme alone can change; everything else is looked at once a width. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

let sonde: RunningSonde
let browser: Browser
/** One sign-in for all of them. */
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  createProject(sonde, 'acme/fresh', 'python')
  const nowMs = Date.now()
  await sendEvent(dsn, checkoutError(nowMs - 3_600_000, 'u-1'))
  await sendEvent(dsn, messageEvent(nowMs - 30_000, 'Payment provider answered slowly: 812 ms'))
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
  'settings of a project': '/acme/shop/settings',
  'the account': '/settings/account',
  'status of the installation': '/settings/status',
  'not found': '/acme/nope',
}

/** `rules` undefined: all of them. One line a violation, with where it is. */
async function violations(page: Page, where: string, rules?: readonly string[]): Promise<string[]> {
  const found = await page.evaluate(
    (only) =>
      (globalThis as unknown as { axe: Axe }).axe.run({
        resultTypes: ['violations'],
        ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
      }),
    rules as string[] | undefined,
  )
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${where}: ${id} (${help}) at ${target.join(' ')}\n  ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  )
}

/** Waits for two frames: the colours of all elements are new then. */
async function inTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Both themes, both widths; without loading the page again. */
async function inEveryLook(page: Page): Promise<void> {
  await page.evaluate(AXE)
  const found: string[] = []
  for (const [viewport, width] of [
    [WIDE, 'wide'],
    [NARROW, 'narrow'],
  ] as const) {
    await page.setViewportSize(viewport)
    await inTheme(page, 'light')
    found.push(...(await violations(page, `${width}, light`)))
    await inTheme(page, 'dark')
    found.push(...(await violations(page, `${width}, dark`, OF_COLOURS)))
  }
  assert.deepEqual(found, [])
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
  test('on signing in', async () => {
    const { page, close } = await visit(browser, sonde.url, { viewport: WIDE })
    try {
      await page.goto('/sign-in')
      await inEveryLook(page)
    } finally {
      await close()
    }
  })

  test('on the steps of two-factor sign-in', async () => {
    const email = 'axe@example.com'
    const password = 'two steps to sign in'
    sondeJson(sonde.dataDir, ['user', 'create', '--org', 'acme', '--email', email, '--password', password])
    const { page, close } = await visit(browser, sonde.url, { viewport: WIDE })
    try {
      await page.goto('/sign-in?next=/settings/account')
      await signIn(page, { email, password })
      await page.getByLabel('Your password').fill(password)
      await page.getByRole('button', { name: 'Turn on' }).click()
      const app = page.getByRole('link', { name: /app on this device/ })
      const uri = (await app.getAttribute('href')) ?? ''
      await inEveryLook(page)
      await page.getByLabel('Code of six digits').fill(totp(uri))
      await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your backup codes' }).waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'I have kept them' }).click()
      await page.getByText('Turn off', { exact: true }).click()
      await inEveryLook(page)
      await page.context().clearCookies()
      await page.goto('/sign-in/code')
      await page.getByText('Enter your password again.').waitFor()
      await inEveryLook(page)
      await signIn(page, { email, password })
      await page.getByLabel('Code', { exact: true }).fill('no code')
      await page.getByText('I do not have my phone').click()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('This code is wrong').waitFor()
      await inEveryLook(page)
    } finally {
      await close()
    }
  })

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
      await page.evaluate(AXE)
      assert.deepEqual(await violations(page, 'dark by choice', OF_COLOURS), [])
    } finally {
      await close()
    }
  })
})
