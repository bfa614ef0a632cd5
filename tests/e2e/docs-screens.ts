/**
 * The pictures of docs/screens, of a running `npm run demo`:
 * `node tests/e2e/docs-screens.ts http://127.0.0.1:8600 E-MAIL PASSWORD FOLDER`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { signIn } from './screens-visit.ts'

const VARIANTS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1200, height: 720 }, colorScheme: 'light' },
  dark: { viewport: { width: 1200, height: 720 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 390, height: 720 }, colorScheme: 'light' },
}
const SCREENS: Readonly<Record<string, string>> = {
  projects: '/default',
  overview: '/default/shop',
  hydration: '/default/shop/hydration',
  noise: '/default/shop/noise',
  coverage: '/default/shop/settings/coverage',
  issues: '/default/shop/issues',
  performance: '/default/shop/performance',
  vitals: '/default/shop/vitals',
  vital: '/default/shop/vitals?vital=lcp',
  navigations: '/default/shop/navigations',
  explore: '/default/explore',
  sql: '/default/sql',
  settings: '/default/shop/settings',
  alerts: '/default/api/alerts',
  incidents: '/default/api/alerts/incidents',
  channels: '/default/settings/channels',
  inbox: '/settings/inbox',
  notifications: '/settings/notifications',
  waiting: '/default/my-app/issues',
  status: '/settings/status',
  account: '/settings/account',
}

const [baseURL, email, password, folder] = process.argv.slice(2)
if (!baseURL || !email || !password || !folder)
  throw new Error('say the address, the e-mail, the password and into which folder')
mkdirSync(folder, { recursive: true })

const browser = await launchChromium()
for (const [variant, options] of Object.entries(VARIANTS)) {
  const context = await browser.newContext({ baseURL, ...options })
  const page = await context.newPage()
  const picture = async (screen: string): Promise<void> => {
    // Charts are drawn and numbers have followed once nothing is fetched any more; the live stream never ends.
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(1_200)
    await page.screenshot({ path: join(folder, `${screen}-${variant}.png`) })
  }
  await page.goto('/sign-in')
  await picture('sign-in')
  await signIn(page, { email, password })
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  for (const [screen, path] of Object.entries(SCREENS)) {
    await page.goto(path)
    await picture(screen)
  }
  await page.goto('/default/shop')
  await page.getByRole('link', { name: 'All measures' }).click()
  await page.waitForURL(/\/releases\/./)
  await picture('release')
  await openFirstIssue(page, '/default/api/issues')
  await picture('issue')
  await page.locator('.highlights a[href*="/traces/"]').first().click()
  await page.waitForURL(/\/traces\//)
  await picture('trace')
  await openFirstIssue(page, '/default/shop/issues')
  await page.goto(`${new URL(page.url()).pathname}/events`)
  await picture('events')
  await page.goto('/default/api/alerts/incidents')
  await page
    .getByRole('link', { name: /Too many errors/ })
    .first()
    .click()
  await page.waitForURL(/\/incidents\/\d/)
  await picture('incident')
  await context.close()
}
await browser.close()

async function openFirstIssue(page: Page, list: string): Promise<void> {
  await page.goto(list)
  await page.locator('.issue-link').first().click()
  await page.waitForURL(/\/issues\/./)
}
