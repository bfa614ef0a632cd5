import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { traceShare } from '../../src/spans/sample-spans.ts'

const TRACES = 20_000
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** How many of so many traces each rate keeps may differ from its mean by this: four times the standard deviation. */
const bound = (rate: number): number => 4 * Math.sqrt(TRACES * rate * (1 - rate))

const SHAPES: { readonly [name: string]: (n: number) => string } = {
  'count upwards': (n) => hex(n, 32),
  'begin with a time': (n) => hex(1_763_000_000 + (n >> 5), 8) + hex(n * 7919, 24),
  'were kept by the low bits of the id': (n) => hex(n, 16) + hex(0, 8) + hex(n % 256, 8),
}

for (const [name, idOf] of Object.entries(SHAPES))
  test(`a rate keeps its share of traces whose ids ${name}`, () => {
    const shares = Array.from({ length: TRACES }, (_, n) => traceShare(idOf(n)))
    for (const rate of [0.01, 0.1, 0.25, 0.5, 0.9]) {
      const kept = shares.filter((share) => share < rate).length
      assert.ok(Math.abs(kept - TRACES * rate) <= bound(rate), `${rate} kept ${kept} of ${TRACES}`)
    }
  })

test('whatever the id, the lot is the same each time, at least 0 and less than 1', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-f]{32}$/), (traceId) => {
      const share = traceShare(traceId)
      assert.ok(share >= 0 && share < 1)
      assert.equal(traceShare(traceId), share)
    }),
  )
})

test('the lot of a trace never changes: servers of two versions must agree', () => {
  assert.deepEqual(
    ['a', 'b', 'f'].map((digit) => traceShare(digit.repeat(32)).toFixed(12)),
    ['0.590700128961', '0.861486354132', '0.959006929520'],
  )
})
