import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import type { Navigation } from '../../src/navigation/timeline.ts'
import { createTraffic, ENTRY_WITHIN_MS, FOLLOWS_WITHIN_MS } from '../../src/navigation/traffic.ts'
import type { PageRequest } from '../../src/types.ts'

function setUp() {
  mock.timers.reset()
  mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const traffic = createTraffic(() => {})
  const wait = (untilMs: number): void => {
    mock.timers.tick(untilMs - nowMs)
    nowMs = untilMs
  }
  return {
    traffic,
    wait,
    /** A request that starts and ends at these times, the clock moving along. */
    request(url: string, startMs: number, endMs: number): () => void {
      wait(startMs)
      const request: PageRequest = {
        kind: 'fetch',
        method: 'GET',
        url,
        start: startMs,
        headers: new Headers(),
      }
      traffic.request(request)
      return () => {
        wait(endMs)
        request.end = endMs
        traffic.requestEnd(request)
      }
    },
    begin(startMs: number, owns?: (url: string) => boolean): Navigation {
      wait(startMs)
      const navigation = { startMs, loads: {}, facts: {}, owns } as unknown as Navigation
      traffic.begin(navigation)
      return navigation
    },
    commit(navigation: Navigation, atMs: number): { settledMs?: number | undefined; called: number } {
      wait(atMs)
      navigation.facts.outcome = 'committed'
      navigation.commitMs = navigation.endMs = atMs
      const result: { settledMs?: number | undefined; called: number } = { called: 0 }
      traffic.settled(navigation, (settledMs) => {
        result.settledMs = settledMs
        result.called++
      })
      return result
    },
  }
}

describe('requests of a navigation', () => {
  before(() => {
    globalThis.location = { href: 'https://shop.example/orders' } as Location
  })
  after(() => mock.timers.reset())

  it('settles with the last answer, and with what that answer led to', () => {
    const page = setUp()
    const navigation = page.begin(1000)
    const items = page.request('/api/items', 1010, 1200)
    const extras = page.request('/api/extras', 1020, 1500)
    items()
    const result = page.commit(navigation, 1210)
    extras()
    const follows = page.request('/api/follows', 1530, 1700)
    follows()
    page.wait(3000)
    assert.deepEqual(result, { settledMs: 1700, called: 1 })
    assert.deepEqual(navigation.loads.data, [1010, 1200])
    assert.equal(navigation.facts.requests, 3)
  })

  it('gives the same numbers whether the page polls every second or not', () => {
    const measure = (polls: boolean): unknown => {
      const page = setUp()
      const poll = (atMs: number): void => {
        if (polls) page.request(`/api/alive?t=${atMs}`, atMs, atMs + 300)()
      }
      for (let atMs = 0; atMs < 10_000; atMs += 1000) poll(atMs)
      const navigation = page.begin(10_950)
      const data = page.request('/api/orders/7', 10_960, 11_400)
      poll(11_000)
      data()
      const result = page.commit(navigation, 11_420)
      for (let atMs = 12_000; atMs < 30_000; atMs += 1000) poll(atMs)
      page.wait(40_000)
      return { result, loads: navigation.loads, requests: navigation.facts.requests }
    }
    assert.deepEqual(measure(true), measure(false))
    assert.deepEqual(measure(false), {
      result: { settledMs: 11_420, called: 1 },
      loads: { data: [10_960, 11_400] },
      requests: 1,
    })
  })

  it('does not take a page that is fetched again on each visit for polling', () => {
    const page = setUp()
    for (const startMs of [1000, 3000, 5000]) {
      const navigation = page.begin(startMs)
      page.request('/api/items', startMs + 10, startMs + 200)()
      const result = page.commit(navigation, startMs + 210)
      page.wait(startMs + 1000)
      assert.equal(navigation.facts.requests, 1)
      assert.equal(result.settledMs, startMs + 210)
    }
  })

  it('takes what a navigation owns, though it began before: fetched ahead, and while another was under way', () => {
    const page = setUp()
    page.request('/b/data', 800, 900)()
    const ahead = page.request('/b/data', 950, 1300)
    const other = page.request('/alive', 960, 1310)
    page.begin(1000)
    const first = page.request('/a/data', 1010, 5000)
    const told = page.request('/b/more', 1090, 1400)
    const navigation = page.begin(1100, (url) => url.startsWith('/b/'))
    assert.deepEqual(
      page.traffic.waiting().map(({ start }) => start),
      [1090, 950],
    )
    for (const end of [ahead, other, told]) end()
    assert.deepEqual(navigation.loads.data, [1100, 1400], 'of what began before only the wait counts')
    assert.equal(navigation.facts.requests, 2)
    page.commit(navigation, 1410)
    first()
  })

  it('waits for the timing of a request that comes after its answer, but not for ever', () => {
    const late = setUp()
    const navigation = late.begin(1000)
    late.request('/api/items', 1010, 1100)()
    const result = late.commit(navigation, 1110)
    late.wait(1110 + FOLLOWS_WITHIN_MS * 3)
    assert.equal(result.called, 0)
    const name = 'https://shop.example/api/items'
    const timing = { name, initiatorType: 'fetch', startTime: 1010, responseEnd: 1105, transferSize: 512 }
    late.traffic.resource(timing as PerformanceResourceTiming)
    late.wait(1110 + FOLLOWS_WITHIN_MS * 4)
    assert.deepEqual([result.called, navigation.facts.bytes], [1, 512])

    const never = setUp()
    const untimed = never.begin(1000)
    never.request('/api/items', 1010, 1100)()
    const ended = never.commit(untimed, 1110)
    never.wait(1110 + ENTRY_WITHIN_MS)
    assert.deepEqual([ended.called, ended.settledMs, untimed.facts.bytes], [1, 1110, undefined])
  })

  it('gives up on a stream after ten seconds', () => {
    const page = setUp()
    const navigation = page.begin(1000)
    page.request('/api/stream', 1010, 99_999)
    const result = page.commit(navigation, 1100)
    page.wait(11_099)
    assert.equal(result.called, 0)
    page.wait(11_100)
    assert.deepEqual(result, { settledMs: undefined, called: 1 })
  })
})
