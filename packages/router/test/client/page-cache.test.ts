import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { createFetchPage, type PageAnswer } from '../../src/client/fetch-page.ts'
import { createPageCache, type PageCache } from '../../src/client/page-cache.ts'
import { manualTimers } from '../support/manual-timers.ts'
import { BUILD, pageOf, sendPage, startPageServer, type PageServer } from '../support/page-server.ts'

function cacheOn(server: PageServer, timers = manualTimers()): PageCache {
  const fetchPage = createFetchPage({ origin: server.origin, build: BUILD, fetch })
  return createPageCache({ fetchPage, timers })
}

const never = new AbortController().signal
const inView = (url: string) => ({ url, template: '/x', why: 'view' as const })
const pointedAt = (url: string) => ({ url, template: '/x', why: 'intent' as const })
const dataOf = (answer: PageAnswer): unknown => (answer.kind === 'page' ? answer.page.data : answer)
const kindOf = (answer: PageAnswer): string => (answer.kind === 'failed' ? answer.reason : answer.kind)

const redirectTo =
  (location: string, status: number) =>
  (_: unknown, response: ServerResponse): void =>
    void response.writeHead(status, { location }).end()

describe('prefetches', () => {
  test('at most five run at once, the others follow in order', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    for (let n = 1; n <= 12; n++) cache.prefetch(inView(`/p${n}`))
    await server.received(5)
    assert.equal(server.open(), 5)
    server.answer('/p2', { kind: 'static' })
    await server.received(6)
    assert.equal(server.open(), 5)
    assert.deepEqual(
      server.asked.map((entry) => entry.url),
      ['/p1', '/p2', '/p3', '/p4', '/p5', '/p6'],
    )
    assert.ok(server.asked.every((entry) => entry.header === 'prefetch'))
  })

  test('a navigation takes its waiting task past the limit', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    for (let n = 1; n <= 7; n++) cache.prefetch(inView(`/p${n}`))
    await server.received(5)
    const navigation = cache.load('/p7', never)
    await server.received(6)
    assert.deepEqual([server.asked[5]?.url, server.asked[5]?.header], ['/p7', '1'])
    server.answer('/p7', { data: { seven: 7 } })
    assert.deepEqual(dataOf(await navigation), { seven: 7 })
    for (let n = 1; n <= 6; n++) {
      server.answer(`/p${n}`, { kind: 'static' })
      if (n === 1) await server.received(7)
    }
    // Had the task stayed in the queue, it would run before this one.
    cache.prefetch(inView('/last'))
    await server.received(8)
    assert.equal(server.asked.filter((entry) => entry.url === '/p7').length, 1)
  })

  test('a navigation joins the fetch of the same page that is in flight', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    cache.prefetch(pointedAt('/a'))
    await server.received(1)
    const navigation = cache.load('/a', never)
    server.answer('/a', { data: { once: true } })
    assert.deepEqual(dataOf(await navigation), { once: true })
    assert.equal(server.asked.length, 1)
    assert.equal(server.asked[0]?.header, '1')
  })

  test('a navigation that joined an answer without data asks for the data', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    cache.prefetch(inView('/a'))
    await server.received(1)
    const navigation = cache.load('/a', never)
    server.answer('/a', { reduced: true })
    await server.received(2)
    server.answer('/a', { data: { full: true } })
    assert.deepEqual(dataOf(await navigation), { full: true })
  })

  test('an intent goes before the links that are merely in view', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    for (let n = 1; n <= 7; n++) cache.prefetch(inView(`/p${n}`))
    await server.received(5)
    cache.prefetch(pointedAt('/p7'))
    server.answer('/p1', { kind: 'static' })
    await server.received(6)
    assert.deepEqual([server.asked[5]?.url, server.asked[5]?.header], ['/p7', '1'])
  })

  test('a link that left the view is not fetched when its turn comes', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    const cancels = [1, 2, 3, 4, 5, 6, 7].map((n) => cache.prefetch(inView(`/p${n}`)))
    await server.received(5)
    cancels[5]?.()
    server.answer('/p1', { kind: 'static' })
    await server.received(6)
    assert.equal(server.asked[5]?.url, '/p7')
  })

  test('a template that answers without data is not asked again for the next link in view', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    server.on('/a', (_, response) => sendPage(response, { reduced: true }))
    cache.prefetch(inView('/a'))
    await server.received(1)
    const settled = cache.load('/b', never)
    await server.received(2)
    server.answer('/b')
    await settled
    cache.prefetch(inView('/c'))
    cache.prefetch(pointedAt('/d'))
    await server.received(3)
    assert.equal(server.asked[2]?.url, '/d')
  })

  test('one that hangs gives its place back after 3800 ms', async () => {
    await using server = await startPageServer()
    const timers = manualTimers()
    const cache = cacheOn(server, timers)
    for (let n = 1; n <= 6; n++) cache.prefetch(inView(`/p${n}`))
    await server.received(5)
    timers.advance(3799)
    timers.advance(0)
    assert.equal(server.asked.length, 5)
    timers.advance(1)
    timers.advance(0)
    await server.aborted(5)
    await server.received(6)
  })

  test('one that a navigation joined outlives its own 3800 ms', async () => {
    await using server = await startPageServer()
    const timers = manualTimers()
    const cache = cacheOn(server, timers)
    cache.prefetch(pointedAt('/a'))
    await server.received(1)
    timers.advance(3000)
    const navigation = cache.load('/a', never)
    timers.advance(1000)
    timers.advance(0)
    server.answer('/a', { data: { late: true } })
    assert.deepEqual(dataOf(await navigation), { late: true })
  })
})

