import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { tanstackRouter } from '@sonde/react/tanstack-router'
import { createRootRoute, createRoute, createRouter, Link, Outlet, redirect, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'

init({
  dsn: SITE.dsn,
  tunnel: '/monitoring',
  release: 'shop@1',
  features: [navigations({ hungAfterMs: 700 }), pageDataFailures(), chunkFailures()],
})
const get = async (path: string) => {
  const answer = await fetch(path)
  if (!answer.ok) throw new TypeError('no data')
  return answer.json()
}
const page = (name: string) => () => <h1>{name}</h1>
const rootRoute = createRootRoute({
  component: () => <><nav>
    <Link to="/" preload={false}>home</Link>
    <Link to="/orders/$id" params={{ id: '7' }} preload={false}>order 7</Link>
    <Link to="/orders/$id" params={{ id: '8' }} preload="intent" preloadDelay={0}>order 8</Link>
    <Link to="/old" preload={false}>old</Link>
    <Link to="/hung" preload={false}>hung</Link>
    <Link to="/broken" preload={false}>broken</Link>
    <a href="/nowhere" onClick={(e) => { e.preventDefault(); router.history.push('/nowhere') }}>nowhere</a>
    </nav><Outlet /></>,
  notFoundComponent: page('not here'),
})
const route = (path: string, options: object) => createRoute({ getParentRoute: () => rootRoute, path, ...options })
const router = createRouter({
  routeTree: rootRoute.addChildren([
    route('/', { component: page('home') }),
    route('/orders/$id', { loader: () => get('/api/gate/order'), component: page('order'), staleTime: 10_000 }),
    route('/old', { loader: async () => { await get('/api/who'); throw redirect({ to: '/orders/$id', params: { id: '9' } }) } }),
    route('/hung', { loader: () => get('/api/gate/hung'), component: page('hung') }),
    route('/broken', { loader: () => get('/api/broken'), errorComponent: page('failed') }),
  ]),
})
tanstackRouter(router)
const root = document.createElement('div')
document.body.append(root)
createRoot(root).render(<RouterProvider router={router} />)
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

async function start() {
  const site = await startRecorderSite({ script: SCRIPT })
  const tab = await openPage(browser)
  const { page } = tab
  await page.goto(site.url)
  await page.getByRole('heading', { name: 'home' }).waitFor()
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  return {
    site,
    page,
    link,
    click: (name: string) => link(name).click(),
    shows: (heading: string) => page.getByRole('heading', { name: heading }).waitFor(),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}
const ended = (outcome: string) => (entry: { facts: { outcome: string } }) => entry.facts.outcome === outcome

describe('TanStack Router', () => {
  it('records a committed navigation, and a second one out of the cache with its age', async () => {
    await using app = await start()
    await app.click('order 7')
    await app.shows('order')
    const first = await app.site.waitForEntry('ui.navigation', ended('committed'))
    assert.deepEqual(
      [first.name, first.facts.from_route, first.facts.trigger, first.facts.router, first.facts.cache],
      ['/orders/[id]', '/', 'click', 'tanstack-router', 'miss'],
    )
    assert.ok(first.facts['phase.data'] >= 0 && first.facts.bytes > 500)
    await app.page.goBack()
    await app.shows('home')
    await app.click('order 7')
    const again = await app.site.waitForEntry('ui.navigation', ({ facts }) => facts.cache === 'hit')
    assert.equal(again.facts.requests, undefined)
    assert.ok(again.facts.cache_age > 0)
    assert.deepEqual(app.site.outcomes(), ['/orders/[id] committed', '/ committed', '/orders/[id] committed'])
    const back = app.site.entries('ui.navigation')[1]
    assert.equal(back!.facts.trigger, 'back')
  })

  it('records a redirect and its target as two', async () => {
    await using app = await start()
    await app.click('old')
    await app.shows('order')
    const target = await app.site.waitForEntry('ui.navigation', ended('committed'))
    const first = app.site.entries('ui.navigation').find(ended('redirected'))!
    assert.equal(first.name, '/old')
    assert.deepEqual(
      [target.name, target.facts.trigger, target.facts.redirected_from],
      ['/orders/[id]', 'redirect', first.id],
    )
  })

  it('records what is superseded, and what hangs', async () => {
    await using app = await start()
    app.site.close('hung')
    await app.click('hung')
    const pending = await app.site.waitForEntry('ui.navigation', ended('pending'))
    assert.equal(pending.facts.waiting_for, '/api/gate/hung')
    await app.click('order 7')
    await app.shows('order')
    await app.site.waitForEntry('ui.navigation', ended('committed'))
    assert.deepEqual(app.site.outcomes(), ['/hung pending', '/hung superseded', '/orders/[id] committed'])
    app.site.open('hung')
  })

  it('records a failed loader, reports its error once, and a page that does not exist', async () => {
    await using app = await start()
    app.site.fail('/api/broken', [502])
    await app.click('broken')
    await app.shows('failed')
    const entry = await app.site.waitForEntry('ui.navigation', ended('errored'))
    assert.deepEqual([entry.name, entry.facts.reason], ['/broken', 'TypeError'])
    const [event] = await app.site.waitForItems('event')
    assert.equal(event!.payload.contexts.navigation.id, entry.id)
    await app.click('nowhere')
    await app.shows('not here')
    const missing = await app.site.waitForEntry('ui.navigation', ({ name }) => name === '/nowhere')
    assert.deepEqual([missing.facts.outcome, missing.facts.reason], ['errored', 'http_404'])
    assert.equal(app.site.items('event').length, 1)
  })

  it('tells a prefetch that was used from one that came late and one that was wasted', async () => {
    await using app = await start()
    await app.link('order 8').hover()
    await app.page.waitForFunction(
      () => performance.getEntriesByName(`${location.origin}/api/gate/order`).length === 1,
    )
    await app.page.mouse.move(0, 500)
    await app.click('order 8')
    await app.shows('order')
    const used = await app.site.waitForEntry('ui.navigation', ({ facts }) => facts.prefetch === 'used')
    assert.ok(used.facts.prefetch_lead >= 0)
    assert.equal(used.facts.requests, undefined)
    await app.page.goto('about:blank')
    const summary = await app.site.waitForEntry('ui.prefetch', () => true)
    const { route, issued, used: uses, late, stale, wasted } = summary.facts
    assert.deepEqual([route, issued - wasted, uses, late, stale], ['/orders/[id]', 1, 1, 0, 0])
    const { requests, bytes, wasted_bytes: wastedBytes } = summary.facts
    assert.ok(requests >= 1 && bytes > 0, `${requests} requests of ${bytes} bytes`)
    assert.ok(wastedBytes < bytes, `${wastedBytes} of ${bytes} bytes were wasted, one fetch was used`)
  })

  it('tells a prefetch that came late, and counts the one that nobody needed', async () => {
    await using app = await start()
    app.site.close('order')
    await app.link('order 8').hover()
    await app.click('order 8')
    app.site.open('order')
    await app.shows('order')
    const late = await app.site.waitForEntry('ui.navigation', ended('committed'))
    assert.equal(late.facts.prefetch, 'late')
    await app.click('home')
    await app.shows('home')
    await app.page.goto('about:blank')
    const summary = await app.site.waitForEntry('ui.prefetch', () => true)
    assert.equal(summary.facts.late, 1)
  })
})
