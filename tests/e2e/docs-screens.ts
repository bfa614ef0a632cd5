/**
 * The pictures of docs/screens, of a running demo: `npm run screens`, which starts one; or
 * `npm run screens -- http://127.0.0.1:8600` of one that runs, and names of screens behind it for a few.
 * Light, dark and narrow, as WebP, which takes a third of the bytes of a PNG.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { DEMO_OWNER } from '../../scripts/demo/sonde.ts'
import { launchFullChromium } from './chromium.ts'
import { signIn } from './screens-visit.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, 'docs', 'screens')
const QUALITY = 60
const VARIANTS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1200, height: 720 }, colorScheme: 'light' },
  dark: { viewport: { width: 1200, height: 720 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 390, height: 720 }, colorScheme: 'light' },
}

/** An error of a request. */
const DECLINED = '/default/api/issues?query=PaymentDeclined'
/** What a screen says is below the first 720 pixels. */
const HEIGHTS: Readonly<Record<string, number>> = { issue: 1_180, overview: 900 }
/** On a phone they look as they do elsewhere, below each other. */
const WIDE_ONLY: ReadonlySet<string> = new Set([
  'account',
  'ai-agents',
  'channels',
  'coverage',
  'crons',
  'events',
  'explore',
  'hydration',
  'insights',
  'logs',
  'metrics',
  'noise',
  'notifications',
  'profiles',
  'releases',
  'replays',
  'service-map',
  'settings',
  'source-maps',
  'sql',
  'status',
])

/** How a screen is reached: an address, or what somebody presses after one. */
const SCREENS: Readonly<Record<string, string | ((page: Page) => Promise<void>)>> = {
  projects: '/default',
  waiting: '/default/my-app/issues',
  overview: '/default/shop',
  issues: '/default/shop/issues',
  issue: (page) => firstIssue(page, DECLINED),
  async events(page) {
    await firstIssue(page, '/default/shop/issues')
    await page.goto(`${new URL(page.url()).pathname}/events`)
  },
  performance: '/default/shop/performance',
  vitals: '/default/shop/vitals',
  vital: '/default/shop/vitals?vital=lcp',
  navigations: '/default/shop/navigations',
  hydration: '/default/shop/hydration',
  insights: '/default/api/insights/queries',
  async trace(page) {
    await page.goto('/default/shop/performance/transaction?op=pageload&name=%2F')
    await page.locator('a[href*="/traces/"]').first().click()
    await page.waitForURL(/\/traces\//)
  },
  'service-map': '/default/service-map',
  explore: '/default/explore',
  sql: '/default/sql',
  logs: '/default/api/logs',
  metrics: '/default/api/metrics',
  profiles: '/default/api/profiles',
  replays: '/default/shop/replays',
  feedback: '/default/shop/feedback',
  'ai-agents': '/default/api/ai-agents',
  crons: '/default/api/crons',
  releases: '/default/shop/releases',
  async release(page) {
    await page.goto('/default/shop')
    await page.getByRole('link', { name: 'All measures' }).click()
    await page.waitForURL(/\/releases\/./)
  },
  noise: '/default/shop/noise',
  coverage: '/default/shop/settings/coverage',
  'source-maps': '/default/shop/source-maps',
  settings: '/default/shop/settings',
  alerts: '/default/api/alerts',
  async incident(page) {
    await page.goto('/default/api/alerts/incidents')
    await page
      .getByRole('link', { name: /Too many errors/ })
      .first()
      .click()
    await page.waitForURL(/\/incidents\/\d/)
  },
  channels: '/default/settings/channels',
  inbox: '/settings/inbox',
  notifications: '/settings/notifications',
  status: '/settings/status',
  account: '/settings/account',
}

const [baseURL, ...only] = process.argv.slice(2)
if (!baseURL) throw new Error('say the address of the demo: npm run screens -- http://127.0.0.1:8600')
mkdirSync(FOLDER, { recursive: true })

const browser = await launchFullChromium()
let bytes = 0
for (const [variant, options] of Object.entries(VARIANTS)) {
  const { width, height } = options.viewport ?? { width: 1_200, height: 720 }
  const context = await browser.newContext({ baseURL, ...options })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const picture = async (screen: string): Promise<void> => {
    // Charts are drawn and numbers have followed once nothing is fetched any more; the live stream never ends.
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(1_200)
    await page.evaluate(renameFolder, ROOT.slice(1))
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
    const image = Buffer.from(data, 'base64')
    bytes += image.length
    writeFileSync(join(FOLDER, `${screen}-${variant}.webp`), image)
  }
  await page.goto('/sign-in')
  if (only.length === 0 || only.includes('sign-in')) await picture('sign-in')
  await signIn(page, DEMO_OWNER)
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  for (const [screen, reach] of Object.entries(SCREENS)) {
    if (only.length > 0 && !only.includes(screen)) continue
    if (variant === 'narrow' && WIDE_ONLY.has(screen)) continue
    await page.setViewportSize({ width, height: HEIGHTS[screen] ?? height })
    if (typeof reach === 'string') await page.goto(reach)
    else await reach(page)
    await picture(screen)
  }
  await context.close()
}
await browser.close()
process.stdout.write(`${(bytes / 1e6).toFixed(1)} MB of pictures in docs/screens\n`)

async function firstIssue(page: Page, list: string): Promise<void> {
  await page.goto(list)
  await page.locator('.issue-link').first().click()
  await page.waitForURL(/\/issues\/./)
}

/** Runs in the page: where the demo lies on this machine is nobody's business. */
function renameFolder(root: string): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    if (text.nodeValue?.includes(root)) text.nodeValue = text.nodeValue.replaceAll(root, 'srv/demo')
}