describe('stale times', () => {
  test('a static page is used again for 300 s and asked for after', async () => {
    await using server = await startPageServer()
    const timers = manualTimers()
    const cache = cacheOn(server, timers)
    server.on('/s', (_, response) => sendPage(response, { kind: 'static', data: { n: server.asked.length } }))
    assert.deepEqual(dataOf(await cache.load('/s', never)), { n: 1 })
    timers.advance(299_999)
    assert.deepEqual(dataOf(await cache.load('/s', never)), { n: 1 })
    timers.advance(1)
    assert.deepEqual(dataOf(await cache.load('/s', never)), { n: 2 })
  })

  test('a dynamic page is asked for every time, even right after its prefetch', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    server.on('/d', (_, response) => sendPage(response, { data: { n: server.asked.length } }))
    assert.deepEqual(dataOf(await cache.load('/d', never)), { n: 1 })
    assert.deepEqual(dataOf(await cache.load('/d', never)), { n: 2 })
  })

  test('query strings are pages of their own', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    for (const url of ['/s?page=1', '/s?page=2']) {
      server.on(url, (_, response) => sendPage(response, { kind: 'static', data: { url } }))
    }
    await cache.load('/s?page=1', never)
    assert.deepEqual(dataOf(await cache.load('/s?page=2', never)), { url: '/s?page=2' })
  })

  test('an error is not remembered', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    server.on('/s', (_, response) => sendPage(response, { kind: 'static', error: { status: 500 } }))
    await cache.load('/s', never)
    await cache.load('/s', never)
    assert.equal(server.asked.length, 2)
  })

  test('a post forgets everything, answers still on their way included', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    server.on('/s', (_, response) => sendPage(response, { kind: 'static' }))
    await cache.load('/s', never)
    cache.prefetch(pointedAt('/late'))
    await server.received(2)
    cache.clear()
    server.answer('/late', { kind: 'static' })
    await cache.load('/s', never)
    const late = cache.load('/late', never)
    await server.received(4)
    server.answer('/late')
    await late
    assert.deepEqual(
      server.asked.map((entry) => entry.url),
      ['/s', '/late', '/s', '/late'],
    )
  })
})

