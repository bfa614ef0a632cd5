/** How navigations end in a page without a router adapter, as far as the page shows it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { type RecorderSite, startRecorderSite } from './recorder-site.ts'

const START = `
import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations({ hungAfterMs: 1500 }), pageDataFailures(), chunkFailures()] })
const main = document.createElement('main')
document.body.append(main)
const show = (text = 'page ' + location.pathname) => { main.textContent = text }
const links = (paths: string[], go: (path: string) => unknown) => {
  for (const path of paths) {
    const link = document.createElement('a')
    link.href = path
    link.textContent = path
    if (go) link.onclick = (event) => { event.preventDefault(); void go(path) }
    document.body.append(link, ' ')
  }
}
`

/** A router that changes the address when everything is loaded: react-router, Vue Router, SvelteKit. */
const LATE = `${START}
let last: AbortController | undefined
links(['/a', '/b', '/gone', '/broken', '/like', '/admin', '/slow'], async (path) => {
  last?.abort()
  last = new AbortController()
  const { signal } = last
  if (path === '/like') return void (await fetch('/api/like', { method: 'POST' }))
  if (path === '/gone') await import(location.origin + path + '.js')
  const answer = await fetch('/api/gate' + path, { signal })
  if (!answer.ok) return show('sorry')
  history.pushState(null, '', path === '/admin' ? '/sign-in' : path)
  // Rendering takes its time.
  if (path === '/slow') setTimeout(show, 400, 'slow')
  else show()
})
show()
`

/** A router that changes the address at once: TanStack Router, wouter, <BrowserRouter>. */
const EARLY = `${START}
links(['/a', '/b', '/broken', '/missing', '/same'], async (path) => {
  history.pushState(null, '', path)
  if (path === '/same') return
  show('…')
  const answer = await fetch('/api/gate' + path)
  show('page ' + path + ' ' + answer.status)
})
show()
`

