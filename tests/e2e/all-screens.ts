/** Every screen once, filled, for tests that hold all of them to the same rules. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { custom, element, pageOf, sendReplay } from '../harness/replay-events.ts'
import { sendReplayVideo } from '../harness/replay-videos.ts'
import { sondeJson, startSonde } from '../harness/start-sonde.ts'
import { fillAlerts, METRIC_INCIDENT, TRACKER, UPTIME_MONITOR } from './alert-rows.ts'
import { WIDE } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { CRON_MONITOR, fillCrons } from './cron-rows.ts'
import { fillSourceMaps } from './fill-source-maps.ts'
import { fillHydration } from './hydration-events.ts'
import { fillInsights, QUERY } from './insight-events.ts'
import { largestEvent } from './largest-event.ts'
import { fillNavigations } from './navigation-events.ts'
import { fillNoise } from './noise-events.ts'
import { fillLogs, fillPerformance } from './performance-events.ts'
import { fillReleases } from './release-events.ts'
import { checkoutError, messageEvent, sendEvent } from './screens-events.ts'
import { hydrated, type Visit, visit, visitSignedIn } from './screens-visit.ts'
import { fillStatusPage } from './status-rows.ts'
import { fillTeamwork } from './teamwork-rows.ts'

const ISSUE = '/acme/shop/issues/SHOP-1'
const TRACE = 'ab'.repeat(16)
const REPLAY = 'cd'.repeat(16)
const FILMED = 'ce'.repeat(16)
const LONG = 'VeryLongNameThatNobodyCanBreakBecauseItHasNoSpacesAnywhereInIt'

/** Without what only the link says. */
const INVITATION = '/settings/invitation?token='
const SHARED = '/settings/shared/'
/** Of who is not signed in. */
const isOfStrangers = (path: string): boolean =>
  ['/sign-in', '/settings/invitation', SHARED, '/settings/confirm-address'].some((start) =>
    path.startsWith(start),
  )

