import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import type { Payload } from '../harness/recorded.ts'
import { type ReporterPage, reporterPage } from '../harness/reporter-page.ts'

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>shop</title><link rel="icon" href="data:,">
<main id="shop"><form><button type="button" class="buy primary"><b>Buy</b></button>
<input name="card" autocomplete="off"></form></main><script src="/page.js"></script></html>`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const open = (options = '') =>
  reporterPage(browser, `features: [sonde.breadcrumbs()], ${options}`, { html: () => HTML })

/** The breadcrumbs of an event that is captured now, without their times. */
async function crumbs(tab: ReporterPage): Promise<Payload[]> {
  await tab.page.evaluate(() => {
    sonde.captureMessage('now')
    return sonde.flush()
  })
  const event = tab.site.items('event').at(-1)?.payload
  return event.breadcrumbs.map((crumb: Payload) => ({ ...crumb, timestamp: undefined }))
}

test('console, clicks, inputs, requests and navigations are kept in order', async () => {
  await using tab = await open()
  await tab.page.evaluate(() => {
    console.log('cart', { items: [1, { id: 7 }] }, undefined, 3n)
    console.warn('low stock')
    console.assert(true, 'holds')
    console.assert(false, 'does not hold')
  })
  await tab.page.getByText('Buy').click()
  await tab.page.locator('input').pressSequentially('4111')
  await tab.page.evaluate(async () => {
    await fetch('/data?id=1', { method: 'post' })
    await new Promise((resolve) => {
      const xhr = new XMLHttpRequest()
      xhr.addEventListener('loadend', resolve)
      xhr.open('GET', '/xhr')
      xhr.send()
    })
    // The listeners of the page come first, ours after them.
    await new Promise((resolve) => setTimeout(resolve))
    history.pushState(null, '', '/checkout')
    history.replaceState({ same: 'address' }, '')
  })
  const text = JSON.stringify(await crumbs(tab))
  assert.ok(!text.includes('4111'), 'what was typed is not kept')
  assert.deepEqual(JSON.parse(text), [
    { category: 'console', level: 'info', message: 'cart {"items":[1,"[Object]"]}  3' },
    { category: 'console', level: 'warning', message: 'low stock' },
    { category: 'console', level: 'error', message: 'does not hold' },
    { category: 'ui.click', message: '#shop > form > button.buy.primary > b' },
    { category: 'ui.input', message: '#shop > form > input' },
    {
      type: 'http',
      category: 'fetch',
      level: 'info',
      data: { method: 'POST', url: '/data?id=1', status_code: 200 },
    },
    {
      type: 'http',
      category: 'xhr',
      level: 'info',
      data: { method: 'GET', url: '/xhr', status_code: 200 },
    },
    { type: 'navigation', category: 'navigation', data: { from: '/', to: '/checkout' } },
  ])
})

test('R6 at most 100 are kept, the newest', async () => {
  await using tab = await open()
  await tab.page.evaluate(() => {
    for (let n = 0; n < 150; n++) sonde.addBreadcrumb({ message: `step ${n}` })
  })
  const messages = (await crumbs(tab)).map(({ message }) => message)
  assert.deepEqual(
    messages,
    Array.from({ length: 100 }, (_, n) => `step ${n + 50}`),
  )
})

test('beforeBreadcrumb changes and drops, and may throw', async () => {
  await using tab = await open(`beforeBreadcrumb: (crumb) => {
    if (crumb.message === 'bites') throw new Error('mine')
    return crumb.message === 'secret' ? null : { ...crumb, message: crumb.message + '!' }
  }`)
  await tab.page.evaluate(() => {
    console.log('secret')
    console.log('bites')
    sonde.addBreadcrumb({ message: 'bites' })
    console.log('shown')
  })
  assert.deepEqual(
    (await crumbs(tab)).map(({ message }) => message),
    ['shown!'],
  )
  assert.deepEqual(tab.complaints, [])
})

test('the reporter’s own requests leave no breadcrumb', async () => {
  await using tab = await open()
  await crumbs(tab)
  assert.deepEqual(await crumbs(tab), [])
})

test('a failed request is an error, its rejection is the page’s own', async () => {
  await using tab = await open()
  const [message, same] = await tab.page.evaluate(async () => {
    const reason = new Error('mine')
    const aborted = AbortSignal.abort(reason)
    const caught = await fetch('/x', { signal: aborted }).catch((error: unknown) => error)
    const failed = (await fetch('http://localhost:1/').catch((error: unknown) => error)) as Error
    return [failed.message, caught === reason]
  })
  assert.deepEqual([message, same], ['Failed to fetch', true])
  assert.deepEqual(
    (await crumbs(tab)).map(({ level, data }) => [level, data.url, data.status_code]),
    [
      ['error', '/x', undefined],
      ['error', 'http://localhost:1/', undefined],
    ],
  )
})

test('wrapping is not noticed: this, results, bodies, errors and the text of a function', async () => {
  await using tab = await open()
  const seen = await tab.page.evaluate(async () => {
    const bodyOf = async (answer: Promise<Response>) => (await answer).text()
    const stream = (await fetch('/stream')).body
    const errorOf = (run: () => unknown): string => {
      try {
        run()
        return 'none'
      } catch (error) {
        return (error as Error).name
      }
    }
    const request = new Request('/echo', { method: 'POST', body: 'kept', headers: { 'x-mine': '1' } })
    const used = await bodyOf(fetch(request))
    return {
      text: [fetch, history.pushState, console.log, XMLHttpRequest.prototype.send].map((f) =>
        /\[native code\]/.test(f.toString()),
      ),
      promise: fetch('/').constructor === Promise,
      stream: stream instanceof ReadableStream && !stream.locked,
      used: [used.includes('shop'), request.bodyUsed],
      illegal: await fetch.call({} as Window, '/').then(
        () => 'none',
        (error: Error) => error.name,
      ),
      noArguments: await (fetch as unknown as () => Promise<unknown>)().then(
        () => 'none',
        (error: Error) => error.name,
      ),
      notOpened: errorOf(() => new XMLHttpRequest().send()),
      crossOrigin: errorOf(() => history.pushState(null, '', 'https://elsewhere.example/')),
      unhandled: await new Promise((resolve) => {
        addEventListener('unhandledrejection', (event) => resolve((event.reason as Error).message), {
          once: true,
        })
        void fetch('http://localhost:1/')
      }),
    }
  })
  assert.deepEqual(seen, {
    text: [true, true, true, true],
    promise: true,
    stream: true,
    used: [true, true],
    illegal: 'TypeError',
    noArguments: 'TypeError',
    notOpened: 'InvalidStateError',
    crossOrigin: 'SecurityError',
    unhandled: 'Failed to fetch',
  })
})

test('headers that a listener adds are sent, those of the page stay, and a Request is copied whole', async () => {
  await using tab = await reporterPage(browser, 'features: [sonde.breadcrumbs()]', {
    handle(req, res) {
      if (!req.url?.startsWith('/headers')) return false
      const chunks: Buffer[] = []
      req.on('data', (chunk: Buffer) => chunks.push(chunk))
      req.on('end', () =>
        res.end(
          JSON.stringify({
            trace: req.headers['sentry-trace'],
            mine: req.headers['x-mine'],
            baggage: req.headers['baggage'],
            referer: req.headers.referer,
            body: Buffer.concat(chunks).toString(),
          }),
        ),
      )
      return true
    },
  })
  const answers = await tab.page.evaluate(async () => {
    sonde.getClient()!.on('request', ({ headers }) => {
      headers.set('sentry-trace', 'abc')
      headers.set('baggage', [headers.get('baggage'), 'sentry-a=1'].filter(Boolean).join(','))
    })
    const init = { method: 'POST', body: 'text', headers: { 'x-mine': '1', baggage: 'b=2' } }
    const byXhr = new Promise((resolve) => {
      const xhr = new XMLHttpRequest()
      xhr.open('POST', '/headers')
      xhr.setRequestHeader('x-mine', '1')
      xhr.setRequestHeader('baggage', 'b=2')
      xhr.addEventListener('load', () => resolve(JSON.parse(xhr.responseText)))
      xhr.send('text')
    })
    const json = async (answer: Promise<Response>): Promise<unknown> => (await answer).json()
    return [
      await json(fetch('/headers', init)),
      await json(fetch(new Request('/headers', init))),
      await json(fetch(new Request('/headers'), init)),
      await byXhr,
    ]
  })
  for (const answer of answers as Payload[])
    assert.deepEqual(
      { ...answer, baggage: answer.baggage.replaceAll(' ', '') },
      { trace: 'abc', mine: '1', baggage: 'b=2,sentry-a=1', referer: `${tab.site.url}/`, body: 'text' },
    )
})
