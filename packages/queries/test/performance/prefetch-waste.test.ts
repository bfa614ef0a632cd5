import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wasteOf } from '../../src/performance/prefetch-waste.ts'

/** Pages as `[issued, wasted]`. */
function sumsOf(pages: readonly (readonly [number, number])[]) {
  const sum = (of: (issued: number, wasted: number) => number) =>
    pages.reduce((all, [issued, wasted]) => all + of(issued, wasted), 0)
  return {
    reports: pages.length,
    issued: sum((issued) => issued),
    wasted: sum((_, wasted) => wasted),
    issuedSquared: sum((issued) => issued * issued),
    wastedSquared: sum((_, wasted) => wasted * wasted),
    product: sum((issued, wasted) => issued * wasted),
  }
}
const pagesOf = (count: number, issued: number, wasted: number) =>
  Array.from({ length: count }, () => [issued, wasted] as const)
/** Numbers of 0 to 1 that are the same in each run. */
function* numbers(): Generator<number, never> {
  for (let seed = 7; ;) {
    seed = (seed * 48_271) % 2_147_483_647
    yield seed / 2_147_483_647
  }
}

describe('the share of prefetches that nobody used', () => {
  it('is not told of few, and says how many are missing', () => {
    assert.deepEqual(wasteOf(sumsOf(pagesOf(10, 4, 4))), { kind: 'few', prefetches: 60, pages: 20 })
    assert.deepEqual(wasteOf(sumsOf(pagesOf(3, 200, 180))), { kind: 'few', prefetches: 0, pages: 27 })
    assert.deepEqual(wasteOf(sumsOf([])), { kind: 'few', prefetches: 100, pages: 30 })
  })

  it('has an interval as wide as pages differ, not as they have links', () => {
    const alike = wasteOf(sumsOf([10, 9, 8].flatMap((wasted) => pagesOf(40, 10, wasted))))
    const apart = wasteOf(sumsOf([...pagesOf(90, 10, 10), ...pagesOf(10, 10, 0)]))
    assert.ok(alike.kind === 'known' && apart.kind === 'known')
    assert.deepEqual([alike.share.value, apart.share.value], [0.9, 0.9])
    const width = ({ share }: typeof alike) => share.high - share.low
    assert.ok(width(apart) > 2.5 * width(alike), `${width(apart)} and ${width(alike)}`)
    const all = wasteOf(sumsOf(pagesOf(50, 40, 40)))
    assert.ok(all.kind === 'known' && all.share.high > 0.9999 && all.share.low < 0.94)
  })

  it('is unknown while few pages decide: one of a thousand links tells of one', () => {
    const waste = wasteOf(sumsOf([...pagesOf(34, 2, 0), [1_000, 1_000]]))
    assert.ok(waste.kind === 'few' && waste.pages > 0)
  })

  it('lies in its interval in about 19 of 20 samples of pages', () => {
    const next = numbers()
    const random = () => next.next().value
    let held = 0
    for (let run = 0; run < 1_000; run++) {
      // A page is read to its end or left at once; the truth is 0.3 × 0.5 + 0.7 × 0.95 = 0.815.
      const pages = Array.from({ length: 200 }, () => {
        const share = random() < 0.3 ? 0.5 : 0.95
        return [20, Array.from({ length: 20 }, random).filter((each) => each < share).length] as const
      })
      const waste = wasteOf(sumsOf(pages))
      assert.ok(waste.kind === 'known')
      if (waste.share.low <= 0.815 && 0.815 <= waste.share.high) held++
    }
    assert.ok(held >= 930 && held <= 970, `${held} of 1,000`)
  })
})