export const SCREENS: Readonly<Record<string, string>> = {
  'signing in': '/sign-in',
  'a forgotten password': '/sign-in/forgot',
  'a link to a new password that was used': '/sign-in/new-password?token=of-nobody',
  'signing in with a provider': '/sign-in/sso',
  'signing in with a provider that is not there': '/sign-in/sso/acme',
  'an invitation': INVITATION,
  'an invitation that was used': '/settings/invitation?token=of-nobody',
  'an issue that is shared': SHARED,
  'a link to confirm an address that was used': '/settings/confirm-address?token=of-nobody',
  'an application that is not known': '/settings/authorize',
  'how agents connect': '/settings/mcp',
  organizations: '/',
  projects: '/acme',
  'an organization without projects': '/default',
  'issues of all projects': '/acme/issues',
  'the overview of a project': '/acme/shop',
  'the overview of a project without data': '/acme/fresh',
  issues: '/acme/shop/issues?statsPeriod=14d&environment=production',
  'issues, nothing matches': '/acme/shop/issues?query=nothing-like-this',
  'issues, a search that is refused': '/acme/shop/issues?query=is%3Anonsense',
  'a project that waits for its first event': '/acme/fresh/issues',
  'an issue': ISSUE,
  'the activity of an issue': `${ISSUE}/activity`,
  'what an issue was merged of': `${ISSUE}/merged`,
  'the public link of an issue': `${ISSUE}/share`,
  'saved searches': '/acme/issues/searches?project=shop&query=is%3Aunresolved%20cart&sort=freq',
  'no saved searches yet': '/default/issues/searches',
  'issues to merge': '/acme/shop/issues/merge?ids=1,2,3,4,5',
  'issues to delete': '/acme/shop/issues/delete?ids=1,2,3,4,5',
  'a large issue': '/acme/shop/issues/SHOP-3',
  'one event of an issue': `${ISSUE}/events/`,
  'events of an issue': `${ISSUE}/events`,
  'values of a tag': `${ISSUE}/tags/environment`,
  transactions: '/acme/shop/performance',
  queries: '/acme/shop/insights/queries?statsPeriod=24h',
  'a query': `/acme/shop/insights/queries/detail?name=${encodeURIComponent(QUERY)}`,
  requests: '/acme/shop/insights/requests',
  assets: '/acme/shop/insights/assets?owner=own',
  caches: '/acme/shop/insights/caches',
  'a key of a cache': '/acme/shop/insights/caches/detail?name=cart%3A*',
  'no queues yet': '/acme/fresh/insights/queues',
  'web vitals, one of them explained': '/acme/shop/vitals?vital=inp&statsPeriod=24h',
  feedback: '/acme/shop/feedback',
  'no feedback yet': '/acme/fresh/feedback',
  'no profiles yet': '/acme/fresh/profiles',
  'service map': '/acme/service-map',
  'no services yet': '/default/service-map',
  'no AI agents yet': '/acme/fresh/ai-agents',
  'prices of AI models': '/acme/shop/ai-agents/prices',
  'no mobile vitals yet': '/acme/fresh/mobile',
  'no replays yet': '/acme/fresh/replays',
  replays: '/acme/shop/replays',
  'a replay': `/acme/shop/replays/${REPLAY}`,
  'a replay of a mobile SDK': `/acme/shop/replays/${FILMED}`,
  'no profiles to compare': '/acme/fresh/profiles/compare',
  logs: '/acme/shop/logs?statsPeriod=24h',
  'patterns of logs': '/acme/shop/logs?view=patterns&statsPeriod=24h',
  'no logs yet': '/acme/fresh/logs',
  metrics: '/acme/shop/metrics?statsPeriod=24h',
  'no metrics yet': '/acme/fresh/metrics',
  'no web vitals yet': '/acme/fresh/vitals',
  hydration: '/acme/shop/hydration',
  'no hydration yet': '/acme/fresh/hydration',
  navigations: '/acme/shop/navigations',
  releases: '/acme/shop/releases',
  'a release': '/acme/shop/releases/shop%404.12.0',
  'two releases': '/acme/shop/releases/compare',
  'a trace': `/acme/traces/${TRACE}`,
  'an event that cannot be read': '/acme/shop/issues/SHOP-4',
  'an event that was read with a source map': '/acme/shop/issues/SHOP-5',
  'alert rules': '/acme/shop/alerts',
  'a new alert rule': '/acme/shop/alerts/new',
  'a new metric rule': '/acme/shop/alerts/new?kind=metric',
  'an alert rule': '/acme/shop/alerts/2',
  'uptime monitors': '/acme/shop/uptime',
  'an uptime monitor': `/acme/shop/uptime/${UPTIME_MONITOR}`,
  'new uptime monitor': '/acme/shop/uptime/new',
  'no uptime monitors': '/acme/fresh/uptime',
  'cron monitors': '/acme/shop/crons',
  'a cron monitor': `/acme/shop/crons/${CRON_MONITOR}`,
  'new cron monitor': '/acme/shop/crons/new',
  'changing a cron monitor': `/acme/shop/crons/${CRON_MONITOR}/edit`,
  'an incident of a cron monitor': `/acme/shop/alerts/incidents/${CRON_MONITOR + 2}`,
  'no cron monitors': '/acme/fresh/crons',
  incidents: '/acme/shop/alerts/incidents',
  'an incident': '/acme/shop/alerts/incidents/1',
  'an incident of a metric': `/acme/shop/alerts/incidents/${METRIC_INCIDENT}`,
  'source maps': '/acme/shop/source-maps',
  'one upload': '/acme/shop/source-maps?upload=1',
  'no source maps yet': '/acme/fresh/source-maps',
  'settings of a project': '/acme/shop/settings',
  'grouping of a project': '/acme/shop/settings/grouping',
  noise: '/acme/shop/noise',
  'no noise yet': '/acme/fresh/noise',
  'discarded issues': '/acme/shop/settings/discarded',
  'nothing discarded yet': '/acme/fresh/settings/discarded',
  'data retention of a project': '/acme/shop/settings/retention',
  'personal data of a project': '/acme/shop/settings/personal-data',
  'personal data of an organization': '/acme/settings/personal-data',
  'export of an organization': '/acme/settings/export',
  'coverage of a project': '/acme/shop/settings/coverage',
  'coverage of a project without pages': '/acme/fresh/settings/coverage',
  'performance issues of a project': '/acme/shop/settings/performance-issues',
  'ownership of a project': '/acme/shop/settings/ownership',
  'members and tokens': '/acme/settings',
  invitations: '/acme/settings/invitations',
  teams: '/acme/settings/teams',
  'no teams yet': '/default/settings/teams',
  'a team': '/acme/settings/teams/web',
  channels: '/acme/settings/channels',
  'a new channel': '/acme/settings/channels?kind=webhook',
  'a new channel with steps': '/acme/settings/channels?kind=slack_app',
  'a channel': '/acme/settings/channels/1',
  'the language model': '/acme/settings/model',
  'issue trackers': '/acme/settings/trackers',
  'a new issue tracker': '/acme/settings/trackers?kind=jira',
  'an issue tracker': `/acme/settings/trackers/${TRACKER}`,
  'the status page': '/acme/settings/status-page',
  'incidents of the status page': '/acme/settings/status-page/incidents',
  'no status page yet': '/default/settings/status-page',
  'single sign-on': '/acme/settings/single-sign-on',
  'a new OpenID provider': '/acme/settings/single-sign-on?kind=oidc',
  'a new SAML provider': '/acme/settings/single-sign-on?kind=saml',
  'an issue to make or link': `${ISSUE}/link`,
  inbox: '/settings/inbox',
  'notification settings': '/settings/notifications',
  'no more mail': '/settings/unsubscribe?token=of-nobody',
  account: '/settings/account',
  'audit log': '/acme/settings/audit',
  'an audit log without entries': '/acme/settings/audit?end=2020-01-01',
  'audit log of the installation': '/settings/audit',
  'status of the installation': '/settings/status',
  'backups of the installation': '/settings/backups',
  'storage of the installation': '/settings/storage',
  'storage of an organization': '/acme/settings/storage',
  'recently deleted': '/acme/settings/recently-deleted',
  'deleted organizations': '/settings/recently-deleted',
  'not found': '/acme/nope',
}