/** The Navigation API alone: no pushState, no preventDefault. */
const INTERCEPTING = `${START}
links(['/a', '/b', '/broken', '/stopped'], undefined as never)
const stop = document.createElement('button')
stop.textContent = 'stop'
const { navigation } = window as any
let controller: AbortController
navigation.addEventListener('navigate', (event: any) => {
  const { pathname } = new URL(event.destination.url)
  if (!event.canIntercept || event.hashChange) return
  event.intercept({
    async handler() {
      const answer = await fetch('/api/gate' + pathname, { signal: event.signal })
      if (!answer.ok) throw new RangeError('no page')
      show('page ' + pathname)
    },
  })
})
show()
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

type Run = (
  site: RecorderSite,
  press: (path: string) => Promise<void>,
  tab: { shown(text: string): Promise<void>; leave(): Promise<void>; stop(): Promise<void> },
) => Promise<void>

/** What each record says of its end, in the order of their starts; provisional ones too. */
async function ends(script: string, run: Run): Promise<string[]> {
  await using site = await startRecorderSite({ script })
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(site.url)
  await run(site, (path) => page.getByRole('link', { name: path, exact: true }).click(), {
    async shown(text) {
      await page.getByText(text, { exact: true }).waitFor()
      // Until the frame that shows it is over.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    },
    leave: async () => void (await page.goto('about:blank')),
    stop: () => page.evaluate('window.stop()'),
  })
  return site
    .entries('ui.navigation')
    .map(({ facts }) => [facts.to, facts.trigger, facts.outcome, facts.reason].filter(Boolean).join(' '))
}

describe('a page whose address changes when everything is loaded', () => {
  it('shows what was replaced while it loaded, and how long people waited for the rest', async () => {
    await using site = await startRecorderSite({ script: LATE })
    await using opened = await openPage(browser)
    await opened.page.goto(site.url)
    site.close('a')
    await opened.page.getByRole('link', { name: '/a', exact: true }).click()
    await opened.page.getByRole('link', { name: '/b', exact: true }).click()
    const shown = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/b')
    assert.deepEqual(site.outcomes(), ['/a superseded', '/b committed'])
    assert.equal(shown.facts.trigger, 'click')
    assert.equal(shown.facts.requests, 1)
    assert.ok(shown.facts['phase.intent'] >= 0 && shown.facts['phase.data'] >= 0)
    assert.ok(shown.facts.visible_after >= shown.facts['phase.data'], JSON.stringify(shown.facts))
  })

  it('shows a load that hangs while it hangs, and its end', async () => {
    assert.deepEqual(
      await ends(LATE, async (site, press, tab) => {
        site.close('a')
        await press('/a')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.waiting_for === '/api/gate/a')
        site.open('a')
        await tab.shown('page /a')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.outcome === 'committed')
      }),
      ['/a click pending', '/a click committed'],
    )
  })

  it('shows code and data that failed, redirects, and nothing for a link that was no navigation', async () => {
    assert.deepEqual(
      await ends(LATE, async (site, press, tab) => {
        site.fail('/api/gate/broken', [503])
        await press('/like')
        await press('/broken')
        await tab.shown('sorry')
        await press('/gone')
        await site.waitForEntry('ui.chunk_failure', () => true)
        await press('/admin')
        await tab.shown('page /sign-in')
        await tab.leave()
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/sign-in')
      }),
      [
        '/broken click errored http_503',
        '/gone click errored chunk',
        '/admin click redirected',
        '/sign-in redirect committed',
      ],
    )
  })

  it('counts what a press asks for with its own navigation, also while the one before is not on the screen', async () => {
    await using site = await startRecorderSite({ script: LATE })
    await using opened = await openPage(browser)
    const { page } = opened
    await page.goto(site.url)
    site.fail('/api/gate/broken', [500])
    await page.getByRole('link', { name: '/slow', exact: true }).click()
    await page.waitForURL('**/slow')
    await page.getByRole('link', { name: '/broken', exact: true }).click()
    await page.getByText('sorry', { exact: true }).waitFor()
    await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/broken')
    const ends = site.entries('ui.navigation').map(({ facts }) => [facts.to, facts.outcome, facts.requests])
    assert.deepEqual(ends, [
      ['/slow', 'superseded', 1],
      ['/broken', 'errored', 1],
    ])
  })
})

describe('a page whose address changes at once', () => {
  it('shows what failed, what was replaced before its data came, and where nothing can be known', async () => {
    assert.deepEqual(
      await ends(EARLY, async (site, press, tab) => {
        site.fail('/api/gate/broken', [500])
        site.fail('/api/gate/missing', [404])
        await press('/broken')
        await tab.shown('page /broken 500')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/broken')
        await press('/missing')
        await tab.shown('page /missing 404')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/missing')
        site.close('a')
        await press('/a')
        await tab.shown('…')
        await press('/b')
        await tab.shown('page /b 200')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/b')
        await press('/same')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/same')
      }),
      [
        '/broken click errored http_500',
        '/missing click unknown http_404',
        '/a click superseded',
        '/b click committed',
        '/same click unknown unchanged',
      ],
    )
  })
})

describe('data that failed', () => {
  it('was seen when the page that needs it is shown without', async () => {
    await using site = await startRecorderSite({ script: EARLY })
    await using opened = await openPage(browser)
    await opened.page.goto(site.url)
    site.fail('/api/gate/broken', [500])
    site.fail('/api/gate/missing', [404])
    await opened.page.getByRole('link', { name: '/broken', exact: true }).click()
    const { id } = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/broken')
    await opened.page.getByRole('link', { name: '/missing', exact: true }).click()
    await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/missing')
    await opened.page.goto('about:blank')
    const isBroken = ({ name }: { name: string }) => name.endsWith('/broken')
    const broken = await site.waitForEntry('ui.page_data_failure', isBroken)
    assert.deepEqual([broken.facts.seen, broken.facts.navigation], [true, id])
    const missing = await site.waitForEntry('ui.page_data_failure', (entry) => !isBroken(entry))
    assert.equal(missing.facts.seen, false, 'what the page made of a 404 is not known')
  })
})

describe('a page that intercepts navigations', () => {
  it('tells each end: success, errors, what was replaced and what was stopped', async () => {
    assert.deepEqual(
      await ends(INTERCEPTING, async (site, press, tab) => {
        await press('/a')
        await tab.shown('page /a')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/a')
        site.fail('/api/gate/broken', [503])
        await press('/broken')
        await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/broken')
        site.close('b')
        await press('/b')
        await press('/a')
        await tab.shown('page /a')
        await site.waitFor('both', () => site.outcomes().length === 4)
        site.close('stopped')
        await press('/stopped')
        await tab.stop()
        await site.waitFor('the last', () => site.outcomes().length === 5)
      }),
      [
        '/a click committed',
        '/broken click errored RangeError',
        '/b click superseded',
        '/a click committed',
        '/stopped click aborted',
      ],
    )
  })
})
