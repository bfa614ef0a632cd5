/**
 * A loader of React Router that never resolves, in Chromium, through our reporter, against a real Sonde: an issue of its own, with the
 * route, what it waited for and the people, which a rule tells of.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openReceiver } from '../../packages/alerts/test/harness.ts'
import { bundlePage } from '../browser/harness/bundle-page.ts'
import { type ApiClient, apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'

const pageOf = (dsn: string): string => `
import { init, navigations, setUser } from '@sonde/browser'
import { reactRouter, reactRouterLoads } from '@sonde/react/react-router'
import { createBrowserRouter, Link, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createRoot } from 'react-dom/client'

init({ dsn: ${JSON.stringify(dsn)}, release: 'shop@3.1.0', features: [navigations()] })
setUser({ id: new URLSearchParams(location.search).get('user') ?? '' })
const page = (name: string) => () => <h1>{name}</h1>
const get = async (path: string) => (await fetch(path)).json()
const router = createBrowserRouter([{
  path: '/',
  Component: () => <><nav>{['/orders/7', '/quiet', '/slow/1'].map((to) => <Link key={to} to={to}>{to}</Link>)}</nav><Outlet /></>,
  children: [
    { index: true, Component: page('home') },
    { path: 'orders/:id', loader: ({ params }) => get('/api/orders/' + params.id), Component: page('order') },
    { path: 'quiet', loader: () => new Promise(() => {}), Component: page('quiet') },
    { path: 'slow/:id', loader: () => get('/api/slow/1'), Component: page('slow') },
  ],
}], { instrumentations: [reactRouterLoads()] })
reactRouter(router)
const root = document.createElement('div')
document.body.append(root)
createRoot(root).render(<RouterProvider router={router} />)
`

type Issue = {
  readonly shortId: string
  readonly title: string
  readonly type: string
  readonly issueCategory: string
  readonly count: string
  readonly level: string
}

suite('a load that never ends', () => {
  let sonde: RunningSonde
  let browser: Browser
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let api: ApiClient
  let site: { readonly url: string; answerSlow(): void; close(): void }

  before(async () => {
    receiver = await openReceiver()
    sonde = await startSonde({ env: { SONDE_OUTGOING_ALLOW: '127.0.0.0/8' } })
    api = apiClient(sonde)
    browser = await launchChromium()
    const { dsn } = createProject(sonde, 'acme/shop', 'javascript')
    site = await serve(await bundlePage(pageOf(dsn)))
    sondeJson(sonde.dataDir, [
      'alert',
      'create',
      '--project',
      'acme/shop',
      '--type',
      'new_issue',
      '--webhook',
      `${receiver.url}/rule`,
    ])
  })
  after(async () => {
    await browser?.close()
    site?.close()
    receiver?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  /** Until the reporter has told that it hangs. */
  async function hangs(user: string, link: string) {
    const page = await browser.newPage()
    await page.goto(`${site.url}/?user=${user}`)
    const told = page.waitForResponse(
      (answer) =>
        answer.url().includes('/envelope/') && (answer.request().postData() ?? '').includes('"pending"'),
      { timeout: 30_000 },
    )
    await page.getByRole('link', { name: link }).click()
    await told
    return page
  }

  const hung = (fits: (issues: readonly Issue[]) => boolean) =>
    api.until<readonly Issue[]>(
      '/api/0/projects/acme/shop/issues/?query=issue.type:performance_hung_navigation',
      fits,
      60_000,
    )

  test('is one issue with route and loader, for each person once, and a rule tells of it', async () => {
    const pages = await Promise.all(
      (
        [
          ['u-1', '/orders/7'],
          ['u-2', '/orders/7'],
          ['u-1', '/quiet'],
          ['u-3', '/slow/1'],
        ] as const
      ).map(([user, link]) => hangs(user, link)),
    )
    // The second person gives up: told again, and the same navigation.
    await pages[1]?.goto('about:blank')
    const issues = await hung((list) => list.length === 3 && list.some(({ count }) => count === '2'))
    const orders = issues.find(({ title }) => title.includes('/orders/[id]'))
    assert.ok(orders, JSON.stringify(issues))
    assert.deepEqual(
      [orders.title, orders.count, orders.level, orders.issueCategory],
      ['Route load hangs: /orders/[id] waits for GET /api/orders/[id]', '2', 'warning', 'performance'],
    )
    assert.ok(
      issues.some(
        ({ title }) =>
          title === 'Route load hangs: /quiet waits for a promise of the page, nothing on the network',
      ),
      JSON.stringify(issues),
    )

    const screen = await signedInPlain(sonde.url)
    await screen.goto(`/acme/shop/issues/${orders.shortId}`)
    screen.shows('Route load hangs')
    const evidence = screen.region('Evidence')
    evidence.shows(/Still loading after 5[.\d]* s|Left by the person after/)
    evidence.shows('GET /api/orders/[id]')
    evidence.shows('while it waited for page data')
    screen.shows(/2 users|Users 2/)
    screen.shows('shop@3.1.0')

    const told = () => receiver.received.filter(({ body }) => body.includes('Route load hangs: /orders/[id]'))
    await api.until('/api/0/projects/acme/shop/issues/', () => told().length > 0, 60_000)
    assert.equal(told().length, 1)

    // One that is shown after all was told of already, and stays one event.
    site.answerSlow()
    await pages[3]?.getByRole('heading', { name: 'slow' }).waitFor()
    await api.until<readonly { outcomes: Readonly<Record<string, number>> }[]>(
      '/api/0/projects/acme/shop/navigations/?statsPeriod=1h&to=%2Fslow%2F%5Bid%5D',
      (found) => found[0]?.outcomes['committed'] === 1,
      60_000,
    )
    const after = await hung((list) => list.length === 3)
    assert.deepEqual(after.map(({ count }) => count).toSorted(), ['1', '1', '2'])
  })

  test('is switched off like any other detector', async () => {
    const path = '/api/0/projects/acme/shop/performance-issues/configure/'
    const { token } = sondeJson<{ token: string }>(sonde.dataDir, [
      'token',
      'create',
      '--name',
      'detectors',
      '--scopes',
      'project:write',
    ])
    const { status } = await fetch(sonde.url + path, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ performance_hung_navigation: { enabled: false } }),
    })
    assert.equal(status, 200)
    const page = await hangs('u-4', '/orders/7')
    await page.close()
    await api.until<readonly { outcomes: Readonly<Record<string, number>>; count: number }[]>(
      '/api/0/projects/acme/shop/navigations/?statsPeriod=1h&to=%2Forders%2F%5Bid%5D',
      (found) => found.reduce((sum, { count }) => sum + count, 0) === 3,
      60_000,
    )
    const issues = await hung((list) => list.length === 3)
    assert.equal(issues.find(({ title }) => title.includes('/orders/[id]'))?.count, '2')
  })
})

/** The page on every path, and an API that never answers; what is slow, when it is told to. */
async function serve(script: string) {
  const slow: (() => void)[] = []
  const server = createServer((req, res) => {
    const path = req.url ?? '/'
    if (path.startsWith('/api/slow'))
      slow.push(() => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
    else if (path.startsWith('/api/')) return
    else if (path === '/page.js') res.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else
      res
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>Shop</title><body><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerSlow: () => slow.forEach((answer) => answer()),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
