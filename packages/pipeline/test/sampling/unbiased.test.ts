/** Counting stored rows up by their rates gives what happened, whatever the senders and the rules keep. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SpanWithFacts } from '../../src/spans/encode-spans.ts'
import { sampleSpans } from '../../src/spans/sample-spans.ts'
import type { Span, SpanFacts } from '../../src/spans/span.ts'

const TRACES = 4_000
const ROUTES = ['/', '/cart', '/health/live', '/api/[id]'] as const
const EVERY = { route: '', op: '', release: '', environment: '' }

/** The same for the same words: like an id, and like a sender's dice. */
const digest = (...words: readonly unknown[]): string => hash('sha256', words.join(' '), 'hex')
const dice = (...words: readonly unknown[]): number =>
  Number.parseInt(digest(...words).slice(0, 12), 16) / 16 ** 12

function traceOf(seed: number, n: number, senderRate: number): SpanWithFacts[] {
  const traceId = digest('trace', seed, n).slice(0, 32)
  const facts = {
    segmentName: ROUTES[n % ROUTES.length],
    release: '',
    environment: '',
    sampleRate: senderRate,
  }
  return Array.from({ length: 1 + (n % 5) }, (_, at) => {
    const span = {
      traceId,
      spanId: `${at}`,
      segmentId: '0',
      isSegment: at === 0,
      op: 'http.server',
      name: '',
    }
    return { span: span as Span, facts: facts as SpanFacts }
  })
}

const share = fc.integer({ min: 5, max: 90 }).map((percent) => percent / 100)
const settings = fc.record({ seed: fc.nat(), senderRate: share, cart: share, health: share, others: share })

test('counts that were counted up are those of what happened, route by route', () => {
  const deviations: number[] = []
  fc.assert(
    fc.property(settings, ({ seed, senderRate, cart, health, others }) => {
      const rules = [
        { ...EVERY, route: '/cart', rate: cart },
        { ...EVERY, route: '/health*', rate: health },
        { ...EVERY, rate: others },
      ]
      const happened = new Map<string, number>()
      const counted = new Map<string, number>()
      const variance = new Map<string, number>()
      const add = (sums: Map<string, number>, route: string, value: number) =>
        sums.set(route, (sums.get(route) ?? 0) + value)
      for (let n = 0; n < TRACES; n++) {
        const trace = traceOf(seed, n, senderRate)
        const route = trace[0]?.facts.segmentName ?? ''
        add(happened, route, trace.length)
        const serverRate = route === '/cart' ? cart : route === '/health/live' ? health : others
        // A trace counts for all of its spans at once, so that is what its chance weighs.
        add(variance, route, trace.length ** 2 * (1 / (senderRate * serverRate) - 1))
        if (dice('sender', seed, n) >= senderRate) continue
        for (const { facts, sampling } of sampleSpans(trace, 'container', { rules, sampleMeasured: false })
          .list)
          if (sampling?.isKept !== false) add(counted, route, 1 / (facts.sampleRate * (sampling?.rate ?? 1)))
      }
      for (const route of ROUTES) {
        const off = (counted.get(route) ?? 0) - (happened.get(route) ?? 0)
        const deviation = Math.sqrt(variance.get(route) ?? 0)
        assert.ok(Math.abs(off) <= 5 * deviation + 1e-6 * TRACES, `${route}: off by ${off} at ${deviation}`)
        if (deviation > 0) deviations.push(off / deviation)
      }
    }),
    { seed: 20_261_121, numRuns: 12 },
  )
  // Each alone may be off by its deviation; together they may not lean: rules that keep a tenth too much are beyond this.
  const lean = deviations.reduce((sum, each) => sum + each, 0) / deviations.length
  assert.ok(Math.abs(lean) <= 4 / Math.sqrt(deviations.length), `all of them lean by ${lean} deviations`)
})
