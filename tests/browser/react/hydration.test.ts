/** Hydration of what React 19 really rendered on a server: what differs, what it costs, what was pressed too early. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import type { Payload } from '../harness/recorded.ts'
import { type Site, startSite } from '../harness/site.ts'
import { App } from './hydrated-app.ts'

const SCRIPT = `
import { init } from '@sonde/browser'
import { watchHydration } from '@sonde/react/hydration'
import { hydrateRoot } from 'react-dom/client'
import { App } from '${new URL('./hydrated-app.ts', import.meta.url).pathname}'

function start() {
  init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1' })
  const container = document.getElementById('root')!
  const path = location.pathname.replace(/-.*/, '')
  const { app, handlers } = watchHydration(container, <App path={path} side="browser" />)
  hydrateRoot(container, app, handlers)
}
if (location.hash === '#late') addEventListener('start', start)
else start()
`

function html(path: string): string {
  const app = renderToString(createElement(App, { path: path.replace(/-.*/, ''), side: 'server' }))
  const changed = path.endsWith('-extension')
    ? app.replace('<main>', '<main><grammarly-extension></grammarly-extension>')
    : path.endsWith('-marked')
      ? app.replace('<time>', '<time data-gr-id="7" nonce="abc">')
      : app
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"></head>
<body><div id="root">${changed}</div><script src="/page.js"></script></body></html>`
}

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const spansOf = (site: Site, op: string): Record<string, unknown>[] =>
  site
    .items('span')
    .flatMap(({ payload }) => payload.items as Payload[])
    .filter(({ attributes }) => attributes['sentry.op'].value === op)
    .map(({ attributes }) =>
      Object.fromEntries(
        Object.entries<Payload>(attributes).map(([key, { value }]) => [
          key.replace('sonde.hydration.', ''),
          value,
        ]),
      ),
    )

/** Visits the page, does something there, and leaves it. */
async function visit(
  path: string,
  act: (page: Awaited<ReturnType<typeof openPage>>['page']) => Promise<unknown>,
) {
  const site = await startSite({ script: SCRIPT, html })
  const tab = await openPage(browser)
  await tab.page.goto(site.url + path)
  await act(tab.page)
  await tab.page.goto('about:blank')
  await site.waitFor('the page', () => spansOf(site, 'ui.hydration').length > 0)
  const [page] = spansOf(site, 'ui.hydration')
  return {
    page: page!,
    mismatches: spansOf(site, 'ui.hydration.mismatch'),
    events: site.items('event').map(({ payload }) => payload),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

type Visited = Parameters<typeof visit>[1]
const buy: Visited = async (page) => {
  await page.getByRole('button').click()
  await page.getByRole('button', { name: 'bought 1 times' }).waitFor()
}

describe('watchHydration', () => {
  it('says how long the page took when nothing differs', async () => {
    await using visited = await visit('/same', buy)
    const { page, mismatches, events } = visited
    assert.deepEqual([mismatches, events], [[], []])
    assert.deepEqual([page['mismatches'], page['lost_clicks']], [0, 0])
    assert.equal(page['sentry.transaction'], '/same')
    assert.deepEqual(
      Object.keys(page).filter((name) => name.startsWith('benign.')),
      [],
    )
  })

  it('tells a text that differs outside of boundaries by its shape, and that the whole root was rendered anew', async () => {
    await using visited = await visit('/text', buy)
    const { page, mismatches, events } = visited
    const [told, ...others] = mismatches
    assert.equal(others.length, 0)
    const { component, difference, node, before, after, scope, kind, benign } = told!
    assert.deepEqual(
      { component, difference, node, before, after, scope, kind, benign },
      {
        component: 'Clock',
        difference: 'text',
        node: 'time',
        before: '99:99 xx Xxxxx+',
        after: '9:99:99 XX xx Xxxxx+',
        scope: 'root',
        kind: 'mismatch',
        benign: undefined,
      },
    )
    assert.ok(Number(told!['cost']) >= 0)
    assert.equal(page['mismatches'], 1)
    const [event, ...more] = events
    assert.equal(more.length, 0)
    assert.deepEqual(event.fingerprint, ['hydration-mismatch', '/text', 'Clock'])
    assert.equal(told!['event_id'], event.event_id)
    assert.doesNotMatch(JSON.stringify([mismatches, event.contexts]), /Berlin|Lisbon/)
  })

  it('tells a boundary of its own with the time that it took', async () => {
    await using visited = await visit('/boundary', async (page) => {
      await page.getByText('1.299,00 €').waitFor()
      await buy(page)
    })
    const [told] = visited.mismatches
    assert.deepEqual(
      [told?.['component'], told?.['scope'], told?.['before'], told?.['after']],
      ['Price', 'boundary', '$9,999.99', '9.999,99 €'],
    )
    // What was rendered anew takes 60 ms; the try before may lie in the same frame.
    assert.ok(Number(told?.['cost']) >= 60 && Number(told?.['cost']) < 5000, String(told?.['cost']))
  })

  it('counts what is nobody’s fault and makes no issue of it', async () => {
    for (const [path, kind] of [
      ['/same-extension', 'extension'],
      ['/space', 'whitespace'],
    ] as const) {
      await using visited = await visit(path, buy)
      const { page, mismatches, events } = visited
      assert.deepEqual(events, [], path)
      assert.deepEqual([mismatches.length, mismatches[0]?.['benign'], page['mismatches']], [1, kind, 0], path)
      assert.ok(Number(page[`benign.${kind}`]) >= 1, JSON.stringify(page))
      assert.equal(mismatches[0]?.['before'], undefined)
    }
  })

  it('counts attributes of others without an error of React, and tells those that are the app’s own', async () => {
    await using marked = await visit('/same-marked', buy)
    assert.deepEqual([marked.mismatches, marked.events], [[], []])
    assert.deepEqual([marked.page['benign.extension'], marked.page['benign.nonce']], [1, 1])
    await using own = await visit('/attribute', buy)
    const [told] = own.mismatches
    assert.deepEqual(
      [
        told?.['component'],
        told?.['difference'],
        told?.['node'],
        told?.['before'],
        told?.['after'],
        told?.['cost'],
      ],
      ['Badge', 'attribute', 'i', 'class="xxxx+"', 'class="xxxx"', 0],
    )
    assert.deepEqual([own.page['mismatches'], own.events], [1, []])
  })

  it('counts clicks that came before the app could answer, where it would have', async () => {
    const late =
      (selector: string): Visited =>
      async (page) => {
        await page.locator(selector).click()
        await page.evaluate(() => dispatchEvent(new Event('start')))
        await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0)
        await buy(page)
      }
    await using lost = await visit('/same#late', late('button'))
    assert.equal(lost.page['lost_clicks'], 1)
    await using idle = await visit('/same#late', late('span'))
    assert.equal(idle.page['lost_clicks'], 0)
  })
})
