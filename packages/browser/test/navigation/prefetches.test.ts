import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Navigations } from '../../src/navigation/navigations.ts'
import { createPrefetches } from '../../src/navigation/prefetches.ts'
import type { LooseSpan } from '../../src/navigation/spans.ts'

let nowMs = 0
let arrived: Partial<PerformanceResourceTiming>[] = []
const RealObserver = globalThis.PerformanceObserver

/** Keeps timings until the page is hidden, as a busy page does. */
class LateObserver {
  static supportedEntryTypes = ['resource']
  observe(): void {}
  takeRecords = () => arrived.splice(0)
}

function setUp() {
  nowMs = 0
  arrived = []
  const spans: LooseSpan[] = []
  let hide = (): void => {}
  const navigations = {
    client: { trace: { traceId: 't' }, on: (_: string, listener: () => void) => (hide = listener) },
    write: (span: LooseSpan) => void spans.push(span),
    current: () => (navigationMs === undefined ? undefined : { startMs: navigationMs }),
  }
  let navigationMs: number | undefined
  const prefetches = createPrefetches(navigations as unknown as Navigations, 'test')
  return {
    prefetches,
    spans,
    hide: () => hide(),
    navigate: () => (navigationMs = nowMs),
    load: (transferSize: number, initiatorType = 'fetch', name = '') =>
      void arrived.push({ startTime: nowMs, transferSize, initiatorType, name }),
  }
}

describe('prefetches', () => {
  before(() => {
    performance.now = () => nowMs
    Object.assign(globalThis, { PerformanceObserver: LateObserver })
  })
  after(() => {
    delete (performance as { now?: unknown }).now
    Object.assign(globalThis, { PerformanceObserver: RealObserver })
  })

  it('tell a navigation whether they were there, came late, were too old, or never were', () => {
    const { prefetches } = setUp()
    const end = prefetches.issue('/a', '/[p]')
    assert.deepEqual(prefetches.use('/b'), { prefetch: 'none' })
    assert.deepEqual(prefetches.use('/a'), { prefetch: 'late' })
    end()
    assert.deepEqual(prefetches.use('/a'), { prefetch: 'none' }, 'one navigation uses it up')
    const endFresh = prefetches.issue('/c', '/[p]')
    nowMs = 200
    endFresh(300)
    nowMs = 450
    assert.deepEqual(prefetches.use('/c'), { prefetch: 'used', prefetch_lead: 250 })
    prefetches.issue('/d', '/[p]')(300)
    nowMs = 750
    assert.deepEqual(prefetches.use('/d'), { prefetch: 'stale', prefetch_lead: 300 })
    prefetches.issue('/e', '/[p]')(0)
    assert.deepEqual(prefetches.use('/e'), { prefetch: 'stale', prefetch_lead: 0 })
  })

  it('are counted per route since the page was loaded, under one id, and only when they changed', () => {
    const { prefetches, spans, hide } = setUp()
    const endA = prefetches.issue('/a', '/[p]')
    nowMs = 80
    endA()
    prefetches.issue('/b', '/[p]')()
    prefetches.issue('/b', '/[p]')()
    prefetches.use('/a')
    hide()
    hide()
    prefetches.use('/b')
    hide()
    const facts = spans.map(({ attributes }) => attributes)
    const [first, second] = facts
    assert.equal(spans.length, 2)
    assert.deepEqual(first, {
      route: '/[p]',
      router: 'test',
      issued: 2,
      used: 1,
      late: 0,
      stale: 0,
      saved: 80,
      requests: 0,
      bytes: 0,
      wasted: 1,
      wasted_bytes: 0,
    })
    assert.deepEqual([second!['used'], second!['wasted']], [2, 0])
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, 1)
  })

  it('are counted anew after each report, from the time of their first, and told at once when there are very many', () => {
    const { prefetches, spans, hide } = setUp()
    prefetches.issue('/a', '/[p]')()
    hide()
    nowMs = 3_600_000
    for (let at = 0; at < 60; at++) prefetches.issue(`/b/${at}`, '/[p]')()
    assert.deepEqual(
      spans.map(({ startMs, attributes }) => [startMs, attributes['issued']]),
      [
        [0, 1],
        [3_600_000, 50],
      ],
    )
    hide()
    prefetches.use('/a')
    hide()
    const [first, , third, again] = spans
    assert.equal(third!.attributes['issued'], 10)
    assert.deepEqual([again!.spanId, again!.attributes['used']], [first!.spanId, 1])
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, 3)
  })

  it('by the address of their request are counted again when it is made again, and not for each part of a page', () => {
    const { prefetches, spans, hide, load } = setUp()
    const ask = (url: string) => {
      prefetches.issue('/a', '/[p]', url)()
      load(100, 'fetch', url)
    }
    ask('/a?_rsc=tree')
    ask('/a?_rsc=part')
    ask('/b')
    nowMs = 90
    ask('/a?_rsc=tree')
    load(7_000, 'fetch', '/elsewhere')
    hide()
    const { issued, wasted, requests, bytes } = spans.at(-1)!.attributes
    assert.deepEqual({ issued, wasted, requests, bytes }, { issued: 2, wasted: 2, requests: 4, bytes: 400 })
  })

  it('cost what was loaded while they ran, and waste what no navigation showed', () => {
    const { prefetches, spans, hide, load, navigate } = setUp()
    /** Of the last report of each. */
    const costsOf = () => {
      hide()
      const reports = [...new Map(spans.map(({ spanId, attributes }) => [spanId, attributes])).values()]
      const sum = (name: string) => reports.reduce((all, one) => all + Number(one[name]), 0)
      return { requests: sum('requests'), bytes: sum('bytes'), wasted: sum('wasted_bytes') }
    }
    load(9_000)
    nowMs = 10
    const end = prefetches.issue('/a', '/[p]')
    load(500)
    load(300, 'script')
    load(7_000, 'img')
    nowMs = 20
    end()
    nowMs = 30
    load(2_000)
    assert.deepEqual(costsOf(), { requests: 2, bytes: 800, wasted: 800 })
    prefetches.use('/a')
    prefetches.issue('/b', '/[p]')
    load(40)
    nowMs = 40
    prefetches.use('/b')
    navigate()
    load(6_000)
    assert.deepEqual(
      costsOf(),
      { requests: 3, bytes: 840, wasted: 0 },
      'late: its bytes were shown all the same',
    )
    prefetches.issue('/c', '/[p]')(0)
    nowMs = 50
    prefetches.use('/c')
    assert.deepEqual(costsOf(), { requests: 3, bytes: 840, wasted: 0 })
  })
})
