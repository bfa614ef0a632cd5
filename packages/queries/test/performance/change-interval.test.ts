import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  certainChange,
  percentileEstimate,
  rateEstimate,
  relativeChange,
  shareChange,
  SKETCH_STEP,
  verdictOf,
} from '../../src/performance/change-interval.ts'
import { clusteredSamples, GROUPS } from '../../src/performance/clustered-samples.ts'
import { gridLevels, quantileAt } from '../../src/performance/quantile-grid.ts'

/** Uniform in (0, 1), the same on every run (Mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 4_294_967_296
  }
}

/** As the engine's sketch keeps it: the upper sixteen bits of a 32-bit float. */
const scratch = new DataView(new ArrayBuffer(4))
function sketched(value: number): number {
  scratch.setFloat32(0, value)
  scratch.setUint16(2, 0)
  return scratch.getFloat32(0)
}

/** What the engine answers of these durations: the least value that so large a share does not exceed. */
function gridOf(durations: readonly number[], level: number) {
  const sorted = durations.map(sketched).toSorted((a, b) => a - b)
  const values = gridLevels(level).map(
    (each) => sorted[Math.max(0, Math.ceil(each * sorted.length - 1e-9) - 1)] ?? 0,
  )
  return { level, values }
}

/** Durations as they are: some factor around a middle, with a long tail to the right. */
const lognormal = (next: () => number, median: number, spread: number): number =>
  median * Math.exp(spread * Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next()))
/** Two kinds of answers, from a cache or not: the density at the percentile may be anything. */
const twoHumps = (next: () => number, median: number): number =>
  next() < 0.6 ? lognormal(next, median * 0.2, 0.3) : lognormal(next, median * 3, 0.4)

const SHAPES = {
  lognormal: (next: () => number, by: number) => lognormal(next, 300 * by, 0.7),
  twoHumps: (next: () => number, by: number) => twoHumps(next, 300 * by),
}
const RUNS = 1500

function coverage(
  shape: keyof typeof SHAPES,
  level: number,
  [now, before]: readonly [number, number],
  factor: number,
): number {
  const next = random(level * 1000 + now * 7 + before)
  let held = 0
  for (let run = 0; run < RUNS; run++) {
    const draw = (count: number, by: number) => Array.from({ length: count }, () => SHAPES[shape](next, by))
    const change = relativeChange(
      percentileEstimate(gridOf(draw(now, factor), level), now),
      percentileEstimate(gridOf(draw(before, 1), level), before),
    )
    assert.equal(change.kind, 'known')
    if (change.kind === 'known' && change.low <= factor - 1 && factor - 1 <= change.high) held++
  }
  return held / RUNS
}

