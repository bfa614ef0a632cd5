import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { reactRouter, reactRouterLoads, reactRouterPrefetch } from '@sonde/react/react-router'
import { createBrowserRouter, Link, Outlet, redirect, useBlocker, useNavigate } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createRoot } from 'react-dom/client'

init({
  dsn: SITE.dsn,
  tunnel: '/monitoring',
  release: 'shop@1',
  features: [navigations({ hungAfterMs: 700 }), pageDataFailures(), chunkFailures()],
})
if (location.search.includes('polls')) setInterval(() => void fetch('/api/alive').then((a) => a.json()), 100)
const get = async (path: string) => {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error('no data')
  return answer.json()
}
const retry = async (path: string) => {
  for (let attempt = 0; ; attempt++) {
    try { return await get(path) } catch (error) { if (attempt === 2) throw error }
  }
}
const paths = ['/', '/plain', '/orders/7', '/old', '/hung', '/broken', '/lazy', '/retried', '/form', '/nowhere']
function Shell() {
  const navigate = useNavigate()
  return <><nav>{paths.map((path) => <Link key={path} to={path}>{path}</Link>)}</nav>
    <button onClick={() => setTimeout(() => navigate('/plain'), 300)}>later</button><button onClick={() => warm('/api/gate/order')}>warm</button><Outlet /></>
}
function Form() {
  const blocker = useBlocker(true)
  return <h1>form {blocker.state}</h1>
}
const ahead = new Map<string, Promise<unknown>>()
function warm(path: string) {
  const ended = reactRouterPrefetch('/orders/7')
  ahead.set(path, get(path).finally(() => ended(60_000)))
}
const page = (name: string) => () => <h1>{name}</h1>
const never = new Promise(() => {})
const router = createBrowserRouter([{
  path: '/',
  Component: Shell,
  ErrorBoundary: page('root failed'),
  children: [
    { index: true, Component: page('home') },
    { path: 'plain', Component: page('plain') },
    { path: 'orders', children: [{ path: ':id', loader: () => ahead.get('/api/gate/order') ?? get('/api/gate/order'), Component: page('order') }] },
    { path: 'old', loader: async () => { await get('/api/who'); return redirect('/orders/8') }, Component: page('old') },
    { path: 'hung', loader: () => get('/api/gate/hung'), Component: page('hung') },
    { path: 'broken', loader: () => get('/api/broken'), Component: page('broken'), ErrorBoundary: page('failed') },
    { path: 'retried', loader: () => retry('/api/retried'), Component: page('retried') },
    { path: 'lazy', lazy: () => import(/* @vite-ignore */ SITE.chunk ?? '/chunks/lazy-1a2b3c.js') },
    { path: 'form', Component: Form },
  ],
}], location.search.includes('loads') ? { instrumentations: [reactRouterLoads()] } : {})
reactRouter(router)
const root = document.createElement('div')
document.body.append(root)
createRoot(root).render(<RouterProvider router={router} />)
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const VERSIONS = [
  { name: 'react-router 8', alias: {} },
  { name: 'react-router 7', alias: { 'react-router': 'react-router-7' } },
]

