import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VITAL_NAMES, VITAL_THRESHOLDS } from '@sonde/protocol/web-vitals'
import { VITAL_BINS } from '@sonde/queries'
import fc from 'fast-check'
import { ratingOf } from '../../src/parts/vitals/vital-words.ts'
import { readVitalChoice, withChoice } from '../../src/routes/[org]/[project]/vitals/vital-choice.ts'
import {
  histogramBars,
  trendPoints,
  vitalTrendSeries,
} from '../../src/routes/[org]/[project]/vitals/vital-series.ts'

describe('a histogram', () => {
  const given = fc.constantFrom(...VITAL_NAMES).chain((name) =>
    fc.record({
      name: fc.constant(name),
      bins: fc.array(fc.nat(50), {
        minLength: VITAL_BINS[name].count,
        maxLength: VITAL_BINS[name].count,
      }),
      beyond: fc.nat(50),
    }),
  )

  it('has every visit once, and no bar of two ratings', () => {
    fc.assert(
      fc.property(given, ({ name, bins, beyond }) => {
        const { bars, total, beyond: rest } = histogramBars(name, { ...VITAL_BINS[name], bins, beyond })
        const seen = bars.reduce((sum, { visits }) => sum + visits, 0)
        assert.equal(seen + rest, total)
        assert.equal(total, bins.reduce((sum, visits) => sum + visits, 0) + beyond)
        assert.ok(bars.length <= 60)
        const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
        for (const { from, to, rating } of bars) {
          const ends = {
            good: to <= goodUpTo,
            fair: from >= goodUpTo && to <= poorAbove,
            poor: from >= poorAbove,
          }
          assert.ok(ends[rating], `${name} ${from}–${to} is ${rating}`)
        }
        assert.ok((bars.at(-1)?.to ?? 0) >= goodUpTo, 'where good ends is always to be seen')
      }),
    )
  })

  it('of quick pages does not show what nobody reached', () => {
    const bins = Array.from({ length: VITAL_BINS.lcp.count }, (_, n) => (n < 20 ? 100 : 0))
    const { bars, beyond } = histogramBars('lcp', { ...VITAL_BINS.lcp, bins, beyond: 1 })
    assert.deepEqual([bars.at(-1)?.to, beyond], [2900, 1])
  })
})

describe('a rating', () => {
  const visits = (good: number, fair: number, poor: number, samples = 100) => ({
    samples,
    count: good + fair + poor,
    good,
    poor,
  })

  it('is that of the 75th percentile', () => {
    assert.equal(ratingOf(visits(75, 25, 0)), 'good')
    assert.equal(ratingOf(visits(74, 26, 0)), 'fair')
    assert.equal(ratingOf(visits(74, 1, 25)), 'fair')
    assert.equal(ratingOf(visits(70, 4, 26)), 'poor')
  })

  it('is withheld from too few', () => {
    assert.equal(ratingOf(visits(29, 0, 0, 29)), undefined)
    assert.equal(ratingOf(visits(300, 0, 0, 29)), undefined, 'counted up from 29 it is no better')
  })
})

describe('the address', () => {
  it('says what is chosen, and keeps what narrows', () => {
    const params = new URLSearchParams('statsPeriod=24h&browser=Chrome&vital=lcp&samples=slowest')
    const next = withChoice(params, { vital: 'inp', route: '/a b&c', samples: 'typical' })
    assert.equal(next, '?statsPeriod=24h&browser=Chrome&vital=inp&route=%2Fa+b%26c')
    const { vital, route, samples } = readVitalChoice(new URLSearchParams(next))
    assert.deepEqual([vital, route, samples], ['inp', '/a b&c', 'typical'])
    assert.equal(withChoice(new URLSearchParams('route=%2F'), { route: null }), '?')
  })

  it('of nonsense is the plain screen', () => {
    const choice = readVitalChoice(new URLSearchParams('vital=fid&sort=constructor&trend=x&samples=&route='))
    assert.deepEqual(choice, {
      vital: undefined,
      route: undefined,
      trend: 'p75',
      samples: 'typical',
      sort: 'count',
    })
  })
})

describe('a trend', () => {
  const point = (count: number, good: number) => ({ p75: 3000, count, samples: count, good })
  const trend = {
    interval: '1h',
    stepMs: 3_600_000,
    startsMs: [0, 3_600_000],
    fromMs: 0,
    toMs: 7_200_000,
    points: [point(40, 10), undefined],
    markers: [],
  } as const

  it('is of the percentile with both thresholds, or of the share that was good', () => {
    const p75 = vitalTrendSeries('lcp', trend, 'p75')
    assert.deepEqual([p75.lines[0]?.values, p75.total], [[3000, null], 40])
    assert.deepEqual(
      p75.levels.map(({ name }) => name),
      ['good up to 2.5 s', 'poor above 4 s'],
    )
    assert.deepEqual(vitalTrendSeries('lcp', trend, 'good').lines[0]?.values, [0.25, null])
  })

  it('has as many points as its visits can bear', () => {
    assert.deepEqual([3, 299, 900, 1e6].map(trendPoints), [8, 9, 30, 60])
  })
})
