/**
 * The contract that Next.js documents for its client hook and hooks of `next/navigation`, with React and the history as
 * they are: the packages of Next.js itself are too heavy for every run.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

// A router that behaves as the app router does: a transition starts, data comes, then history and hooks change together.
const SCRIPT = `
import { init, navigations } from '@sonde/browser'
import { nextNavigations, onRouterTransitionStart } from '@sonde/react/next'
import { createContext, startTransition, useContext, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations({ hungAfterMs: 600 })] })
const Url = createContext(new URL(location.href))
const Navigations = nextNavigations({
  usePathname: () => useContext(Url).pathname,
  useSearchParams: () => useContext(Url).searchParams,
  useParams: () => {
    const id = /^\\/orders\\/(.+)/.exec(useContext(Url).pathname)?.[1]
    return id ? { id } : {}
  },
})
function App() {
  const [url, setUrl] = useState(new URL(location.href))
  const [target, setTarget] = useState<URL>()
  const go = async (path: string, type: 'push' | 'traverse') => {
    onRouterTransitionStart(path, type)
    await (await fetch('/api/gate/rsc')).json()
    const landed = new URL(path === '/old' ? '/orders/8' : path, location.href)
    startTransition(() => { setUrl(landed); setTarget(type === 'push' ? landed : undefined) })
  }
  useEffect(() => { if (target) history.pushState(null, '', target) }, [target])
  useEffect(() => { addEventListener('popstate', () => void go(location.pathname, 'traverse')) }, [])
  return <Url value={url}><Navigations /><h1>{url.pathname}</h1>
    {['/orders/7', '/old', '/orders/7?tab=2'].map((path) =>
      <a key={path} href={path} onClick={(event) => { event.preventDefault(); void go(path, 'push') }}>{path}</a>)}
  </Url>
}
const root = document.createElement('div')
document.body.append(root)
createRoot(root).render(<App />)
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

describe('Next.js app router, by its documented hooks', () => {
  it('records template, trigger, redirects, a hung load and the way back', async () => {
    await using site = await startRecorderSite({ script: SCRIPT })
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(site.url)
    const click = (name: string) => page.getByRole('link', { name, exact: true }).click()
    const record = (count: number) =>
      site.waitForEntry('ui.navigation', () => site.entries('ui.navigation').length >= count)

    site.close('rsc')
    await click('/orders/7')
    const pending = await record(1)
    assert.deepEqual([pending.facts.outcome, pending.facts.to], ['pending', '/orders/7'])
    site.open('rsc')
    await record(2)
    await click('/old')
    await record(4)
    await page.goBack()
    await record(5)
    const entries = site.entries('ui.navigation')
    assert.deepEqual(
      entries.map(({ facts }) => [facts.to, facts.to_route, facts.trigger, facts.outcome]),
      [
        ['/orders/7', undefined, 'click', 'pending'],
        ['/orders/7', '/orders/[id]', 'click', 'committed'],
        ['/old', undefined, 'click', 'redirected'],
        ['/orders/8', '/orders/[id]', 'redirect', 'committed'],
        ['/orders/7', '/orders/[id]', 'back', 'committed'],
      ],
    )
    assert.equal(entries[3]!.facts.from_route, '/orders/[id]')
    assert.equal(entries[1]!.facts.router, 'next')
  })
})
