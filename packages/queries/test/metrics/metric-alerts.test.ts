/** Metrics as alerts read them: windows of the time of receipt. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { checkMetric, metricSeries, metricValues } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { type Point, putPoints, timeText } from './metric-points.ts'

describe('points of metrics', () => {
  let harness: Harness
  let shop: ProjectGrant
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
  })
  after(() => harness?.close())
  const put = (projectId: number, points: readonly Point[]) => putPoints(harness, projectId, points)

  it('are what alerts watch: windows one by one and in a row say the same', async () => {
    const at = (agoMin: number) => ({
      agoMin,
      received: timeText(NOW_MS - agoMin * MINUTE_MS - MINUTE_MS / 2),
    })
    const told = [
      [23, 10],
      [8, 12],
      [7, 1],
      [2, 5],
    ] as const
    await put(
      shop.projectId,
      told.map(([agoMin, value]) => ({
        name: 'watched',
        type: 'counter',
        temporality: 'cumulative',
        series: 's',
        startAgoMin: 900,
        value,
        strings: { region: 'eu' },
        ...at(agoMin),
      })),
    )
    await put(
      shop.projectId,
      [1, 5].map((agoMin) => ({
        name: 'watched.time',
        type: 'histogram',
        unit: 's',
        temporality: 'delta',
        series: 's',
        value: 3,
        count: 2,
        buckets: [
          [0, 1, 1],
          [1, 2, 1],
        ],
        ...at(agoMin),
      })),
    )
    for (const [measure, search, expected] of [
      ['sum(watched,counter,-)', '', [0, 3, 4]],
      ['sum(watched,counter,-)', 'region:us', [0, 0, 0]],
      ['count(watched.time,histogram,s)', '', [0, 0, 4]],
      ['p50(watched.time,histogram,s)', '', [null, null, 1]],
      ['max(watched,gauge,-)', '', [null, null, null]],
    ] as const) {
      const metric = { source: 'metrics' as const, measure, search }
      const ends = [12, 6, 0].map((agoMin) => NOW_MS - agoMin * MINUTE_MS)
      const windowMs = 6 * MINUTE_MS
      const singly = await metricValues(
        harness.deps,
        ends.map((toMs) => ({ grant: shop, metric, fromMs: toMs - windowMs, toMs })),
      )
      const row = await metricSeries(harness.deps, {
        grant: shop,
        metric,
        fromMs: ends[0] ?? 0,
        toMs: NOW_MS,
        stepMs: windowMs,
        windowMs,
      })
      assert.deepEqual(
        [singly.map(({ value }) => value), row.map(({ value }) => value)],
        [expected, expected],
        measure,
      )
    }
    const unknown = { source: 'metrics' as const, measure: 'p95(watched,counter,-)', search: '' }
    await assert.rejects(checkMetric(harness.deps, shop, unknown), /cannot be computed of metrics/)
  })
})
