import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isVitalName, VITAL_NAMES, VITAL_THRESHOLDS, vitalRating } from '@sonde/protocol/web-vitals'

describe('web vitals', () => {
  it('a value on a threshold is still rated by the better side of it', () => {
    for (const name of VITAL_NAMES) {
      const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
      const at = [0, goodUpTo, goodUpTo + 0.001, poorAbove, poorAbove + 0.001]
      assert.deepEqual(
        at.map((value) => vitalRating(name, value)),
        ['good', 'good', 'fair', 'fair', 'poor'],
        name,
      )
    }
  })

  it('a name from outside is one of the list or none', () => {
    assert.deepEqual(['lcp', 'LCP', 'fid', undefined, 'constructor'].map(isVitalName), [
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
