/** The integration in Sentry's own SDK, in each version that people have: what it adds to what the SDK sends. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import type { Payload, Recorded } from '../harness/recorded.ts'
import { type RecorderSite, startRecorderSite } from './recorder-site.ts'

const SDKS: readonly (readonly [version: string, name: string])[] = [
  ['8', '@sentry/browser-8'],
  ['9', '@sentry/browser-9'],
  ['10', '@sentry/browser-10'],
  ['11', '@sentry/browser'],
]

const pageOf = (options: string, after = ''): string => `
import * as Sentry from '@sentry/browser'
import { sondeNavigations } from '@sonde/sentry-integration'
Sentry.init({
  dsn: SITE.dsn,
  release: 'shop@1',
  environment: 'test',
  ${options}
})
${after}
Sentry.setUser({ id: '42' })
const main = document.createElement('main')
document.body.append(main)
const show = () => { main.textContent = 'page ' + location.pathname }
const go = (path: string) => { history.pushState(null, '', path); show() }
for (const path of ['/a', '/b']) {
  const link = document.createElement('a')
  link.href = path
  link.textContent = path
  link.onclick = (event) => { event.preventDefault(); go(path); void fetch('/api/items').then((answer) => answer.json()) }
  document.body.append(link)
}
addEventListener('popstate', show)
show()
Object.assign(window, { go, Sentry })
`
const TRACED = `tracesSampleRate: 1, integrations: [Sentry.browserTracingIntegration(), sondeNavigations()]`

/** The SDK's own have other habits. */
const isOurs = ({ items }: Recorded): boolean =>
  items.some(
    ({ header, payload }) =>
      header.type === 'span' && 'sonde.page_start' in (payload.items?.[0].attributes ?? {}),
  )

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

/** Trace id and span id of the SDK's own root spans of navigations, whatever form they have. */
async function stockNavigations(site: RecorderSite, count: number): Promise<readonly (readonly string[])[]> {
  const read = (): string[][] => [
    ...site
      .items('transaction')
      .map(({ payload }) => payload.contexts.trace)
      .filter(({ op }) => op === 'navigation')
      .map(({ trace_id, span_id, data }) => [trace_id, span_id, data['sonde.navigation.id']]),
    ...site
      .items('span')
      .flatMap(({ payload }) => (payload.items ?? []) as Payload[])
      .filter(({ is_segment, attributes }) => is_segment && attributes['sentry.op']?.value === 'navigation')
      .map(({ trace_id, span_id, attributes }) => [
        trace_id,
        span_id,
        attributes['sonde.navigation.id']?.value,
      ]),
  ]
  await site.waitFor(`${count} navigations of the SDK`, () => read().length >= count)
  return read()
}

const capture = (page: Page, text: string): Promise<unknown> =>
  page.evaluate((message) => {
    const { Sentry } = window as unknown as { Sentry: { captureException(error: Error): string } }
    return Sentry.captureException(new Error(message))
  }, text)

