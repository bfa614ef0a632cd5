/**
 * Hydration as Next.js does it: `hydrateRoot(document)` out of reach of the app, and what React recovers from goes to the window.
 * tests/stock-tools/next-hydration.test.ts asks Next.js itself.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import type { Payload } from '../harness/recorded.ts'
import { type Site, startSite } from '../harness/site.ts'
import { App } from './hydrated-app.ts'

const SCRIPT = `
import { init } from '@sonde/browser'
import { watchNextHydration } from '@sonde/react/hydration'
import { createElement as h, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from '${new URL('./hydrated-app.ts', import.meta.url).pathname}'

const instrumentation = () => {
  watchNextHydration()
  init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1' })
  addEventListener('error', ({ message }) => ((window as any).heard = message))
}
function start() {
  instrumentation()
  const path = location.pathname.replace(/-.*/, '')
  const app = h('html', { lang: 'en' },
    h('head', null, h('title', null, 'Shop')),
    h('body', null, h(App, { path, side: 'browser' })))
  startTransition(() => {
    hydrateRoot(document, app, { onRecoverableError: (error) => reportError(error instanceof Error && error.cause || error) })
  })
}
if (location.hash === '#late') addEventListener('start', start)
else start()
`

function html(path: string): string {
  const app = h(
    'html',
    { lang: 'en' },
    h('head', null, h('title', null, 'Shop')),
    h('body', null, h(App, { path: path.replace(/-.*/, ''), side: 'server' })),
  )
  const page = renderToString(app).replace('</body>', '<script src="/page.js"></script></body>')
  return `<!doctype html>${path.endsWith('-extension') ? page.replace('<main>', '<main><grammarly-extension></grammarly-extension>') : page}`
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

type Act = (page: Awaited<ReturnType<typeof openPage>>['page']) => Promise<unknown>
const buy: Act = async (page) => {
  await page.getByRole('button').click()
  await page.getByRole('button', { name: 'bought 1 times' }).waitFor()
}

async function visit(path: string, act: Act = buy) {
  await using site = await startSite({ script: SCRIPT, html })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url + path)
  await act(tab.page)
  // Frames, by which it is seen that the page answers.
  await tab.page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0)
  const heard = await tab.page.evaluate(() => (window as { heard?: string }).heard)
  await tab.page.goto('about:blank')
  await site.waitFor('the page', () => spansOf(site, 'ui.hydration').length > 0)
  const [page] = spansOf(site, 'ui.hydration')
  const mismatches = spansOf(site, 'ui.hydration.mismatch')
  return { page: page!, mismatches, events: site.items('event').map(({ payload }) => payload), heard }
}

describe('watchNextHydration', () => {
  it('says how long the page took when nothing differs', async () => {
    const { page, mismatches, events } = await visit('/same')
    assert.deepEqual([mismatches, events], [[], []])
    assert.deepEqual([page['mismatches'], page['lost_clicks']], [0, 0])
    assert.equal(page['sentry.transaction'], '/same')
  })

  it('tells what differs by its shape, and the component that it is in, without a component stack', async () => {
    const { page, mismatches, events, heard } = await visit('/text')
    const [told, ...others] = mismatches
    assert.equal(others.length, 0)
    const { component, difference, node, before, after, scope, kind } = told!
    assert.deepEqual(
      { component, difference, node, before, after, scope, kind },
      {
        component: 'Clock',
        difference: 'text',
        node: 'time',
        before: '99:99 xx Xxxxx+',
        after: '9:99:99 XX xx Xxxxx+',
        scope: 'root',
        kind: 'mismatch',
      },
    )
    assert.ok(Number(told!['cost']) >= 0)
    assert.equal(page['mismatches'], 1)
    assert.equal(events.length, 1)
    assert.deepEqual(events[0].fingerprint, ['hydration-mismatch', '/text', 'Clock'])
    assert.equal(told!['event_id'], events[0].event_id)
    assert.match(heard ?? '', /ydrat|418/)
  })

  it('tells a boundary of its own with the time that it took', async () => {
    const { mismatches } = await visit('/boundary', async (page) => {
      await page.getByText('1.299,00 €').waitFor()
      await buy(page)
    })
    const [told] = mismatches
    assert.deepEqual(
      [told?.['component'], told?.['scope'], told?.['before'], told?.['after']],
      ['Price', 'boundary', '$9,999.99', '9.999,99 €'],
    )
    assert.ok(Number(told?.['cost']) >= 60 && Number(told?.['cost']) < 5000, String(told?.['cost']))
  })

  it('counts what is nobody’s fault, and no other tool makes an issue of it', async () => {
    const { page, mismatches, events, heard } = await visit('/same-extension')
    assert.deepEqual(events, [])
    assert.equal(page['mismatches'], 0)
    assert.equal(mismatches[0]?.['benign'], 'extension')
    assert.equal(heard, undefined)
  })

  it('counts clicks that came before the app could answer', async () => {
    const { page } = await visit('/same#late', async (tab) => {
      await tab.getByRole('button').click()
      await tab.evaluate(() => dispatchEvent(new Event('start')))
      await buy(tab)
    })
    assert.equal(page['lost_clicks'], 1)
  })
})
