/**
 * Pictures of every screen, for eyes: `node tests/e2e/screenshots.ts FOLDER [light-1280,dark-390,…]
 * [names,of,screens]` after `npm run build`. Says what the pages complained of and which are wider than their window.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { fillAlerts, METRIC_INCIDENT, TRACKER, UPTIME_MONITOR } from './alert-rows.ts'
import { launchChromium } from './chromium.ts'
import { CRON_MONITOR, fillCrons } from './cron-rows.ts'
import { fillHydration } from './hydration-events.ts'
import { fillNavigations } from './navigation-events.ts'
import { fillLogs, fillPerformance } from './performance-events.ts'
import { fillReleases } from './release-events.ts'
import {
  checkoutError,
  hostileEvent,
  messageEvent,
  newEventId,
  type SentEvent,
  sendEvent,
} from './screens-events.ts'
import { visit, visitSignedIn } from './screens-visit.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')
const VARIANTS = ['light-1280', 'dark-1280', 'light-390', 'dark-390']
const MAX_HEIGHT = 5_000

const SCREENS: Readonly<Record<string, string>> = {
  projects: '/acme',
  issues: '/acme/shop/issues',
  'nothing-matches': '/acme/shop/issues?query=is%3Aresolved+timeout&period=24h',
  'search-refused': '/acme/shop/issues?query=is%3Anonsense',
  waiting: '/acme/fresh/issues',
  settings: '/acme/shop/settings',
  issue: '/acme/shop/issues/SHOP-1',
  message: '/acme/shop/issues/SHOP-2',
  hostile: '/acme/shop/issues/SHOP-3',
  python: '/acme/api/issues/API-1',
  performance: '/acme/shop/performance?statsPeriod=24h',
  transaction: '/acme/shop/performance/transaction?op=pageload&name=%2F%5Borg%5D%2Fcart',
  vitals: '/acme/shop/vitals',
  logs: '/acme/shop/logs',
  'log-patterns': '/acme/shop/logs?view=patterns',
  hydration: '/acme/shop/hydration',
  navigations: '/acme/shop/navigations',
  releases: '/acme/shop/releases',
  release: '/acme/shop/releases/shop%404.12.0',
  'compare-releases': '/acme/shop/releases/compare',
  'no-releases': '/acme/fresh/releases',
  alerts: '/acme/shop/alerts',
  'new-alert': '/acme/shop/alerts/new',
  'new-metric-alert': '/acme/shop/alerts/new?kind=metric',
  incidents: '/acme/shop/alerts/incidents',
  incident: '/acme/shop/alerts/incidents/1',
  feedback: '/acme/shop/feedback',
  crons: '/acme/shop/crons',
  cron: `/acme/shop/crons/${CRON_MONITOR}`,
  'cron-incident': `/acme/shop/alerts/incidents/${CRON_MONITOR + 2}`,
  'cron-new': '/acme/shop/crons/new',
  'cron-edit': `/acme/shop/crons/${CRON_MONITOR}/edit`,
  'no-crons': '/acme/fresh/crons',
  uptime: '/acme/shop/uptime',
  'uptime-monitor': `/acme/shop/uptime/${UPTIME_MONITOR}`,
  'uptime-new': '/acme/shop/uptime/new',
  'metric-incident': `/acme/shop/alerts/incidents/${METRIC_INCIDENT}`,
  'alert-rule': '/acme/shop/alerts/2',
  channels: '/acme/settings/channels',
  'new-channel': '/acme/settings/channels?kind=webhook',
  channel: '/acme/settings/channels/1',
  trackers: '/acme/settings/trackers',
  'new-tracker': '/acme/settings/trackers?kind=jira',
  tracker: `/acme/settings/trackers/${TRACKER}`,
  'status-page': '/acme/settings/status-page',
  'status-incidents': '/acme/settings/status-page/incidents',
  'no-status-page': '/default/settings/status-page',
  sso: '/acme/settings/single-sign-on?kind=oidc',
  'link-issue': '/acme/shop/issues/SHOP-1/link',
  inbox: '/settings/inbox',
  notifications: '/settings/notifications',
  unsubscribe: '/settings/unsubscribe?token=of-nobody',
  trace: `/acme/traces/${'ab'.repeat(16)}`,
  teams: '/acme/settings/teams',
  invitations: '/acme/settings/invitations',
  ownership: '/acme/shop/settings/ownership',
  grouping: '/acme/shop/settings/grouping',
  discarded: '/acme/shop/settings/discarded',
  activity: '/acme/shop/issues/SHOP-1/activity',
  merged: '/acme/shop/issues/SHOP-1/merged',
  share: '/acme/shop/issues/SHOP-1/share',
  account: '/settings/account',
  members: '/acme/settings',
  audit: '/acme/settings/audit',
  status: '/settings/status',
  'not-found': '/acme/nope',
}

const [folder, variants = VARIANTS.join(','), only = ''] = process.argv.slice(2)
if (folder === undefined) throw new Error('say into which folder')
const sonde = await startSonde()
const browser = await launchChromium()
try {
  await fill(sonde)
  for (const variant of variants.split(',')) await picture(browser, variant, folder)
} finally {
  await browser.close()
  await sonde.stop()
}

async function fill(running: RunningSonde): Promise<void> {
  const shop = createProject(running, 'acme/shop')
  const api = createProject(running, 'acme/api', 'python')
  createProject(running, 'acme/fresh', 'go')
  const nowMs = Date.now()
  await sendEvent(shop.dsn, checkoutError(nowMs - 25_000))
  await sendEvent(shop.dsn, messageEvent(nowMs - 40_000, 'Payment provider answered slowly: 812 ms'))
  await sendEvent(shop.dsn, hostileEvent(nowMs - 300_000))
  await fillPerformance(shop.dsn, api.dsn, 'ab'.repeat(16))
  await fillHydration(shop.dsn)
  await fillLogs(shop.dsn, 'ab'.repeat(16))
  await fillNavigations(shop.dsn)
  await fillReleases(running, shop.dsn)
  await sendCspReport(shop.dsn)
  fillAlerts(running.dataDir, 'Failed checkouts, seen by the team of the cart')
  fillCrons(running.dataDir, 'Nightly backup of orders and invoices')
  for (let index = 0; index < 40; index++) {
    const ageMs = ((index * index) / 1_600) * 20 * 3_600_000
    await sendEvent(shop.dsn, checkoutError(nowMs - ageMs - 60_000, `u-${index % 17}`))
  }
  for (const [project, folderName] of [
    [shop, 'sentry-event-samples'],
    [api, 'bugsink-event-samples/bugsink'],
  ] as const) {
    for (const event of sampleEvents(join(FIXTURES, folderName), nowMs)) await sendEvent(project.dsn, event)
  }
}

function sampleEvents(dir: string, nowMs: number): SentEvent[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json') && !name.includes('transaction'))
    .map((name, index) => ({
      ...(JSON.parse(readFileSync(join(dir, name), 'utf8')) as object),
      event_id: newEventId(),
      timestamp: (nowMs - (index + 1) ** 2 * 130_000) / 1000,
    }))
}

async function sendCspReport(dsn: string): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  await fetch(`${origin}/api${pathname}/security/?sentry_key=${username}`, {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body: JSON.stringify({
      'csp-report': {
        'document-uri': 'https://shop.example/cart',
        'effective-directive': 'img-src',
        'violated-directive': "img-src 'self'",
        'blocked-uri': 'https://ads.example/pixel.gif',
        'original-policy': "default-src 'self'; img-src 'self'",
      },
    }),
  })
}

async function picture(from: Browser, variant: string, dir: string): Promise<void> {
  const [colorScheme, width] = variant.split('-') as ['light' | 'dark', string]
  const options = { colorScheme, viewport: { width: Number(width), height: 900 } }
  const stranger = await visit(from, sonde.url, options)
  await stranger.page.goto('/sign-in')
  await stranger.page.screenshot({ path: join(dir, `sign-in-${variant}.png`) })
  await stranger.close()
  const { page, complaints, close } = await visitSignedIn(from, sonde.url, options)
  const wanted = only.split(',')
  for (const [name, path] of Object.entries(SCREENS)) {
    if (only !== '' && !wanted.includes(name)) continue
    await page.goto(path, { waitUntil: 'load' })
    const size = await page.evaluate(() => ({
      height: document.documentElement.scrollHeight,
      tooWide: document.documentElement.scrollWidth - window.innerWidth,
    }))
    if (size.tooWide > 0) console.log(`${name}-${variant}: ${size.tooWide} px too wide`)
    await page.screenshot({ path: join(dir, `${name}-${variant}.png`), fullPage: size.height < MAX_HEIGHT })
  }
  for (const complaint of complaints()) console.log(`${variant}: ${complaint}`)
  await close()
}
