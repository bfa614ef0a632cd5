import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startSite } from '../harness/site.ts'

const SCRIPT = `
import { init, navigations } from '@sonde/browser'
import { ErrorBoundary, reactErrorHandlers } from '@sonde/react'
import { useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations()] })
Object.assign(window, { resets: 0, told: [] })

function Price({ of }: { of: string }) {
  if (of === 'broken') throw new RangeError('no price')
  return <b>{of}</b>
}
function Shop({ withBoundary = true }) {
  const [item, setItem] = useState('tea')
  const price = <Price of={item} />
  return <>
    {['tea', 'broken', 'kettle'].map((name) => <button key={name} onClick={() => setItem(name)}>{name}</button>)}
    {withBoundary ? <ErrorBoundary
      resetKeys={[item]}
      onError={(error, { eventId }) => told.push([String(error), eventId])}
      onReset={() => resets++}
      fallback={({ error, componentStack, eventId, reset }) =>
        <p role="alert">{String(error)} / {componentStack?.trim().split('\\n')[0]} / {eventId}<button onClick={reset}>again</button></p>}
    >{price}</ErrorBoundary> : price}
  </>
}
const root = document.getElementById('root')!
const mode = location.pathname
if (mode === '/hydrate') {
  function Clock() { return <time>{'browser'}</time> }
  hydrateRoot(root, <main><Clock /></main>, reactErrorHandlers())
} else {
  createRoot(root, mode === '/plain' ? {} : reactErrorHandlers()).render(<Shop withBoundary={mode !== '/uncaught'} />)
}
declare global { var resets: number; var told: unknown[] }
`

const html = (
  path: string,
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
<link rel="icon" href="data:,"></head><body${path.endsWith('grammarly') ? ' data-gr-ext-installed=""' : ''}>
<div id="root">${path === '/hydrate' ? '<main><time>server</time></main>' : ''}</div><script src="/page.js"></script></body></html>`

declare global {
  var resets: number
  var told: unknown[]
}

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

async function start(path: string, addInit?: () => void) {
  const site = await startSite({ script: SCRIPT, html })
  const tab = await openPage(browser)
  if (addInit) await tab.page.addInitScript(addInit)
  await tab.page.goto(site.url + path)
  return {
    site,
    page: tab.page,
    click: (name: string) => tab.page.getByRole('button', { name, exact: true }).click(),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

describe('ErrorBoundary', () => {
  it('shows the fallback with error, component stack and event id, and reports once', async () => {
    await using app = await start('/')
    await app.click('broken')
    const [item] = await app.site.waitForItems('event')
    const event = item!.payload
    const alert = app.page.getByRole('alert')
    await app.page.getByText(event.event_id).waitFor()
    const text = await alert.textContent()
    assert.match(text ?? '', /^RangeError: no price \/ at Price/)
    assert.match(event.contexts.react.componentStack, /Price[^]*Shop/)
    assert.equal(event.exception.values[0].mechanism.handled, true)
    assert.deepEqual(await app.page.evaluate(() => told), [['RangeError: no price', event.event_id]])
    await app.page.evaluate(() => Promise.resolve())
    assert.equal(app.site.items('event').length, 1)
  })

  it('renders its children anew when a reset key changes, and when told to', async () => {
    await using app = await start('/plain')
    await app.click('broken')
    await app.page.getByRole('alert').waitFor()
    await app.click('kettle')
    await app.page.locator('b', { hasText: 'kettle' }).waitFor()
    assert.equal(await app.page.evaluate(() => resets), 1)
    await app.click('broken')
    await app.page.getByRole('alert').waitFor()
    await app.click('again')
    await app.page.getByRole('alert').waitFor()
    assert.equal(await app.page.evaluate(() => resets), 2)
  })
})

describe('reactErrorHandlers', () => {
  it('reports an uncaught error once, with its components, and as not handled', async () => {
    await using app = await start('/uncaught')
    const thrown = app.page.waitForEvent('pageerror')
    await app.click('broken')
    assert.match(String(await thrown), /no price/)
    const [item] = await app.site.waitForItems('event')
    assert.match(item!.payload.contexts.react.componentStack, /Price/)
    assert.equal(item!.payload.exception.values[0].mechanism.handled, false)
    // A second error proves that nothing of the first is still on its way.
    await app.page.evaluate(() => setTimeout(() => reportError(new Error('last'))))
    const events = await app.site.waitForItems('event', 2)
    assert.deepEqual(
      events.map(({ payload }) => payload.exception.values.at(-1).value),
      ['no price', 'last'],
    )
  })

  it('groups a hydration mismatch by route and component', async () => {
    await using app = await start('/hydrate')
    const [item] = await app.site.waitForItems('event')
    const { fingerprint, tags, level, contexts } = item!.payload
    assert.deepEqual(fingerprint, ['hydration-mismatch', '/hydrate', 'Clock'])
    assert.deepEqual(tags, { hydration: 'mismatch', 'hydration.component': 'Clock' })
    assert.equal(level, 'warning')
    assert.equal(contexts.hydration.component, 'Clock')
    assert.match(contexts.react.componentStack, /Clock/)
  })

  it('counts a mismatch that an extension made, and makes no issue of it', async () => {
    await using app = await start('/hydrate', () => {
      document.addEventListener('readystatechange', () =>
        document.body?.setAttribute('data-gr-ext-installed', ''),
      )
      new MutationObserver(() => document.body?.setAttribute('cz-shortcut-listen', 'true')).observe(
        document,
        {
          childList: true,
          subtree: true,
        },
      )
    })
    const [item] = await app.site.waitForItems('span')
    const [{ attributes }] = item!.payload.items
    assert.equal(attributes['sonde.hydration.benign'].value, 'extension')
    assert.equal(attributes['sonde.hydration.component'].value, 'Clock')
    // An error afterwards proves that nothing is still on its way.
    await app.page.evaluate(() => setTimeout(() => reportError(new Error('last'))))
    const events = await app.site.waitForItems('event')
    assert.deepEqual(
      events.map(({ payload }) => payload.exception.values.at(-1).value),
      ['last'],
    )
  })
})