for (const [version, name] of SDKS) {
  describe(`with @sentry/browser ${version}`, () => {
    const alias = { '@sentry/browser': name }

    it('each navigation is a record in the trace of the SDK’s own span', async () => {
      await using site = await startRecorderSite({ script: pageOf(TRACED), alias, isOurs })
      await using tab = await openPage(browser)
      await tab.page.goto(site.url)
      await tab.page.getByRole('link', { name: '/a' }).click()
      const click = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/a')
      // By a click: what code does this soon is a redirect to newer SDKs, and no span of its own.
      await tab.page.getByRole('link', { name: '/b' }).click()
      await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/b')
      const records = site.entries('ui.navigation')
      assert.deepEqual(
        records.map(({ facts }) => [facts.from, facts.to, facts.trigger, facts.outcome]),
        [
          ['/', '/a', 'click', 'committed'],
          ['/a', '/b', 'click', 'committed'],
        ],
      )
      const { facts, span } = click
      assert.equal(facts.build, 'shop@1')
      assert.equal(facts.requests, 1)
      assert.ok(facts['phase.paint'] >= 0 && facts['phase.settled'] >= 0)
      const said = (key: string): unknown => span.attributes[key]?.value
      assert.deepEqual(['sentry.release', 'sentry.environment', 'user.id', 'sentry.sdk.name'].map(said), [
        'shop@1',
        'test',
        '42',
        'sentry.javascript.browser',
      ])
      // Hiding the page ends the SDK's last span.
      await tab.page.goto('about:blank')
      const own = await stockNavigations(site, 2)
      assert.deepEqual(
        own.map(([traceId, spanId, record]) => [traceId, spanId, record].join()).toSorted(),
        records.map(({ traceId, parentId, id }) => [traceId, parentId, id].join()).toSorted(),
      )
      assert.equal(new Set(own.map(([traceId]) => traceId)).size, 2)
      assert.deepEqual(tab.complaints, [])
    })

    it('routes are those by which an integration for a router names the SDK’s spans', async () => {
      // As those integrations do; the last tells of it when the page is there.
      const tracing = `tracesSampleRate: 1,
        integrations: [Sentry.browserTracingIntegration({ instrumentNavigation: false, instrumentPageLoad: false }), sondeNavigations()]`
      const routes = `
        const route = { '${version === '11' ? 'sentry.segment.name.source' : 'sentry.source'}': 'route' }
        const client = Sentry.getClient()!
        Sentry.startBrowserTracingPageLoadSpan(client, { name: '/shops/:shop', attributes: route })
        addEventListener('told', (event: any) =>
          Sentry.startBrowserTracingNavigationSpan(client, { name: event.detail, attributes: route }))
      `
      await using site = await startRecorderSite({ script: pageOf(tracing, routes), alias, isOurs })
      await using tab = await openPage(browser)
      await tab.page.goto(`${site.url}/shops/tea`)
      const go = (to: string, told: string) =>
        tab.page.evaluate(`go('${to}'); dispatchEvent(new CustomEvent('told', { detail: '${told}' }))`)
      await go('/shops/tea/orders/7', '/shops/:shop/orders/:order')
      const first = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to.endsWith('7'))
      // A name that cannot be of this path is not taken.
      await go('/about', '/shops/:shop/orders/:order')
      const second = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/about')
      const routesOf = ({ facts }: typeof first) => [facts.from_route, facts.to_route]
      assert.deepEqual(routesOf(first), ['/shops/:shop', '/shops/:shop/orders/:order'])
      assert.deepEqual(routesOf(second), ['/shops/:shop/orders/:order', undefined])
    })

    it('errors say during which navigation they happened, and failures of requests are told', async () => {
      await using site = await startRecorderSite({ script: pageOf(TRACED), alias, isOurs })
      await using tab = await openPage(browser)
      await tab.page.goto(site.url)
      site.fail('/api/items', [503])
      await tab.page.evaluate(() => {
        const { go, Sentry } = window as unknown as {
          go(path: string): void
          Sentry: { captureException(error: Error): void }
        }
        go('/b')
        Sentry.captureException(new Error('while it loads'))
        void fetch('/api/items')
      })
      const [{ payload: error }] = (await site.waitForItems('event')) as [Payload]
      const { id } = error.contexts.navigation
      assert.equal(error.contexts.navigation.to, '/b')
      const record = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/b')
      assert.equal(record.id, id)
      assert.equal(record.traceId, error.contexts.trace.trace_id)
      await tab.page.goto('about:blank')
      const failure = await site.waitForEntry('ui.page_data_failure', () => true)
      assert.deepEqual(
        [failure.name, failure.facts.kind, failure.facts.status, failure.facts.navigation],
        ['GET /api/items', 'server_error', 503, id],
      )
    })

    it('without tracing records have the trace that errors have, and go through the tunnel', async () => {
      const script = pageOf(`tunnel: '/monitoring'`, `Sentry.addIntegration(sondeNavigations())`)
      await using site = await startRecorderSite({ script, alias, isOurs })
      await using tab = await openPage(browser)
      await tab.page.goto(site.url)
      await tab.page.getByRole('link', { name: '/a' }).click()
      const record = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/a')
      await capture(tab.page, 'later')
      const [{ payload: error }] = (await site.waitForItems('event')) as [Payload]
      assert.equal(record.traceId, error.contexts.trace.trace_id)
      assert.equal(record.parentId, undefined)
      assert.equal(error.contexts.navigation, undefined, 'the navigation is over')
      const sent = await site.waitFor('a record', ({ items }) =>
        items.some(({ header }) => header.type === 'span'),
      )
      assert.equal(sent.path, '/monitoring')
      assert.equal(sent.header['dsn'], site.dsn)
      assert.equal(
        site.entries('ui.page_data_failure').length,
        0,
        'the SDK’s own requests are none of the page',
      )
    })
  })
}

describe('what the SDK is told', () => {
  it('goes for the records too: a rate limit of spans holds them back', async () => {
    await using site = await startRecorderSite({
      script: pageOf('integrations: [sondeNavigations()]'),
      isOurs,
    })
    await using tab = await openPage(browser)
    site.answer({ status: 200, headers: { 'x-sentry-rate-limits': '60:span:organization' } })
    await tab.page.goto(site.url)
    await capture(tab.page, 'first')
    await site.waitForItems('event')
    await tab.page.evaluate('go("/b")')
    await tab.page.goto('about:blank')
    const report = await site.waitForItems('client_report')
    assert.deepEqual(
      report[0]?.payload.discarded_events.map(({ reason, category }: Payload) => [reason, category]),
      [['ratelimit_backoff', 'span']],
    )
    assert.deepEqual(site.entries('ui.navigation'), [])
  })
})
