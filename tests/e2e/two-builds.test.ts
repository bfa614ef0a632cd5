/** A real site that is deployed while two people have it open: what its tabs go through, and the card that Sonde makes of it. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'

let sonde: RunningSonde
let browser: Browser
let server: Server
let site: string
/** What is deployed: the files of every other build are gone. */
let build = 1

const entry = (own: number): string => `
document.querySelector('#cart').addEventListener('click', async () => {
  history.pushState(null, '', '/cart')
  try {
    await import('/assets/cart-${own}.js')
    document.querySelector('h1').textContent = 'Your cart'
  } catch (error) {
    document.querySelector('h1').textContent = 'Something broke'
    Promise.reject(error)
  }
})
document.querySelector('#again').addEventListener('click', () => location.replace('/'))
`

before(async () => {
  sonde = await startSonde()
  browser = await launchChromium()
  const { dsn } = createProject(sonde, 'acme/shop')
  server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    const own = Number(/-(\d)\.js$/.exec(path)?.[1] ?? build)
    if (path.endsWith('.js')) {
      res.writeHead(own === build ? 200 : 404, { 'content-type': 'text/javascript' })
      res.end(path.startsWith('/assets/entry') ? entry(own) : 'export {}')
      return
    }
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    res.end(`<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
<script src="${sonde.url}/sonde.js" crossorigin="anonymous" data-dsn="${dsn}" data-release="shop@${build}"></script>
<script type="module" src="/assets/entry-${build}.js"></script></head>
<body><h1>Shop</h1><button id="cart">Cart</button><button id="again">Load again</button></body></html>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  await browser?.close()
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
  assert.equal(await sonde?.stop(), 0)
})

const openTab = async (): Promise<Page> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(site)
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  return page
}
const missCode = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Cart' }).click()
  await page.getByRole('heading', { name: 'Something broke' }).waitFor()
}

test('a deployment while the site is open is one card: who missed code, who came through, who is stuck', async () => {
  const [first, second] = [await openTab(), await openTab()]
  build = 2
  const newcomer = await openTab()
  await missCode(first)
  await missCode(second)
  await first.getByRole('button', { name: 'Load again' }).click()
  await first.getByRole('heading', { name: 'Shop' }).waitFor()
  await first.getByRole('button', { name: 'Cart' }).click()
  await first.getByRole('heading', { name: 'Your cart' }).waitFor()
  for (const page of [first, second, newcomer]) await page.goto('about:blank')
  const screen = await signedInPlain(sonde.url)
  const endMs = Date.now() + 20_000
  do {
    await screen.goto('/acme/shop/navigations')
    assert.ok(Date.now() < endMs, screen.text)
  } while (!/1 recovered \(by a reload\), 1 stuck/.test(screen.text) || !/2 open tabs/.test(screen.text))
  const card = screen.region(/^2 tabs on shop@1 could not load code after shop@2 was deployed/)
  card.shows(/2 tabs on the old build, 2 hit missing chunks: 1 recovered \(by a reload\), 1 stuck\./)
  card.shows('/assets/cart-1.js')
  const builds = screen.region('Builds in open tabs')
  builds.shows(/2 open tabs on shop@2, 1 on older builds/)
  builds.shows(/2 tabs over 1 deployment were seen on an old build/)

  await screen.goto('/acme/shop')
  const tabs = screen.region('Stale tabs')
  tabs.shows(
    /After shop@2 replaced shop@1: 2 tabs on the old build, 2 hit missing chunks: 1 recovered \(by a reload\), 1 stuck\./,
  )
  assert.equal(tabs.text.match(/old build/g)?.length, 1, 'one sentence, however many errors')
})

test('after a rollback the tabs of the release that was taken back are the old ones', async () => {
  const left = await openTab()
  build = 1
  for (let n = 0; n < 6; n++) await (await openTab()).goto('about:blank')
  await missCode(left)
  await left.goto('about:blank')
  const screen = await signedInPlain(sonde.url)
  const endMs = Date.now() + 30_000
  const said = /After shop@1 replaced shop@2: 1 tab on the old build, 1 hit missing chunks: 1 stuck\./
  do {
    await screen.goto('/acme/shop')
    assert.ok(Date.now() < endMs, screen.text)
  } while (!said.test(screen.text))
  screen.region('Stale tabs').shows(/replaced shop@2: [^]+replaced shop@1: at least 2 tabs/)
  await screen.goto('/acme/shop/navigations')
  const builds = screen.region('Builds in open tabs')
  builds.shows(/open tabs on shop@1, \d on older builds/)
  builds.shows('served again, since')
  screen.region(/^1 tab on shop@2 could not load code after shop@1 was deployed/)
})
