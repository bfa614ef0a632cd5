/** Angular's router as it comes from npm; its components are compiled in the page. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import '@angular/compiler'
import { Component, inject, provideEnvironmentInitializer, provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { provideRouter, RedirectCommand, Router, RouterLink, RouterOutlet } from '@angular/router'
import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { angularRouter } from '@sonde/browser/angular-router'

init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations({ hungAfterMs: 700 }), pageDataFailures(), chunkFailures()] })
const get = async (path: string) => {
  const answer = await fetch(path)
  if (!answer.ok) throw new TypeError('no data')
  return true
}
const page = (name: string) => Component({ selector: 'page-' + name, template: '<h1>' + name + '</h1>' })(class {})
const names = ['/', '/orders/7', '/old', '/moved', '/hung', '/broken', '/guarded', '/gone']
const App = Component({
  selector: 'app-root',
  imports: [RouterOutlet, RouterLink],
  template: names.map((to) => '<a routerLink="' + to + '">' + to + '</a> ').join('') + '<router-outlet />',
})(class {})
const routes = [
  { path: '', pathMatch: 'full', component: page('home') },
  { path: 'orders', children: [{ path: ':id', component: page('order'), resolve: { order: () => get('/api/gate/order') } }] },
  { path: 'old', component: page('old'), canActivate: [() => inject(Router).parseUrl('/orders/9')] },
  { path: 'moved', redirectTo: '/orders/8' },
  { path: 'hung', component: page('hung'), resolve: { it: () => get('/api/gate/hung') } },
  { path: 'broken', component: page('broken'), resolve: { it: () => get('/api/broken') } },
  { path: 'guarded', component: page('guarded'), canActivate: [() => false] },
  { path: 'gone', loadComponent: () => import(location.origin + '/gone.js') },
]
document.body.append(document.createElement('app-root'))
void bootstrapApplication(App, {
  providers: [
    provideZonelessChangeDetection(),
    provideRouter(routes as never),
    provideEnvironmentInitializer(() => void angularRouter(inject(Router))),
  ],
})
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

async function start() {
  const site = await startRecorderSite({
    script: SCRIPT,
    html: () =>
      '<!doctype html><base href="/"><link rel="icon" href="data:,"><body><script src="/page.js"></script>',
  })
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

describe('Angular’s router', () => {
  it('records navigations with templates and phases, redirects and the way back', async () => {
    await using app = await start()
    await app.click('/orders/7')
    await app.shows('order')
    const { facts } = await app.site.waitForEntry('ui.navigation', to('/orders/7', 'committed'))
    assert.deepEqual(
      [facts.from_route, facts.to_route, facts.trigger, facts.router, facts.requests],
      ['/', '/orders/[id]', 'click', 'angular-router', 1],
    )
    assert.ok(facts['phase.data'] >= 0 && facts.visible_after >= facts['phase.data'], JSON.stringify(facts))
    await app.page.goBack()
    await app.shows('home')
    await app.site.waitForEntry('ui.navigation', to('/', 'committed'))
    await app.click('/old')
    await app.shows('order')
    await app.site.waitForEntry('ui.navigation', to('/orders/9', 'committed'))
    await app.click('/moved')
    await app.site.waitForEntry('ui.navigation', to('/orders/8', 'committed'))
    assert.deepEqual(
      app.site
        .entries('ui.navigation')
        .map((entry) => `${entry.facts.to} ${entry.facts.outcome} ${entry.facts.trigger}`),
      [
        '/orders/7 committed click',
        '/ committed back',
        '/old redirected click',
        '/orders/9 committed redirect',
        '/moved redirected click',
        '/orders/8 committed redirect',
      ],
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
  })
})
