import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFetchPage } from '../../src/client/fetch-page.ts'
import { createPageCache } from '../../src/client/page-cache.ts'
import { loadRoute } from '../../src/client/route-load.ts'
import { manualTimers } from '../support/manual-timers.ts'
import { BUILD, startPageServer } from '../support/page-server.ts'

const never = new AbortController().signal
const ready = (): Promise<void> => Promise.resolve()
const missing = (): Promise<void> => Promise.reject(new Error('404'))
const hanging = (): Promise<void> => new Promise(() => {})

test('page data that takes longer than 3800 ms is a timeout, and the fetch is broken off', async () => {
  await using server = await startPageServer()
  const timers = manualTimers()
  const cache = createPageCache({
    fetchPage: createFetchPage({ origin: server.origin, build: BUILD, fetch }),
    timers,
  })
  let ended = false
  const load = loadRoute({
    data: (signal) => cache.load('/slow', signal),
    code: ready,
    signal: never,
    timers,
  })
  void load.then(() => (ended = true))
  await server.received(1)
  timers.advance(3799)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(ended, false)
  timers.advance(1)
  assert.deepEqual(await load, { kind: 'failed', reason: 'timeout' })
  timers.advance(0)
  await server.aborted(1)
})

test('code that takes longer than 3800 ms is a timeout too', async () => {
  await using server = await startPageServer()
  const timers = manualTimers()
  const cache = createPageCache({
    fetchPage: createFetchPage({ origin: server.origin, build: BUILD, fetch }),
    timers,
  })
  const load = loadRoute({ data: (signal) => cache.load('/a', signal), code: hanging, signal: never, timers })
  await server.received(1)
  server.answer('/a')
  timers.advance(3800)
  assert.deepEqual(await load, { kind: 'failed', reason: 'timeout' })
})

const page = { build: BUILD, template: '/a', kind: 'dynamic', status: 200, title: '', data: {} } as const

test('a missing chunk fails the load, but not a redirect away from it nor an error page', async () => {
  const timers = manualTimers()
  const load = (answer: Partial<typeof page> & { error?: { status: number } }, redirected = false) =>
    loadRoute({
      data: () => Promise.resolve({ kind: 'page', page: { ...page, ...answer }, url: '/a', redirected }),
      code: missing,
      signal: never,
      timers,
    })
  assert.deepEqual(await load({}), { kind: 'failed', reason: 'chunk' })
  assert.equal((await load({}, true)).kind, 'page')
  assert.equal((await load({ error: { status: 500 } })).kind, 'page')
})

test('a superseded load is aborted, never a failure, whatever happened meanwhile', async () => {
  const timers = manualTimers()
  const navigation = new AbortController()
  const load = loadRoute({
    data: () => Promise.resolve({ kind: 'failed', reason: 'network' }),
    code: hanging,
    signal: navigation.signal,
    timers,
  })
  navigation.abort()
  timers.advance(3800)
  assert.deepEqual(await load, { kind: 'aborted' })
})
