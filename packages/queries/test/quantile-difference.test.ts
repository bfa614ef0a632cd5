import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Observation, quantileDifference } from '../src/performance/quantile-difference.ts'

/** Numbers that look random and are the same on every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

type Made = {
  readonly people: number
  readonly visitsEach: number
  /** Share of visits on the slow route. */
  readonly slowShare: number
  readonly factor: number
}
const SLOW = 4
/** How much people differ, and how much a person's visits do. */
const [BETWEEN, WITHIN] = [0.5, 0.4]

/** Log-normal times, as loads have them; a person's device makes all of that person's visits slower or faster. */
function group(random: () => number, { people, visitsEach, slowShare, factor }: Made): Observation[] {
  return Array.from({ length: people }, (_, person) => {
    const own = BETWEEN * normal(random)
    return Array.from({ length: visitsEach }, () => {
      const isSlow = random() < slowShare
      const value = 1000 * factor * (isSlow ? SLOW : 1) * Math.exp(own + WITHIN * normal(random))
      return { value, weight: 1, stratum: isSlow ? '/slow' : '/fast', cluster: `person ${person}` }
    })
  }).flat()
}

/** The 75th percentile of the mixture, from a sample so large that its error does not matter. */
function trueP75(made: Omit<Made, 'people' | 'visitsEach'>): number {
  const values = group(randomOf(99), { ...made, people: 200_000, visitsEach: 1 }).map(({ value }) => value)
  return values.toSorted((a, b) => a - b)[150_000] ?? NaN
}

describe('the difference of two 75th percentiles', () => {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length

  it('has an interval that holds the true one in 19 of 20 cases, although a person has many visits', () => {
    const slowShare = 0.3
    const truth = trueP75({ slowShare, factor: 1.3 }) - trueP75({ slowShare, factor: 1 })
    const random = randomOf(1)
    let [held, lowMisses, highMisses] = [0, 0, 0]
    for (let run = 0; run < 500; run++) {
      const found = quantileDifference(
        group(random, { people: 60, visitsEach: 4, slowShare, factor: 1.3 }),
        group(random, { people: 200, visitsEach: 3, slowShare, factor: 1 }),
      )
      assert.ok(found)
      if (truth < found.low) lowMisses++
      else if (truth > found.high) highMisses++
      else held++
    }
    const share = held / 500
    // 95 % give or take what 500 runs can tell (2.0 % at 95 %).
    assert.ok(share >= 0.925 && share <= 0.985, `${share}: ${lowMisses} too high, ${highMisses} too low`)
  })

  it('sees nothing where only the mix of routes differs', () => {
    const random = randomOf(2)
    const differences: number[] = []
    let certain = 0
    for (let run = 0; run < 300; run++) {
      const found = quantileDifference(
        group(random, { people: 80, visitsEach: 3, slowShare: 0.8, factor: 1 }),
        group(random, { people: 300, visitsEach: 3, slowShare: 0.2, factor: 1 }),
      )
      assert.ok(found)
      differences.push(found.difference)
      if (found.low > 0 || found.high < 0) certain++
    }
    // Without weighting by route it would be thousands.
    assert.ok(Math.abs(mean(differences)) < 150, `mean difference ${mean(differences)}`)
    assert.ok(certain / 300 <= 0.08, `${certain} of 300 claim a difference`)
  })

  it('counts visits that were sampled for as many as they stand for', () => {
    const visits = (weightOfSlow: number) =>
      Array.from({ length: 100 }, (_, n) => ({
        value: n,
        weight: n >= 50 ? weightOfSlow : 1,
        stratum: '/',
        cluster: `${n}`,
      }))
    const found = quantileDifference(visits(3), visits(1))
    // Of a total of 200 the 150th lies a third into the slower half's rest: 50 + (150 − 50) / 3.
    assert.deepEqual([found?.first.value, found?.second.value], [83, 74])
  })

  it('compares only what both have, and says nothing of too few', () => {
    const visits = (count: number, stratum: string, people = count) =>
      Array.from({ length: count }, (_, n) => ({ value: n, weight: 1, stratum, cluster: `${n % people}` }))
    const enough = visits(60, '/a')
    assert.equal(quantileDifference(enough, visits(60, '/b')), undefined)
    assert.equal(quantileDifference(enough, visits(29, '/a')), undefined)
    assert.equal(quantileDifference(visits(300, '/a', 19), enough), undefined, 'nineteen people')
    const both = quantileDifference([...enough, ...visits(500, '/only')], enough)
    assert.deepEqual([both?.first.samples, both?.difference], [60, 0])
    const rare = quantileDifference(
      [...visits(56, '/a'), ...visits(4, '/rare')],
      [...enough, ...visits(60, '/rare')],
    )
    assert.deepEqual([rare?.first.samples, rare?.second.samples], [56, 60], 'four visits are no stratum')
    assert.equal(quantileDifference([], []), undefined)
  })
})
