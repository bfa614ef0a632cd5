/** Facts N1 to N8 in a real browser, on the router's sample app as production would serve it. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { RouterEvent } from '@sonde/router'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { eventually, openPage } from './router-browser.ts'
import { type Sample, startSample } from './router-sample.ts'

declare global {
  var streamedGate: Promise<void> | undefined
}

let browser: Browser
let sample: Sample
before(async () => {
  ;[browser, sample] = await Promise.all([launchChromium(), startSample()])
})
after(async () => {
  await browser.close()
  await sample[Symbol.asyncDispose]()
})
beforeEach(() => {
  sample.asked.length = 0
  sample.errors.length = 0
  sample.posted.length = 0
})

async function fullLoads(page: Page): Promise<readonly RouterEvent[]> {
  const events = await page.evaluate(() => globalThis.routerEvents)
  return events.filter((event) => event.type === 'full-load')
}

describe('N1, N2, N3: navigation on the client side', () => {
  test('a link shows the next page without loading a document, with one fetch of page data', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    await t.click('/acme/shop/issues/7?tab=tags')
    await t.heading('Issue 7 of acme/shop')
    assert.equal(t.page.url(), `${sample.origin}/acme/shop/issues/7?tab=tags`)
    assert.equal(t.documents.length, 1)
    assert.deepEqual(sample.dataRequests(), [
      { url: '/acme/shop/issues/7?tab=tags', method: 'GET', page: '1' },
    ])
    assert.equal(await t.page.locator('#tab').innerText(), 'tags')
    assert.deepEqual(t.complaints, [])
  })

  test('the route template is known on both sides', async () => {
    await using t = await openPage(browser, { javaScriptEnabled: false })
    await t.page.goto(`${sample.origin}/acme/shop/issues/7`)
    const template = '/[org]/[project]/issues/[issue]'
    assert.equal(await t.page.locator('#template').innerText(), template)
    await using u = await openPage(browser)
    await u.start(sample.origin)
    await u.click('/acme/shop/issues/7?tab=tags')
    await u.heading('Issue 7 of acme/shop')
    assert.equal(await u.page.locator('#template').innerText(), template)
    const started = (await u.events()).find((event) => event.type === 'navigation-start')
    assert.equal(started?.type === 'navigation-start' && started.template, template)
  })

  test('title, focus and announcement follow; back restores the page and its scroll position', async () => {
    await using t = await openPage(browser)
    await t.start(`${sample.origin}/long`)
    await t.page.getByRole('link', { name: 'away' }).scrollIntoViewIfNeeded()
    const scrolled = await t.page.evaluate(() => scrollY)
    assert.ok(scrolled > 1000)
    await t.click('away')
    await t.heading('Organization acme')
    assert.equal(await t.page.title(), 'Organization acme')
    assert.equal(await t.page.evaluate(() => document.activeElement?.textContent), 'Organization acme')
    assert.equal(await t.page.getByRole('status').last().textContent(), 'Organization acme')
    assert.equal(await t.page.evaluate(() => scrollY), 0)
    await t.page.goBack()
    await t.heading('Long page')
    await t.page.waitForFunction((y) => scrollY === y, scrolled)
    assert.equal(t.documents.length, 1)
  })

  test('the first page is streamed: its shell is there while the rest is still made', async () => {
    const gate = Promise.withResolvers<void>()
    globalThis.streamedGate = gate.promise
    await using t = await openPage(browser)
    await t.page.goto(`${sample.origin}/streamed`, { waitUntil: 'commit' })
    await t.heading('The shell')
    assert.equal(await t.page.locator('#waiting').innerText(), 'waiting')
    gate.resolve()
    await t.page.locator('#rest').waitFor()
    assert.deepEqual(t.complaints, [])
  })

  test('a pending indicator comes after 150 ms, and the page stays usable meanwhile', async () => {
    await using t = await openPage(browser)
    sample.close('slow')
    await t.start(sample.origin)
    await t.click('/slow')
    await t.page.locator('#pending').waitFor()
    assert.equal(await t.page.getByRole('heading').innerText(), 'Home')
    sample.open('slow')
    await t.heading('Slow page')
    assert.equal(await t.page.locator('#pending').count(), 0)
  })

  test('data can be fetched again without losing what the page holds', async () => {
    await using t = await openPage(browser)
    await t.start(`${sample.origin}/counter`)
    await t.page.locator('#count').click()
    const loads = Number(await t.page.locator('#loads').innerText())
    await t.page.getByRole('button', { name: 'refresh' }).click()
    await t.page.waitForFunction(
      (n) => document.querySelector('#loads')?.textContent === String(n),
      loads + 1,
    )
    assert.equal(await t.page.locator('#count').innerText(), '1')
    sample.replaceData('/counter', (_, outgoing) => void outgoing.writeHead(502).end('down'))
    await t.page.getByRole('button', { name: 'refresh' }).click()
    await t.page.waitForFunction(() =>
      globalThis.routerEvents.some((event) => event.type === 'revalidation-failed'),
    )
    sample.replaceData('/counter', undefined)
    assert.equal(await t.page.locator('#count').innerText(), '1')
    assert.equal(t.documents.length, 1)
  })
})

describe('N4: at most five prefetches', () => {
  test('run at once; a navigation to a waiting one goes past them; one in flight is joined', async () => {
    await using t = await openPage(browser)
    for (let n = 1; n <= 9; n++) sample.close(`static ${n}`)
    await t.start(`${sample.origin}/wide`)
    await eventually('five loads at their gates', () => sample.waiting() === 5)
    assert.deepEqual(
      sample.dataRequests().map((entry) => [entry.url, entry.page]),
      [1, 2, 3, 4, 5].map((n) => [`/static/${n}`, 'prefetch']),
    )
    await t.click('static 9')
    await eventually('the navigation beside the five', () => sample.waiting() === 6)
    assert.deepEqual(sample.dataRequests('/static/9'), [{ url: '/static/9', method: 'GET', page: '1' }])
    await t.click('static 2')
    for (let n = 1; n <= 9; n++) sample.open(`static ${n}`)
    await t.heading('Static 2')
    assert.equal(sample.dataRequests('/static/2').length, 1)
    assert.equal(t.documents.length, 1)
  })

  test('of a dynamic page in view hold no connection; pointing at a link fetches its data for the click', async () => {
    await using t = await openPage(browser)
    sample.close('dynamic 1')
    await t.start(`${sample.origin}/wide`)
    await eventually('a prefetch of the dynamic page', () => sample.dataRequests('/dynamic/1').length === 1)
    assert.equal(sample.waiting(), 0)

    await t.start(sample.origin)
    sample.close('dynamic 9')
    await t.page.getByRole('link', { name: 'intent' }).hover()
    await eventually('the intent', () => sample.waiting() === 1)
    await t.click('intent')
    await t.page.waitForFunction(() =>
      globalThis.routerEvents.some((event) => event.type === 'prefetch-joined'),
    )
    sample.open('dynamic 9')
    sample.open('dynamic 1')
    await t.heading('Dynamic 9')
    assert.equal(sample.dataRequests('/dynamic/9').length, 1)
  })
})

describe('N5: a route load times out after 3800 ms', () => {
  test('and the browser loads the page itself', async () => {
    await using t = await openPage(browser)
    sample.close('slow')
    await t.start(sample.origin)
    const startMs = Date.now()
    await t.click('/slow')
    await eventually('the document', () => sample.documents('/slow').length === 1)
    const tookMs = Date.now() - startMs
    assert.ok(tookMs >= 3750 && tookMs < 5500, `fell back after ${tookMs} ms`)
    sample.open('slow')
    await t.heading('Slow page')
    assert.equal(sample.documents('/slow').length, 1)
  })

  test("exactly: not after 3799 ms of the page's own clock, but right after", async () => {
    await using t = await openPage(browser, { isAlone: true })
    sample.close('slow')
    await t.page.clock.install()
    await t.start(sample.origin)
    await t.page.clock.pauseAt(Date.now() + 60_000)
    await t.click('/slow')
    await eventually('the load of the slow page', () => sample.waiting() === 1)
    await t.page.clock.runFor(3799)
    assert.deepEqual(await fullLoads(t.page), [])
    // A second one for what breaks off the fetch: Chromium asks for one URL once at a time.
    await t.page.clock.runFor(2)
    await eventually('the document', () => sample.documents('/slow').length === 1)
    sample.open('slow')
    await t.heading('Slow page')
    assert.equal(await t.page.evaluate(() => sessionStorage.getItem('left-because')), 'timeout')
  })
})

describe('N6: stale times', () => {
  test('a dynamic page is fetched for every visit, a static page once in 300 s', async () => {
    await using t = await openPage(browser, { isAlone: true })
    await t.page.clock.install()
    await t.start(sample.origin)
    // From here on no time passes but what the test lets pass: 0 s is no millisecond, and 300 s not one less.
    await t.page.clock.pauseAt(Date.now() + 60_000)
    for (const kind of ['dynamic', 'static']) {
      for (let visit = 0; visit < 2; visit++) {
        await t.click(`/${kind}/1`)
        await t.heading(`${kind === 'static' ? 'Static' : 'Dynamic'} 1`)
        await t.click('home')
        await t.heading('Home')
      }
    }
    assert.equal(sample.dataRequests('/dynamic/1').length, 2)
    assert.equal(sample.dataRequests('/static/1').length, 1)
    await t.page.clock.runFor(299_999)
    await t.click('/static/1')
    await t.heading('Static 1')
    assert.equal(sample.dataRequests('/static/1').length, 1)
    await t.click('home')
    await t.heading('Home')
    await t.page.clock.runFor(1)
    await t.click('/static/1')
    await t.heading('Static 1')
    assert.equal(sample.dataRequests('/static/1').length, 2)
  })
})

describe('N6: what was fetched ahead', () => {
  test('of a dynamic page is not used by a click that comes after it was there', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    const answered = t.page.waitForResponse(`${sample.origin}/dynamic/9`)
    await t.page.getByRole('link', { name: 'intent' }).hover()
    await (await answered).finished()
    // A press of the mouse would bring the focus, which is an intent of its own.
    await t.page.getByRole('link', { name: 'intent' }).evaluate((link: HTMLElement) => link.click())
    await t.heading('Dynamic 9')
    assert.equal(sample.dataRequests('/dynamic/9').length, 2)
  })
})

describe('N7: redirects', () => {
  test('303, 307 and 308 are real on the wire, followed once, and their answers used once', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    for (const status of [303, 307, 308]) {
      const wire = await fetch(`${sample.origin}/go/${status}`, {
        redirect: 'manual',
        headers: { 'x-sonde-page': '1' },
      })
      assert.deepEqual([wire.status, wire.headers.get('location')], [status, `/dynamic/${status}`])
      sample.asked.length = 0

      await t.click(`/go/${status}`)
      await t.heading(`Dynamic ${status}`)
      assert.equal(t.page.url(), `${sample.origin}/dynamic/${status}`)
      assert.deepEqual(
        sample.dataRequests().map((entry) => entry.url),
        [`/go/${status}`, `/dynamic/${status}`],
      )
      assert.equal(t.documents.length, 1)
      await t.page.goBack()
      await t.heading('Home')
    }
  })

  test('303, 307 and 308 to another origin leave the app', async () => {
    await using t = await openPage(browser)
    for (const status of [303, 307, 308]) {
      const wire = await fetch(`${sample.origin}/leave/${status}`, { redirect: 'manual' })
      assert.deepEqual([wire.status, wire.headers.get('location')], [status, `${sample.elsewhere}/landing`])
      await t.start(sample.origin)
      await t.click(`/leave/${status}`)
      await t.heading('Elsewhere')
      assert.equal(t.page.url(), `${sample.elsewhere}/landing`)
    }
  })

  test('302 and 301 never reach the wire: a load says 307 and 308, an action 303', async () => {
    for (const [path, method, status] of [
      ['/go/302', 'GET', 307],
      ['/go/301', 'GET', 308],
      ['/form', 'POST', 303],
    ] as const) {
      const wire = await fetch(sample.origin + path, {
        method,
        redirect: 'manual',
        headers: { origin: sample.origin },
        ...(method === 'POST' ? { body: new URLSearchParams({ name: 'found' }) } : {}),
      })
      assert.equal(wire.status, status, path)
    }
  })

  test('going back to a page that redirects by now puts its target in its place', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    await t.click('/acme')
    await t.heading('Organization acme')
    await t.click('home')
    await t.heading('Home')
    sample.replaceData('/acme', (_, out) => void out.writeHead(307, { location: '/dynamic/1' }).end())
    await t.page.goBack()
    await t.heading('Dynamic 1')
    assert.equal(t.page.url(), `${sample.origin}/dynamic/1`)
    await t.page.goBack()
    await t.heading('Home')
    sample.replaceData('/acme', undefined)
    await t.page.goForward()
    await t.heading('Dynamic 1')
    assert.equal(t.documents.length, 1)
  })
})

describe('N8: a full page load when page data cannot be had', () => {
  const header = { 'content-type': 'application/x-sonde-page+json' }
  const failures: [what: string, reason: string, respond: Parameters<Sample['replaceData']>[1]][] = [
    ['a broken connection', 'network', (incoming) => void incoming.socket.destroy()],
    ['a 502 of a proxy', 'server', (_, outgoing) => void outgoing.writeHead(502).end('<h1>Bad gateway</h1>')],
    ['another content type', 'content-type', (_, out) => void out.writeHead(200).end('{}')],
    [
      'invalid JSON',
      'json',
      (_, out) => void out.writeHead(200, { ...header, 'x-sonde-build': sample.buildId }).end('{'),
    ],
    [
      'another build',
      'build',
      (_, out) => void out.writeHead(200, { ...header, 'x-sonde-build': 'new' }).end('{}'),
    ],
  ]
  for (const [what, reason, respond] of failures) {
    test(what, async () => {
      await using t = await openPage(browser)
      await t.start(sample.origin)
      sample.replaceData('/acme', respond)
      await t.click('/acme')
      await t.heading('Organization acme')
      sample.replaceData('/acme', undefined)
      assert.equal(sample.documents('/acme').length, 1)
      assert.equal(await t.page.evaluate(() => sessionStorage.getItem('left-because')), reason)
    })
  }

  test('a missing chunk', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    let broken = 0
    await t.page.route(/\/assets\/page-.*\.js/, (route) => {
      broken++
      return route.fulfill({ status: 404 })
    })
    await t.click('/acme')
    await eventually('the document', () => sample.documents('/acme').length === 1)
    assert.ok(broken >= 1)
    await t.heading('Organization acme')
    assert.equal(await t.page.evaluate(() => sessionStorage.getItem('left-because')), 'chunk')
  })

  test('a page that no client route matches', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    await t.click('/no/such/page/at/all')
    await t.heading('Nothing here (404)')
    assert.equal(sample.documents('/no/such/page/at/all').length, 1)
  })

  test('never for a navigation that another one has overtaken', async () => {
    await using t = await openPage(browser)
    sample.close('slow')
    await t.start(sample.origin)
    await t.click('/slow')
    await eventually('the slow load', () => sample.waiting() === 1)
    await t.click('/acme')
    await t.heading('Organization acme')
    sample.open('slow')
    await t.click('home')
    await t.heading('Home')
    assert.equal(t.documents.length, 1)
    assert.equal(sample.documents('/slow').length, 0)
  })

  test('no reload loop when a page that nobody touches keeps asking for what fails', async () => {
    await using t = await openPage(browser)
    sample.replaceData('/restless?again', (_, outgoing) => void outgoing.writeHead(502).end())
    await t.page.goto(`${sample.origin}/restless`)
    // Until then nothing may look into the page: the test's own looking counts as a person's touch.
    await eventually('a second failure', () => sample.dataRequests('/restless?again').length >= 2)
    await t.page.getByText('Application error: ').waitFor()
    sample.replaceData('/restless?again', undefined)
    assert.deepEqual(t.documents, [`${sample.origin}/restless`, `${sample.origin}/restless?again`])
  })
})
