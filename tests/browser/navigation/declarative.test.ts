import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { init, navigations } from '@sonde/browser'
import { useNavigationTemplates } from '@sonde/react/react-router-declarative'
import { BrowserRouter, Link, useRoutes } from 'react-router'
import { createRoot } from 'react-dom/client'

init({ dsn: SITE.dsn, tunnel: '/monitoring', features: [navigations({ build: 'b7' })] })
const routes = [
  { path: '/', element: <h1>home</h1> },
  { path: '/shop/:lang?', children: [{ path: 'orders/:id', element: <h1>order</h1> }] },
  { path: '*', element: <h1>not here</h1> },
]
function App() {
  useNavigationTemplates(routes)
  return <><Link to="/shop/de/orders/7">order</Link><Link to="/nowhere">nowhere</Link>{useRoutes(routes)}</>
}
const root = document.createElement('div')
document.body.append(root)
createRoot(root).render(<BrowserRouter><App /></BrowserRouter>)
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

for (const [name, alias] of [
  ['8', {}],
  ['7', { 'react-router': 'react-router-7' }],
] as const)
  it(`a component below <BrowserRouter> of react-router ${name} gives templates`, async () => {
    await using site = await startRecorderSite({ script: SCRIPT, alias })
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(site.url)
    await page.getByRole('link', { name: 'order', exact: true }).click()
    await page.getByRole('heading', { name: 'order' }).waitFor()
    await site.waitForEntry('ui.navigation', () => true)
    await page.getByRole('link', { name: 'nowhere' }).click()
    await page.getByRole('heading', { name: 'not here' }).waitFor()
    await page.goBack()
    await site.waitForEntry('ui.navigation', () => site.entries('ui.navigation').length >= 3)
    assert.deepEqual(
      site.entries('ui.navigation').map(({ facts }) => [facts.from_route, facts.to_route, facts.trigger]),
      [
        ['/', '/shop/[[lang]]/orders/[id]', 'click'],
        ['/shop/[[lang]]/orders/[id]', '/[...]', 'click'],
        ['/[...]', '/shop/[[lang]]/orders/[id]', 'back'],
      ],
    )
    assert.equal(site.entries('ui.navigation')[0]!.facts.build, 'b7')
  })
