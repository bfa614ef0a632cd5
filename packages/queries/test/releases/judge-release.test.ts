import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rateEstimate, shareChange } from '../../src/performance/change-interval.ts'
import {
  judgeMeasure,
  judgeRelease,
  type MeasuredChange,
  RELEASE_MEASURES,
} from '../../src/releases/judge-release.ts'

const crashes = (now: number, before: number, of = 10_000): MeasuredChange => ({
  name: 'crashed_sessions',
  change: shareChange(rateEstimate(now / of, of), rateEstimate(before / of, of)),
  release: of,
  before: of,
})
const known = (by: number, low: number, high: number) => ({ kind: 'known', by, low, high }) as const

describe('the verdict of a measure', () => {
  it('is worse or better where the interval leaves no room for none, and same within the margin', () => {
    assert.equal(judgeMeasure(crashes(300, 100)).verdict, 'worse')
    assert.equal(judgeMeasure(crashes(100, 300)).verdict, 'better')
    assert.equal(judgeMeasure(crashes(100, 100)).verdict, 'same')
    // Certain, and of no weight: a tenth of a point.
    assert.equal(judgeMeasure(crashes(11_000, 10_000, 1_000_000)).verdict, 'same')
  })

  it('is not enough data where it could be either, with how many more', () => {
    const wide = judgeMeasure(crashes(12, 10, 400))
    assert.equal(wide.verdict, 'not_enough_data')
    const enough = judgeMeasure(
      crashes((400 + wide.needed!) * 0.025, (400 + wide.needed!) * 0.025, 400 + wide.needed!),
    )
    assert.notEqual(enough.verdict, 'not_enough_data', `${wide.needed} more were not enough`)
    const half = 400 + Math.floor(wide.needed! / 3)
    assert.equal(judgeMeasure(crashes(half * 0.025, half * 0.025, half)).verdict, 'not_enough_data')
    const few = judgeMeasure({ name: 'lcp', change: { kind: 'few' }, release: 12, before: 400 })
    assert.deepEqual([few.verdict, few.needed, few.by], ['not_enough_data', 18, undefined])
    const alike = judgeMeasure({ name: 'lcp', change: { kind: 'few' }, release: 70, before: 400 })
    assert.deepEqual([alike.verdict, alike.needed], ['not_enough_data', undefined])
  })

  it('widens the interval for the number of measures, of ratios in logarithms', () => {
    const share = judgeMeasure({
      name: 'failed_navigations',
      change: known(0.03, 0.005, 0.055),
      release: 9,
      before: 9,
    })
    assert.ok(share.low! < 0 && share.high! > 0.06, JSON.stringify(share))
    assert.equal(share.verdict, 'not_enough_data')
    const ratio = judgeMeasure({ name: 'lcp', change: known(1, 0.6, 1.5), release: 9, before: 9 })
    assert.equal(ratio.verdict, 'worse')
    assert.ok(Math.abs((1 + ratio.high!) / 2 - 1.25 ** (2.8376 / 1.959964)) < 1e-6, JSON.stringify(ratio))
  })

  it('calls fewer than one in twenty releases that are alike worse, over all measures', () => {
    const random = generator(7)
    const RELEASES = 2_000
    let worse = 0
    for (let release = 0; release < RELEASES; release++) {
      // Each measure at the moment when it says most: as many as make the margin no help.
      const verdicts = RELEASE_MEASURES.map(() =>
        judgeMeasure(crashes(binomial(random), binomial(random), 500)),
      )
      if (judgeRelease(verdicts) === 'worse') worse++
    }
    assert.ok(worse / RELEASES < 0.05, `${worse} of ${RELEASES}`)
  })
})

describe('the verdict of a release', () => {
  const of = (...verdicts: ('better' | 'same' | 'worse' | 'not_enough_data')[]) =>
    judgeRelease(verdicts.map((verdict) => ({ verdict })))
  it('is worse with one that is, and says nothing where nothing is decided', () => {
    assert.equal(of('better', 'worse', 'same'), 'worse')
    assert.equal(of('same', 'better', 'not_enough_data'), 'better')
    assert.equal(of('not_enough_data', 'same'), 'same')
    assert.equal(of('not_enough_data'), 'not_enough_data')
    assert.equal(of(), 'not_enough_data')
  })
})

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Of 500 sessions with one in ten that crashes. */
const binomial = (random: () => number): number =>
  Array.from({ length: 500 }, () => (random() < 0.1 ? 1 : 0)).reduce<number>((sum, each) => sum + each, 0)