export type FilledSonde = {
  readonly url: string
  /** Of the owner, for one screen after the other. */
  readonly page: Page
  /** Opens a screen in that page, wide and light (what strangers see: in a page of nobody's) and waits until its scripts run. */
  show(path: string): Promise<Page>
  /** The owner in a browser of their own. */
  visit(options: BrowserContextOptions): Promise<Visit>
  close(): Promise<number | null>
}

/** With a name that does not break, one who is locked out, and tokens that end and that do not. */
function fillPeople(dataDir: string): void {
  const person = (name: string, email: string): unknown =>
    sondeJson(dataDir, ['user', 'create', '--org', 'acme', '--name', name, '--email', email])
  person(LONG, `${LONG.toLowerCase().slice(0, 60)}@example.com`)
  person('Grace', 'grace@example.com')
  sondeJson(dataDir, ['user', 'disable', '--email', 'grace@example.com'])
  for (const more of [[], ['--expires-days', '30']])
    sondeJson(dataDir, ['token', 'create', '--org', 'acme', '--name', LONG, '--scopes', 'org:ci', ...more])
}

export async function startFilledSonde(): Promise<FilledSonde> {
  const sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  const server = createProject(sonde, 'acme/api', 'node')
  createProject(sonde, 'acme/fresh', 'python')
  await fillPerformance(dsn, server.dsn, TRACE)
  await fillHydration(dsn)
  await fillLogs(dsn, TRACE)
  const replayed = pageOf(Date.now() - 60_000, { body: [element('h1', {}, LONG)] })
  await sendReplay(dsn, { replayId: REPLAY, segment: 0, user: { username: LONG } }, replayed)
  // What is shown when a video cannot be played: the whole screen beside it.
  const filmedMs = Date.now() - 50_000
  await sendReplayVideo(dsn, {
    replayId: FILMED,
    segment: 0,
    atMs: filmedMs,
    durationMs: 5_000,
    video: Buffer.from('\0\0\0\x18ftypmp42 no frames'),
    user: { username: LONG },
    events: [
      custom(filmedMs, 'breadcrumb', { timestamp: filmedMs / 1000, category: 'ui.tap', message: LONG }),
    ],
  })
  await fillNavigations(dsn)
  await fillReleases(sonde, dsn, { visits: 12 })
  const api = apiClient(sonde)
  const arrives = (id: string) => api.until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
  const nowMs = Date.now()
  await arrives(await sendEvent(dsn, checkoutError(nowMs - 3_600_000, 'u-1')))
  await arrives(await sendEvent(dsn, messageEvent(nowMs - 30_000, `${LONG} answered slowly: 812 ms`)))
  await arrives(await sendEvent(dsn, largestEvent(nowMs - 20_000)))
  await arrives((await fillSourceMaps(sonde, dsn)).readable)
  const latest = await sendEvent(dsn, checkoutError(nowMs - 60_000, LONG))
  await arrives(latest)
  await arrives(await fillNoise(dsn))
  fillPeople(sonde.dataDir)
  fillAlerts(sonde.dataDir, LONG)
  fillCrons(sonde.dataDir, LONG)
  fillStatusPage(sonde.dataDir, LONG)
  const browser = await launchChromium()
  const { page } = await visitSignedIn(browser, sonde.url, { viewport: WIDE })
  const signedIn = await page.context().storageState()
  const links = await fillTeamwork(sonde, page, dsn, LONG)
  // Last: its N+1 queries are an issue, and those above have their numbers.
  await fillInsights(dsn, 4)
  const lookups = '/api/0/organizations/acme/events/?dataset=spans&field=count()&query=op:cache.get'
  await api.until<{ data: { 'count()': number }[] }>(lookups, ({ data }) => data[0]?.['count()'] === 4)
  const stranger = await visit(browser, sonde.url, { viewport: WIDE })
  const endings: ReadonlyMap<string, string> = new Map([
    [`${ISSUE}/events/`, latest],
    [INVITATION, links.invitation],
    [SHARED, links.shared],
  ])
  return {
    url: sonde.url,
    page,
    async show(path) {
      const shown = isOfStrangers(path) ? stranger.page : page
      await shown.setViewportSize(WIDE)
      await shown.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
      await shown.goto(path + (endings.get(path) ?? ''))
      await shown.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      await hydrated(shown)
      return shown
    },
    visit: (options) => visit(browser, sonde.url, { ...options, storageState: signedIn }),
    async close() {
      await browser.close()
      return sonde.stop()
    },
  }
}
