import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { METRIC_RULE, type MetricRuleInput } from '../src/index.ts'
import { isWithin } from '../src/rules/within-schedule.ts'
import { judge, pastOf } from '../src/windows/judge.ts'

const rule = (more: Partial<MetricRuleInput>) =>
  METRIC_RULE.parse({
    metric: { source: 'vitals', measure: 'p75(lcp)', search: '' },
    windowMinutes: 5,
    trigger: 2_500,
    actions: [{ type: 'members' }],
    ...more,
  })
const of = (value: number | null, count = 100) => ({ value, count })

describe('judging a window', () => {
  it('fires past the threshold and is over only past the other one', () => {
    const lcp = rule({ resolve: 2_000 })
    assert.equal(judge(lcp, of(2_500), [], false).state, 'calm')
    assert.equal(judge(lcp, of(2_501), [], false).state, 'firing')
    assert.equal(judge(lcp, of(2_001), [], true).state, 'firing')
    assert.equal(judge(lcp, of(2_000), [], true).state, 'calm')
    assert.equal(judge(lcp, of(2_400), [], false).state, 'calm')
  })

  it('below is the other way round', () => {
    const low = rule({ direction: 'below', trigger: 10, resolve: 20 })
    assert.equal(judge(low, of(9), [], false).state, 'firing')
    assert.equal(judge(low, of(19), [], true).state, 'firing')
    assert.equal(judge(low, of(20), [], true).state, 'calm')
  })

  it('knows nothing of a window without rows or with too few', () => {
    assert.equal(judge(rule({}), of(null, 0), [], false).state, 'unknown')
    assert.equal(judge(rule({ minSample: 200 }), of(9_999, 199), [], false).state, 'unknown')
  })

  it('compares with the week before, of which nothing is a multiple', () => {
    const doubled = rule({ compare: 'change', trigger: 100 })
    assert.deepEqual(judge(doubled, of(310), [of(100)], false), {
      state: 'firing',
      value: 210,
      threshold: 100,
    })
    assert.equal(judge(doubled, of(310), [of(0)], false).state, 'unknown')
    assert.equal(judge(doubled, of(310), [of(null)], false).state, 'unknown')
  })

  it('finds what is unusual at this hour, whatever one bad week did, and needs to know the usual', () => {
    const unusual = rule({ compare: 'anomaly', trigger: 0, sensitivity: 'medium' })
    assert.equal(pastOf(unusual).length, 12)
    const past = [100, 104, 98, 102, 97, 103, 5_000, 101, 99, 100, 96, 105].map((value) => of(value))
    assert.equal(judge(unusual, of(120), past, false).state, 'calm')
    assert.equal(judge(unusual, of(180), past, false).state, 'firing')
    assert.equal(judge(unusual, of(180), past.slice(0, 5), false).state, 'unknown')
    assert.equal(
      judge(rule({ compare: 'anomaly', trigger: 0, direction: 'below' }), of(40), past, false).state,
      'firing',
    )
  })
})

describe('a schedule', () => {
  const nights = { timeZone: 'Europe/Berlin', days: [1], fromMinute: 22 * 60, toMinute: 6 * 60 }
  it('goes by the clock of its place, over midnight and over the change of summer time', () => {
    assert.equal(isWithin(undefined, 0), true)
    // Monday, 22:30 in Berlin, in winter and in summer.
    assert.equal(isWithin(nights, Date.UTC(2026, 0, 5, 21, 30)), true)
    assert.equal(isWithin(nights, Date.UTC(2026, 6, 6, 20, 30)), true)
    assert.equal(isWithin(nights, Date.UTC(2026, 0, 5, 20, 30)), false)
    // Tuesday, 05:59 and 06:00.
    assert.equal(isWithin(nights, Date.UTC(2026, 0, 6, 4, 59)), true)
    assert.equal(isWithin(nights, Date.UTC(2026, 0, 6, 5, 0)), false)
    // Monday, 05:00: of Sunday's night.
    assert.equal(isWithin(nights, Date.UTC(2026, 0, 5, 4, 0)), false)
  })
})
