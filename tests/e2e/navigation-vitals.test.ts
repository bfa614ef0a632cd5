/** A soft navigation in Chromium, through our reporter, against a real Sonde: its own page shows what the browser measured of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startSite, type Site } from '../browser/harness/site.ts'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'

let sonde: RunningSonde
let browser: Browser
let site: Site

const pageOf = (dsn: string): string => `
import { init, navigations, tracing, vitals } from '@sonde/browser'
init({ dsn: ${JSON.stringify(dsn)}, tracesSampleRate: 1, features: [tracing(), navigations(), vitals()] })
document.querySelector('a')!.onclick = (event) => {
  event.preventDefault()
  history.pushState({}, '', '/orders')
  document.querySelector('main')!.innerHTML = '<h2 style="font-size: 80px">Orders of this week and the week before</h2>'
}
`
const HTML = `<!doctype html><title>shop</title><link rel="icon" href="data:,">
<a href="/orders">Orders</a><main><h1>Shop</h1></main><script src="/page.js"></script>`

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop', 'javascript')
  ;[browser, site] = await Promise.all([
    launchChromium(),
    startSite({ script: pageOf(dsn), html: () => HTML }),
  ])
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  assert.equal(await sonde?.stop(), 0)
})

test('the page of a navigation shows its largest contentful paint', async () => {
  const tab = await browser.newPage()
  await tab.goto(site.url)
  const told = tab.waitForRequest((request) => (request.postData() ?? '').includes('ui.navigation'))
  await tab.getByRole('link').click()
  const id = /"span_id":"([0-9a-f]{16})"/.exec((await told).postData() ?? '')?.[1]
  // A vital is final once the page is left.
  await tab.goto('about:blank')
  // One of the page load, and one of the navigation.
  await apiClient(sonde).until<readonly { readonly lcp?: { readonly count: number } }[]>(
    '/api/0/projects/acme/shop/vitals/',
    (found) => found.reduce((sum, { lcp }) => sum + (lcp?.count ?? 0), 0) === 2,
    60_000,
  )
  const page = await signedInPlain(sonde.url)
  await page.goto(`/acme/shop/navigations?navigation=${id}`)
  page
    .region('Navigation details')
    .part('dl > div', 'LCP')
    .shows(/^LCP \d.*, .*h2/)
})
