import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { drive } from './drive.ts'
import { startRecorderSite } from './recorder-site.ts'
import { testRouter } from './router-cases.ts'

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

const open = async () => drive(browser, await startRecorderSite({ script: SCRIPT }))

describe('Vue Router', () => {
  testRouter('vue-router', open)

  it('takes a jump within the page for none', async () => {
    await using app = await open()
    await app.click('/orders/7')
    await app.shows('order')
    await app.click('/orders/7#total')
    await app.page.goBack()
    await app.page.goBack()
    await app.shows('home')
    await app.ended('/', 'committed')
    assert.deepEqual(app.told(), ['/orders/7 committed', '/ committed'])
  })

  it('follows redirects of guards and of the route table', async () => {
    await using app = await open()
    await app.click('/old')
    await app.shows('order')
    const target = await app.ended('/orders/9', 'committed')
    await app.click('/moved')
    await app.shows('docs')
    await app.ended('/docs/a/b', 'committed')
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
})
