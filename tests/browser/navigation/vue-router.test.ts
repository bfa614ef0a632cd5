import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { vueRouter } from '@sonde/browser/vue-router'
import { createApp, h } from 'vue'
import { createRouter, createWebHistory, RouterLink, RouterView } from 'vue-router'

init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations({ hungAfterMs: 700 }), pageDataFailures(), chunkFailures()] })
const page = (name: string) => ({ render: () => h('h1', name) })
const get = async (path: string) => {
  const answer = await fetch(path)
  if (!answer.ok) throw new TypeError('no data')
}
const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: page('home') },
    { path: '/orders/:id(\\\\d+)', component: page('order'), beforeEnter: () => get('/api/gate/order') },
    { path: '/docs/:path(.*)*', component: page('docs') },
    { path: '/old', component: page('old'), beforeEnter: () => '/older' },
    { path: '/older', component: page('older'), beforeEnter: () => '/orders/9' },
    { path: '/moved', redirect: '/docs/a/b' },
    { path: '/hung', component: page('hung'), beforeEnter: () => get('/api/gate/hung') },
    { path: '/broken', component: page('broken'), beforeEnter: () => get('/api/broken') },
    { path: '/guarded', component: page('guarded'), beforeEnter: () => false },
    { path: '/gone', component: () => import(location.origin + '/gone.js') },
  ],
})
vueRouter(router)
const names = ['/', '/orders/7', '/old', '/moved', '/hung', '/broken', '/guarded', '/gone', '/orders/7#total']
const App = { render: () => [h('nav', names.map((to) => h(RouterLink, { to }, () => to))), h(RouterView)] }
const root = document.createElement('div')
document.body.append(root)
createApp(App).use(router).mount(root)
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

async function start() {
  const site = await startRecorderSite({ script: SCRIPT })
  const tab = await openPage(browser)
  await tab.page.goto(site.url)
  const shows = (heading: string) => tab.page.getByRole('heading', { name: heading, exact: true }).waitFor()
  await shows('home')
  return {
    site,
    page: tab.page,
    click: (name: string) => tab.page.getByRole('link', { name, exact: true }).click(),
    shows,
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}
const to = (path: string, outcome: string) => (entry: { facts: { to: string; outcome: string } }) =>
  entry.facts.to === path && entry.facts.outcome === outcome

describe('Vue Router', () => {
  it('records navigations with templates, phases and the way back', async () => {
    await using app = await start()
    await app.click('/orders/7')
    await app.shows('order')
    const { facts } = await app.site.waitForEntry('ui.navigation', to('/orders/7', 'committed'))
    assert.deepEqual(
      [facts.from_route, facts.to_route, facts.trigger, facts.router, facts.requests],
      ['/', '/orders/[id]', 'click', 'vue-router', 1],
    )
    assert.ok(facts['phase.data'] >= 0 && facts.visible_after >= facts['phase.data'], JSON.stringify(facts))
    await app.click('/orders/7#total')
    await app.page.goBack()
    await app.page.goBack()
    await app.shows('home')
    await app.site.waitForEntry('ui.navigation', to('/', 'committed'))
    assert.deepEqual(
      app.site.entries('ui.navigation').map((entry) => entry.facts.trigger),
      ['click', 'back'],
      'a jump within the page is none',
    )
  })

  it('follows redirects of guards and of the route table', async () => {
    await using app = await start()
    await app.click('/old')
    await app.shows('order')
    const target = await app.site.waitForEntry('ui.navigation', to('/orders/9', 'committed'))
    await app.click('/moved')
    await app.shows('docs')
    await app.site.waitForEntry('ui.navigation', to('/docs/a/b', 'committed'))
    const entries = app.site.entries('ui.navigation')
    assert.deepEqual(
      entries.map((entry) => `${entry.facts.to_route} ${entry.facts.outcome} ${entry.facts.trigger}`),
      [
        '/old redirected click',
        '/older redirected redirect',
        '/orders/[id] committed redirect',
        '/docs/[...path] committed click',
      ],
    )
    assert.equal(target.facts.redirected_from, entries[1]?.id)
    assert.deepEqual(
      [entries[0]?.facts.redirect_to, entries[1]?.facts.redirect_to],
      ['/older', '/orders/[id]'],
    )
  })

  it('tells what hangs, is replaced, is blocked and fails', async () => {
    await using app = await start()
    app.site.close('hung')
    app.site.fail('/api/broken', [500])
    await app.click('/hung')
    await app.site.waitForEntry('ui.navigation', to('/hung', 'pending'))
    await app.click('/orders/7')
    await app.shows('order')
    await app.site.waitForEntry('ui.navigation', to('/orders/7', 'committed'))
    app.site.open('hung')
    await app.click('/guarded')
    await app.click('/broken')
    await app.site.waitForEntry('ui.navigation', to('/broken', 'errored'))
    await app.click('/gone')
    await app.site.waitForEntry('ui.navigation', to('/gone', 'errored'))
    assert.deepEqual(
      app.site
        .entries('ui.navigation')
        .map((entry) => [entry.facts.to, entry.facts.outcome, entry.facts.reason].filter(Boolean).join(' ')),
      [
        '/hung pending',
        '/hung superseded',
        '/orders/7 committed',
        '/guarded aborted blocked',
        '/broken errored TypeError',
        '/gone errored chunk',
      ],
    )
    const [error] = await app.site.waitForItems('event')
    assert.equal(error?.payload.exception.values[0].mechanism.type, 'vue-router')
  })
})
