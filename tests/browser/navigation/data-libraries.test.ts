import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { init, mutationErrors, navigations, pageDataFailures, queryErrors, swrErrors } from '@sonde/browser'
import { MutationCache, MutationObserver, QueryCache, QueryClient } from '@tanstack/query-core'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'

init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations(), pageDataFailures()] })
const get = async (url: string) => {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error('answered ' + answer.status)
  return answer.json()
}
const queries = new QueryClient({
  queryCache: new QueryCache(queryErrors()),
  mutationCache: new MutationCache(mutationErrors()),
  defaultOptions: { queries: { retry: 1, retryDelay: 10, networkMode: 'always' }, mutations: { networkMode: 'always' } },
})
const thrown: unknown[] = []
const caught = (error: unknown) => void thrown.push(error, Object.keys(error as object).length)
function Order() {
  const { data, error, mutate } = useSWR('/api/swr', get)
  Object.assign(window, { again: () => mutate().catch(() => undefined) })
  return createElement('h1', {}, data ? 'data' : error ? 'error' : 'nothing')
}
function Retried() {
  const { onErrorRetry } = useSWRConfig()
  const value = swrErrors({ capture: false }, onErrorRetry)
  return createElement(SWRConfig, { value: { ...value, errorRetryInterval: 20 } }, createElement(Slow))
}
const Slow = () => createElement('h1', {}, useSWR('/api/retried', get).data ? 'retried' : 'nothing')
const root = document.createElement('div')
document.body.append(root)
Object.assign(window, {
  thrown,
  query: (url: string) => queries.fetchQuery({ queryKey: [url], queryFn: () => get(url), retry: 1, staleTime: 0 }).catch(caught),
  mutation: (url: string) => new MutationObserver(queries, { mutationFn: () => get(url) }).mutate().catch(caught),
  swr: () => createRoot(root).render(createElement(SWRConfig, { value: { ...swrErrors(), shouldRetryOnError: false, dedupingInterval: 0 } }, createElement(Order))),
  retried: () => createRoot(root).render(createElement(Retried)),
})
`
const DROP = ['drop', 'drop', 'drop', 'drop', 'drop', 'drop'] as const

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

describe('libraries that fetch', () => {
  const start = async () => {
    const site = await startRecorderSite({ script: SCRIPT })
    const tab = await openPage(browser)
    await tab.page.goto(`${site.url}/orders/7`)
    const call = (name: string, url = '') =>
      tab.page.evaluate(
        ([each, to]) => (window as unknown as Record<string, (url: string) => unknown>)[each]?.(to),
        [name, url] as const,
      )
    return {
      site,
      page: tab.page,
      call,
      /** The failure of this endpoint, told when the page is left. */
      async failure(endpoint: string) {
        await tab.page.goto('about:blank')
        return (await site.waitForEntry('ui.page_data_failure', ({ facts }) => facts.endpoint === endpoint))
          .facts
      },
      async [Symbol.asyncDispose]() {
        await tab[Symbol.asyncDispose]()
        await site[Symbol.asyncDispose]()
      },
    }
  }

  it('a query of TanStack that failed for good is one event, with its request, and its error is as it was', async () => {
    await using app = await start()
    app.site.fail('/api/orders/1', DROP)
    await app.call('query', '/api/orders/1')
    const event = (await app.site.waitForItems('event'))[0]!.payload
    assert.equal(event.exception.values.at(-1).mechanism.type, 'tanstack_query')
    assert.equal(event.contexts.page_data.endpoint, 'GET /api/orders/[id]')
    assert.equal(await app.page.evaluate('thrown[1]'), 0, 'no property was added')
    const { attempts, recovered, stale } = await app.failure('/api/orders/[id]')
    assert.deepEqual([attempts, recovered, stale], [2, false, undefined])
    assert.equal(app.site.items('event').length, 1)
  })

  it('a query that had data says that it is still shown', async () => {
    await using app = await start()
    await app.call('query', '/api/cart')
    app.site.fail('/api/cart', DROP)
    await app.call('query', '/api/cart')
    await app.site.waitForItems('event')
    assert.equal((await app.failure('/api/cart')).stale, true)
  })

  it('a mutation is told too', async () => {
    await using app = await start()
    app.site.fail('/api/save', [503])
    await app.call('mutation', '/api/save')
    const event = (await app.site.waitForItems('event'))[0]!.payload
    const { type, handled } = event.exception.values.at(-1).mechanism
    assert.deepEqual([type, handled], ['tanstack_mutation', true])
    const { status, stale } = await app.failure('/api/save')
    assert.deepEqual([status, stale], [503, undefined])
  })

  it('SWR says what failed, and whether there was data', async () => {
    await using app = await start()
    await app.call('swr')
    await app.page.getByRole('heading', { name: 'data' }).waitFor()
    app.site.fail('/api/swr', DROP)
    await app.call('again')
    const event = (await app.site.waitForItems('event'))[0]!.payload
    assert.equal(event.exception.values.at(-1).mechanism.type, 'swr')
    assert.equal((await app.failure('/api/swr')).stale, true)
  })

  it('a retry of SWR that helps is counted as one', async () => {
    await using app = await start()
    app.site.fail('/api/retried', [503, 503])
    await app.call('retried')
    await app.page.getByRole('heading', { name: 'retried' }).waitFor()
    const { attempts, recovered } = await app.failure('/api/retried')
    assert.deepEqual([attempts, recovered], [2, true])
    assert.equal(app.site.items('event').length, 0, 'capture is off')
  })
})
