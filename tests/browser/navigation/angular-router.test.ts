/** Angular's router as it comes from npm; its components are compiled in the page. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { drive } from './drive.ts'
import { startRecorderSite } from './recorder-site.ts'
import { testRouter } from './router-cases.ts'

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

const HTML =
  '<!doctype html><base href="/"><link rel="icon" href="data:,"><body><script src="/page.js"></script>'
const open = async () => drive(browser, await startRecorderSite({ script: SCRIPT, html: () => HTML }))

describe('Angular’s router', () => {
  testRouter('angular-router', open)

  it('follows redirects of guards and of the route table', async () => {
    await using app = await open()
    await app.click('/old')
    await app.shows('order')
    await app.ended('/orders/9', 'committed')
    await app.click('/moved')
    await app.ended('/orders/8', 'committed')
    assert.deepEqual(
      app.site
        .entries('ui.navigation')
        .map((entry) => `${entry.facts.to} ${entry.facts.outcome} ${entry.facts.trigger}`),
      [
        '/old redirected click',
        '/orders/9 committed redirect',
        '/moved redirected click',
        '/orders/8 committed redirect',
      ],
    )
  })
})