describe('redirects', () => {
  for (const status of [303, 307, 308]) {
    test(`${status}: the answer is the target's page data, asked with the same header`, async () => {
      await using server = await startPageServer()
      const cache = cacheOn(server)
      server.on('/old', redirectTo('/new?x=1', status))
      server.on('/new?x=1', (_, response) => sendPage(response, { data: { at: 'new' } }))
      const answer = await cache.load('/old', never)
      assert.deepEqual(answer, {
        kind: 'page',
        page: pageOf({ data: { at: 'new' } }),
        url: '/new?x=1',
        redirected: true,
      })
      assert.deepEqual(
        server.asked.map((entry) => entry.header),
        ['1', '1'],
      )
    })
  }

  test('what was kept for the target is used exactly once', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    server.on('/t', (_, response) => sendPage(response, { data: { from: 'server' } }))
    cache.keep('/t', pageOf({ data: { from: 'redirect' } }))
    assert.deepEqual(dataOf(await cache.load('/t', never)), { from: 'redirect' })
    assert.deepEqual(dataOf(await cache.load('/t', never)), { from: 'server' })
  })

  test('what was kept is dropped when the next navigation goes elsewhere', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    for (const url of ['/t', '/other']) {
      server.on(url, (_, response) => sendPage(response, { data: { from: 'server' } }))
    }
    cache.keep('/t', pageOf({ data: { from: 'redirect' } }))
    await cache.load('/other', never)
    assert.deepEqual(dataOf(await cache.load('/t', never)), { from: 'server' })
  })

  test('to another origin is a failure that the browser can follow', async () => {
    await using server = await startPageServer()
    await using elsewhere = await startPageServer()
    const cache = cacheOn(server)
    server.on('/out', redirectTo(`${elsewhere.origin}/in`, 307))
    elsewhere.on('/in', (_, response) => sendPage(response))
    assert.equal(kindOf(await cache.load('/out', never)), 'origin')
  })
})

describe('answers that are no page data', () => {
  const rows: [reason: string, status: number, headers: Record<string, string>, body: string][] = [
    ['server', 502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>'],
    ['content-type', 200, { 'content-type': 'text/html' }, '<!doctype html>'],
    ['content-type', 200, {}, '{}'],
    ['build', 200, { 'content-type': 'application/x-sonde-page+json', 'x-sonde-build': 'build-2' }, '{}'],
    ['json', 200, { 'content-type': 'application/x-sonde-page+json', 'x-sonde-build': BUILD }, '{"data":'],
  ]
  for (const [reason, status, headers, body] of rows) {
    test(`${status} ${JSON.stringify(headers)} fails as ${reason}`, async () => {
      await using server = await startPageServer()
      server.on('/x', (_, response) => void response.writeHead(status, headers).end(body))
      assert.equal(kindOf(await cacheOn(server).load('/x', never)), reason)
    })
  }

  test('a connection that breaks fails as network, before and within the body', async () => {
    await using server = await startPageServer()
    const cache = cacheOn(server)
    server.on('/reset', (request) => void request.socket.destroy())
    server.on('/half', (request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-sonde-page+json', 'x-sonde-build': BUILD })
      response.write('{"data"', () => request.socket.destroy())
    })
    assert.equal(kindOf(await cache.load('/reset', never)), 'network')
    assert.equal(kindOf(await cache.load('/half', never)), 'network')
  })
})

describe('superseded loads', () => {
  test('are aborted on the wire, a moment later', async () => {
    await using server = await startPageServer()
    const timers = manualTimers()
    const cache = cacheOn(server, timers)
    const navigation = new AbortController()
    const load = cache.load('/slow', navigation.signal)
    await server.received(1)
    navigation.abort()
    assert.equal(kindOf(await load), 'aborted')
    timers.advance(0)
    await server.aborted(1)
  })

  test('by the same page share its fetch', async () => {
    await using server = await startPageServer()
    const timers = manualTimers()
    const cache = cacheOn(server, timers)
    const first = new AbortController()
    const superseded = cache.load('/slow', first.signal)
    await server.received(1)
    first.abort()
    const second = cache.load('/slow', never)
    timers.advance(0)
    assert.equal(kindOf(await superseded), 'aborted')
    server.answer('/slow', { data: { shared: true } })
    assert.deepEqual(dataOf(await second), { shared: true })
    assert.equal(server.asked.length, 1)
  })
})
