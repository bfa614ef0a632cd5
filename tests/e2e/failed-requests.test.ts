/** Requests that get no answer, through our reporter, in Chromium: an issue for each endpoint and cause, and what its page says. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { bundlePage } from '../browser/harness/bundle-page.ts'
import { type ApiClient, apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'

const pageOf = (dsn: string): string => `
import { captureException, init, navigations, pageDataFailures, setUser } from '@sonde/browser'

init({ dsn: ${JSON.stringify(dsn)}, release: 'shop@3.1.0', features: [navigations(), pageDataFailures()] })
setUser({ id: new URLSearchParams(location.search).get('user') ?? '' })
const load = async (url: string) => {
  try { return await fetch(url) } catch (error) { captureException(error) }
}
Object.assign(window, { load })
`

type Issue = { readonly shortId: string; readonly title: string; readonly count: string }

suite('requests without an answer', () => {
  let sonde: RunningSonde
  let browser: Browser
  let api: ApiClient
  let site: { readonly url: string; readonly failing: Set<string>; close(): void }

  before(async () => {
    sonde = await startSonde()
    api = apiClient(sonde)
    browser = await launchChromium()
    const { dsn } = createProject(sonde, 'acme/shop', 'javascript')
    site = await serve(await bundlePage(pageOf(dsn)))
  })
  after(async () => {
    await browser?.close()
    site?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  /** Loads these one after the other, and leaves: what is open then is told. */
  async function visit(user: string, urls: readonly string[], helps = false): Promise<void> {
    const page = await browser.newPage()
    await page.goto(`${site.url}/orders/7?user=${user}`)
    const load = (url: string) =>
      page.evaluate((to) => (window as unknown as { load(url: string): Promise<void> }).load(to), url)
    for (const url of urls) await load(url)
    if (helps) {
      site.failing.clear()
      for (const url of urls) await load(url)
    }
    await page.goto('about:blank')
    await page.close()
  }

  test('are an issue each, and its page says how often a retry helped', async () => {
    site.failing.add('/api/orders/7').add('/api/cart')
    await visit('u-1', ['/api/orders/7', '/api/cart'])
    await visit('u-2', ['/api/orders/7'], true)
    const issues = await api.until<readonly Issue[]>(
      '/api/0/projects/acme/shop/issues/',
      (list) => list.reduce((sum, { count }) => sum + Number(count), 0) === 3,
      60_000,
    )
    assert.deepEqual(issues.map(({ title, count }) => `${count} × ${title}`).toSorted(), [
      '1 × Failed to fetch: GET /api/cart (unreachable)',
      '2 × Failed to fetch: GET /api/orders/[id] (unreachable)',
    ])
    const orders = issues.find(({ title }) => title.includes('orders'))
    const screen = await signedInPlain(sonde.url)
    const path = `/acme/shop/issues/${orders?.shortId}`
    const shows = async (): Promise<boolean> => {
      await screen.goto(path)
      return screen.parts('section', 'Recovered by a retry').length > 0 && screen.has('Failures in 14 days 2')
    }
    const endMs = Date.now() + 60_000
    while (!(await shows()) && Date.now() < endMs);
    const section = screen.region('Failed request')
    section.shows('GET /api/orders/[id]')
    section.shows('The browser was online, and the own origin gave no answer.')
    section.shows('Failures in 14 days 2')
    section.shows('Recovered by a retry 50% (1)')
    section.shows('Users who saw an error 0 of 2')
    screen.shows('the fingerprint that the SDK sent')
  })
})

/** The page on every path; what fails is cut off before an answer. */
async function serve(script: string) {
  const failing = new Set<string>()
  const server = createServer((req, res) => {
    const path = req.url ?? '/'
    if (failing.has(path)) req.socket.destroy()
    else if (path.startsWith('/api/')) res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    else if (path === '/page.js') res.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else
      res
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>Shop</title><body><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failing,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
