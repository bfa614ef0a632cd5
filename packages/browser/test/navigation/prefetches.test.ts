import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Navigations } from '../../src/navigation/navigations.ts'
import { createPrefetches } from '../../src/navigation/prefetches.ts'
import type { LooseSpan } from '../../src/navigation/spans.ts'

let nowMs = 0
before(() => {
  performance.now = () => nowMs
})
after(() => {
  delete (performance as { now?: unknown }).now
})

function setUp() {
  nowMs = 0
  const spans: LooseSpan[] = []
  let hide = (): void => {}
  const navigations = {
    client: { trace: { traceId: 't' }, on: (_: string, listener: () => void) => (hide = listener) },
    write: (span: LooseSpan) => void spans.push(span),
  }
  const prefetches = createPrefetches(navigations as unknown as Navigations, 'test')
  return { prefetches, spans, hide: () => hide() }
}

describe('prefetches', () => {
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
      wasted: 1,
    })
    assert.deepEqual([second!['used'], second!['wasted']], [2, 0])
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, 1)
  })
})
