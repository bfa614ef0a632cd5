import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trendRuns, trendTop } from '../../src/charts/chart-series.ts'

const level = (at: number) => ({ at, name: `${at}`, token: '--good' }) as const
const line = (values: readonly (number | null)[]) => ({ name: 'p75', values, token: '--bar' }) as const

test('a line is cut where nothing was measured, and what stands alone is a run of one', () => {
  assert.deepEqual(trendRuns([null, 1, 2, null, null, 3, null]), [[1, 2], [5]])
  assert.deepEqual(trendRuns([null, null]), [])
})

test('a chart has room for what was measured and for the first level, not for a level far above', () => {
  const top = (values: readonly (number | null)[], ...levels: readonly number[]) =>
    trendTop({ lines: [line(values)], levels: levels.map(level) })
  assert.ok(top([300, null], 2500, 4000) > 2500)
  assert.ok(top([300, null], 2500, 4000) < 4000)
  assert.ok(top([9000], 2500, 4000) > 9000)
  assert.equal(top([null]), 1, 'a chart of nothing still has a height')
})