describe('the interval of a change', () => {
  // Both shapes scale, so the true change of every percentile is the factor. 19 of 20, less three standard errors of
  // 1,500 runs (0.017); above there is no harm but width.
  const cases: readonly (readonly [keyof typeof SHAPES, number, readonly [number, number], number])[] = [
    ['lognormal', 0.5, [30, 30], 1],
    ['lognormal', 0.75, [40, 200], 1.4],
    ['lognormal', 0.75, [400, 300], 0.8],
    ['lognormal', 0.95, [80, 80], 1],
    ['lognormal', 0.95, [300, 120], 2],
    ['twoHumps', 0.75, [100, 60], 1.2],
    ['twoHumps', 0.5, [150, 150], 1],
  ]
  for (const [shape, level, counts, factor] of cases)
    it(`holds the true change of p${level * 100} in 19 of 20 samples of ${counts.join(' and ')} (${shape})`, () => {
      const held = coverage(shape, level, counts, factor)
      assert.ok(held >= 0.933, `held ${held}`)
      assert.ok(held <= 0.995, `${held}: so wide that it says nothing`)
    })

  // Between people a sixth to a third of the variance, as of devices and networks that differ.
  for (const [people, visits] of [
    [60, 3],
    [60, 10],
    [150, 4],
  ] as const)
    it(`holds it when ${people} people made ${visits} visits each, and theirs are alike`, () => {
      const next = random(people + visits)
      const estimate = () => {
        const durations: number[] = []
        const groups = new Map<number, number[]>()
        for (let person = 0; person < people; person++) {
          const pace = lognormal(next, 300, 0.4)
          const own = Array.from({ length: visits }, () => lognormal(next, pace, 0.6))
          durations.push(...own)
          const group = Math.floor(next() * GROUPS)
          groups.set(group, [...(groups.get(group) ?? []), ...own])
        }
        const grid = gridOf(durations, 0.75)
        const bound = quantileAt(grid, 0.75) * (1 + SKETCH_STEP)
        const sums = {
          groups: groups.size,
          whole: durations.length,
          wholeSquares: 0,
          below: 0,
          squares: 0,
          products: 0,
        }
        for (const group of groups.values()) {
          const below = group.filter((each) => each < bound).length
          sums.wholeSquares += group.length ** 2
          sums.below += below
          sums.squares += below ** 2
          sums.products += below * group.length
        }
        return percentileEstimate(grid, clusteredSamples(sums, durations.length))
      }
      let [held, told] = [0, 0]
      for (let run = 0; run < 600; run++) {
        const change = relativeChange(estimate(), estimate())
        if (change.kind === 'few') continue
        told++
        if (change.low <= 0 && change.high >= 0) held++
      }
      assert.ok(told > 540, `told ${told}`)
      assert.ok(held / told >= 0.92, `held ${held / told}`)
    })

  it('holds the true change of a failure rate, also of a rare one', () => {
    for (const [now, before, rate, change] of [
      [60, 60, 0.02, 0],
      [200, 100, 0.1, 0.05],
      [1000, 1000, 0.004, 0.004],
    ] as const) {
      const next = random(now + before)
      const failures = (count: number, share: number) =>
        Array.from({ length: count }, () => (next() < share ? 1 : 0)).reduce<number>(
          (sum, one) => sum + one,
          0,
        ) / count
      let held = 0
      for (let run = 0; run < RUNS; run++) {
        const found = shareChange(
          rateEstimate(failures(now, rate + change), now),
          rateEstimate(failures(before, rate), before),
        )
        if (found.kind === 'known' && found.low <= change && change <= found.high) held++
      }
      assert.ok(held / RUNS >= 0.933, `held ${held / RUNS} of ${rate}`)
    }
  })

  it('of huge samples is no narrower than the steps of the sketch', () => {
    const at = (value: number) =>
      percentileEstimate({ level: 0.75, values: gridLevels(0.75).map(() => sketched(value)) }, 1e9)
    // 1,000.1 and 1,003.9 are the same to the sketch, 1,004.1 is a step further.
    for (const [now, before] of [
      [1003.9, 1000.1],
      [1004.1, 1003.9],
    ] as const) {
      const change = relativeChange(at(now), at(before))
      assert.ok(change.kind === 'known' && change.low <= now / before - 1 && now / before - 1 <= change.high)
      assert.equal(verdictOf(change), 'undecided')
    }
  })

  it('is not told of too few samples: 30 for p75, and for p95 as many as there must be beyond it', () => {
    const values = (level: number) => ({ level, values: gridLevels(level).map((each) => 100 + each) })
    assert.equal(percentileEstimate(values(0.75), 29), undefined)
    assert.ok(percentileEstimate(values(0.75), 30))
    assert.equal(percentileEstimate(values(0.95), 72), undefined)
    assert.ok(percentileEstimate(values(0.95), 73))
    assert.equal(rateEstimate(0.5, 29), undefined)
    assert.deepEqual(relativeChange(percentileEstimate(values(0.75), 30), undefined), { kind: 'few' })
  })

  it('sorts by what is certain: an undecided change is none', () => {
    const known = (by: number, low: number, high: number) => ({ kind: 'known', by, low, high }) as const
    assert.equal(certainChange(known(0.5, 0.2, 0.9)), 0.2)
    assert.equal(certainChange(known(0.9, -0.1, 2)), 0)
    assert.equal(certainChange(known(-0.3, -0.4, -0.1)), -0.1)
    assert.equal(certainChange({ kind: 'few' }), 0)
  })
})