for (const { name, alias } of VERSIONS) {
  describe(name, () => {
    const start = async (query = '') => {
      const site = await startRecorderSite({
        script: SCRIPT,
        alias,
        handle(req, res) {
          if (!req.url?.startsWith('/chunks/')) return false
          res.writeHead(404, { 'content-type': 'text/plain' }).end('gone')
          return true
        },
      })
      const tab = await openPage(browser)
      const { page } = tab
      await page.goto(site.url + query)
      await page.getByRole('heading', { name: 'home' }).waitFor()
      return {
        site,
        page,
        tab,
        click: (link: string) => page.getByRole('link', { name: link, exact: true }).click(),
        shows: (heading: string) => page.getByRole('heading', { name: heading }).waitFor(),
        async [Symbol.asyncDispose]() {
          await tab[Symbol.asyncDispose]()
          await site[Symbol.asyncDispose]()
        },
      }
    }
    const ended = (outcome: string) => (entry: { facts: { outcome: string } }) =>
      entry.facts.outcome === outcome

    it('says what the app fetched ahead, whether it was needed and what it cost', async () => {
      await using app = await start()
      await app.page.getByRole('button', { name: 'warm' }).click()
      await app.page.waitForFunction(
        () => performance.getEntriesByName(`${location.origin}/api/gate/order`).length === 1,
      )
      await app.click('/orders/7')
      await app.shows('order')
      const { facts } = await app.site.waitForEntry('ui.navigation', ended('committed'))
      assert.deepEqual([facts.prefetch, facts.requests], ['used', undefined])
      await app.page.goto('about:blank')
      const { facts: counts } = await app.site.waitForEntry('ui.prefetch', () => true)
      assert.deepEqual(
        [counts.route, counts.issued, counts.used, counts.requests, counts.wasted_bytes],
        ['/orders/[id]', 1, 1, 1, 0],
      )
      assert.ok(counts.bytes > 0)
    })

    it('records a committed navigation with template, phases and bytes', async () => {
      await using app = await start()
      await app.click('/orders/7')
      await app.shows('order')
      const { name: title, facts, status } = await app.site.waitForEntry('ui.navigation', ended('committed'))
      assert.equal(title, '/orders/[id]')
      assert.equal(status, 'ok')
      assert.deepEqual(
        [facts.from_route, facts.to_route, facts.to, facts.trigger, facts.router, facts.requests],
        ['/', '/orders/[id]', '/orders/7', 'click', 'react-router', 1],
      )
      for (const phase of ['intent', 'match', 'data', 'commit', 'paint', 'settled'])
        assert.ok(facts[`phase.${phase}`] >= 0, `${phase}: ${facts[`phase.${phase}`]}`)
      assert.ok(facts.visible_after >= facts['phase.data'] + facts['phase.paint'])
      assert.ok(facts.bytes > 500)
    })

    it('records navigations without loaders, by code, and back', async () => {
      await using app = await start()
      await app.page.getByRole('button', { name: 'later' }).click()
      await app.shows('plain')
      await app.page.goBack()
      await app.shows('home')
      const back = await app.site.waitForEntry('ui.navigation', ({ facts }) => facts.trigger === 'back')
      assert.equal(back.facts.to_route, '/')
      const [first] = app.site.entries('ui.navigation')
      assert.deepEqual([first!.facts.to_route, first!.facts.trigger], ['/plain', 'programmatic'])
      assert.deepEqual(app.site.outcomes(), ['/plain committed', '/ committed'])
    })

    it('records a redirect and its target as two, counted from one click', async () => {
      await using app = await start()
      await app.click('/old')
      await app.shows('order')
      const target = await app.site.waitForEntry('ui.navigation', ended('committed'))
      const first = app.site.entries('ui.navigation').find(ended('redirected'))!
      assert.deepEqual([first.name, first.facts.redirect_to], ['/old', '/orders/[id]'])
      assert.deepEqual([target.facts.trigger, target.facts.redirected_from], ['redirect', first.id])
      assert.ok(target.facts.visible_after > target.facts['phase.data'])
    })

    it('records what a second click supersedes, also when the second has no loader', async () => {
      await using app = await start()
      app.site.close('order')
      await app.click('/orders/7')
      await app.click('/plain')
      await app.shows('plain')
      app.site.open('order')
      await app.site.waitForEntry('ui.navigation', ended('committed'))
      assert.deepEqual(app.site.outcomes(), ['/orders/[id] superseded', '/plain committed'])
    })

    it('reports a loader that hangs while it hangs, with what it waits for, and replaces it', async () => {
      await using app = await start()
      app.site.close('hung')
      await app.click('/hung')
      const pending = await app.site.waitForEntry('ui.navigation', ended('pending'))
      assert.deepEqual(
        [pending.name, pending.facts.provisional, pending.facts.waiting_for],
        ['/hung', true, '/api/gate/hung'],
      )
      assert.equal(pending.facts.stuck_in, 'data')
      assert.match(
        String(pending.facts.waits),
        /^GET \/api\/gate\/hung [6-9]\d\d$|^GET \/api\/gate\/hung \d{4}$/,
      )
      app.site.open('hung')
      const final = await app.site.waitForEntry('ui.navigation', ended('committed'))
      assert.equal(final.id, pending.id)
      for (const fact of ['waiting_for', 'stuck_in', 'waits'])
        assert.equal(final.facts[fact], pending.facts[fact], fact)
      assert.ok(final.durationMs >= 700)
    })

    it('says that the page was left while a navigation was under way', async () => {
      await using app = await start()
      app.site.close('hung')
      await app.click('/hung')
      await app.page.goto('about:blank')
      const left = await app.site.waitForEntry('ui.navigation', ended('left'))
      assert.equal(left.name, '/hung')
      app.site.open('hung')
    })

    it('knows a full page load that code asked for meanwhile from a person who leaves', async () => {
      await using app = await start()
      app.site.close('hung')
      await app.click('/hung')
      await app.page.evaluate(() => void setTimeout(() => location.assign('/plain')))
      await app.shows('plain')
      // On a busy machine it may have been told as pending before.
      const entry = await app.site.waitForEntry('ui.navigation', ({ facts }) => !facts.provisional)
      assert.deepEqual([entry.name, entry.facts.outcome], ['/hung', 'full_load'])
      app.site.open('hung')
    })

    it('records a failed loader with its error once, and the failed data as seen', async () => {
      await using app = await start()
      app.site.fail('/api/broken', [500])
      await app.click('/broken')
      await app.shows('failed')
      const entry = await app.site.waitForEntry('ui.navigation', ended('errored'))
      assert.deepEqual([entry.name, entry.facts.reason, entry.status], ['/broken', 'Error', 'error'])
      const [event] = await app.site.waitForItems('event')
      assert.equal(event!.payload.exception.values[0].value, 'no data')
      assert.deepEqual(
        [event!.payload.contexts.navigation.id, event!.payload.contexts.navigation.to_route],
        [entry.id, '/broken'],
      )
      assert.equal(app.site.items('event').length, 1)
      await app.page.goto('about:blank')
      const data = await app.site.waitForEntry('ui.page_data_failure', () => true)
      assert.equal(data.name, 'GET /api/broken')
      const { kind, status, attempts, recovered, seen, route, navigation } = data.facts
      assert.deepEqual(
        { kind, status, attempts, recovered, seen, route, navigation },
        {
          kind: 'server_error',
          status: 500,
          attempts: 1,
          recovered: false,
          seen: true,
          route: '/broken',
          navigation: entry.id,
        },
      )
    })

    it('tells failures that a retry healed, and nobody saw', async () => {
      await using app = await start()
      app.site.fail('/api/retried', [500, 503])
      await app.click('/retried')
      await app.shows('retried')
      const { facts } = await app.site.waitForEntry('ui.page_data_failure', () => true)
      assert.deepEqual(
        [facts.endpoint, facts.attempts, facts.recovered, facts.seen, facts.route],
        ['/api/retried', 2, true, false, '/retried'],
      )
    })

    it('records what a person refuses to leave as aborted', async () => {
      await using app = await start()
      await app.click('/form')
      await app.shows('form unblocked')
      await app.click('/plain')
      await app.shows('form blocked')
      const entry = await app.site.waitForEntry('ui.navigation', ended('aborted'))
      assert.deepEqual([entry.name, entry.facts.reason], ['/plain', 'blocked'])
    })

    it('classifies a chunk that is gone', async () => {
      await using app = await start()
      await app.click('/lazy')
      await app.shows('root failed')
      const entry = await app.site.waitForEntry('ui.navigation', ended('errored'))
      assert.equal(entry.facts.reason, 'chunk')
      const chunk = await app.site.waitForEntry('ui.chunk_failure', () => true)
      const { kind, url, status, build, route } = chunk.facts
      assert.deepEqual(
        { kind, url, status, build, route },
        { kind: 'not_found', url: '/chunks/lazy-1a2b3c.js', status: 404, build: 'shop@1', route: '/lazy' },
      )
    })

    it('knows no template for a page that does not exist', async () => {
      await using app = await start()
      await app.click('/nowhere')
      const entry = await app.site.waitForEntry('ui.navigation', ended('errored'))
      assert.deepEqual(
        [entry.name, entry.facts.to_route, entry.facts.reason],
        ['/nowhere', undefined, 'http_404'],
      )
    })

    it('does not count the requests of a page that polls', async () => {
      await using app = await start('?polls')
      await app.page.waitForFunction(
        () => performance.getEntriesByName(`${location.origin}/api/alive`).length > 4,
      )
      await app.click('/orders/7')
      const { facts } = await app.site.waitForEntry('ui.navigation', ended('committed'))
      assert.equal(facts.requests, 1)
      assert.ok(facts.bytes < 1500, `bytes ${facts.bytes}`)
    })
  })
}
