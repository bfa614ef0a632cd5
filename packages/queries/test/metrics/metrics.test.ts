/** Metrics on the real engine: counters with resets and gaps, levels, buckets of all kinds, groups, many series. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  listMetrics,
  metricChart,
  metricExemplars,
  metricFigures,
  METRIC_SUGGESTIONS,
  spanSuggestions,
} from '@sonde/queries'
import type { MetricRef } from '@sonde/queries/contract'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { type Point, putPoints, timeText } from './metric-points.ts'

let harness: Harness
let shop: ProjectGrant
let foreign: ProjectGrant
const TRACE = 'a'.repeat(32)
const HOUR = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

const put = (projectId: number, points: readonly Point[]) => putPoints(harness, projectId, points)

const refOf = (name: string, type: MetricRef['type'], unit = ''): MetricRef => ({ name, type, unit })
const counter = (
  name: string,
  series: string,
  startAgoMin: number,
  told: readonly (readonly [agoMin: number, value: number])[],
  more: object = {},
): Point[] =>
  told.map(([agoMin, value]) => ({
    name,
    type: 'counter',
    temporality: 'cumulative',
    series,
    startAgoMin,
    agoMin,
    value,
    ...more,
  }))
const chartOf = (ref: MetricRef, measure: string, more: object = {}) =>
  metricChart(harness.deps, shop, { ...HOUR, ref, measure: measure as 'sum', ...more })
const valueOf = async (ref: MetricRef, measure: string, more: object = {}) =>
  (await chartOf(ref, measure, more)).lines[0]?.value ?? null
const sumOf = async (ref: MetricRef, more: object = {}) => {
  const [line] = (await chartOf(ref, 'sum', more)).lines
  return (line?.values ?? []).reduce<number>((sum, value) => sum + (value ?? 0), 0)
}
const near = (found: number | null, expected: number): void =>
  assert.ok(
    found !== null && Math.abs(found - expected) < 1e-9 * Math.max(1, Math.abs(expected)),
    `${found} is not ${expected}`,
  )

describe('metrics', () => {
  before(async () => {
    harness = await openHarness()
    const org: OrgGrant = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    foreign = await harness.project(await harness.org('globex'), 'foreign')
    await put(foreign.projectId, [{ name: 'secret', type: 'gauge', agoMin: 1, value: 1 }])
  })
  after(() => harness?.close())

  it('lists names with type, unit, points, series and when they were last seen', async () => {
    await put(shop.projectId, [
      { name: 'list.a', type: 'gauge', unit: 'By', series: '1', agoMin: 3, value: 1 },
      { name: 'list.a', type: 'gauge', unit: 'By', series: '2', agoMin: 2, value: 1, environment: 'staging' },
      { name: 'list.a', type: 'counter', temporality: 'delta', series: '3', agoMin: 2, value: 1 },
      { name: 'list.b', type: 'distribution', unit: 'ms', agoMin: 1, value: 1 },
    ])
    const listed = async (query: string) =>
      (await listMetrics(harness.deps, shop, { ...HOUR, query })).metrics
    assert.deepEqual(
      (await listed('list')).map(({ name, type, unit, points, series }) => [
        name,
        type,
        unit,
        points,
        series,
      ]),
      [
        ['list.a', 'gauge', 'By', 2, 2],
        ['list.a', 'counter', '', 1, 1],
        ['list.b', 'distribution', 'ms', 1, 0],
      ],
    )
    assert.equal((await listed('list environment:staging')).length, 1)
    assert.equal((await listed('metric.type:distribution list'))[0]?.lastSeenMs, NOW_MS - 1.5 * MINUTE_MS)
    assert.equal((await listed('secret')).length, 0)
  })

  it('adds up delta counters, as they are and by the second', async () => {
    const ref = refOf('orders', 'counter', '{order}')
    await put(
      shop.projectId,
      [5, 7, 9].map((value, index) => ({
        ...ref,
        temporality: 'delta',
        series: 's',
        agoMin: 10 * index,
        value,
      })),
    )
    assert.equal(await valueOf(ref, 'sum'), 21)
    near(await valueOf(ref, 'rate'), 21 / 3600)
    const { lines } = await chartOf(ref, 'rate')
    near(lines[0]?.values.at(-1) ?? null, 5 / 60)
    assert.deepEqual(lines[0]?.values.slice(-3, -1), [null, null])
  })

  it('takes differences of cumulative counters, from the point before the time range', async () => {
    const ref = refOf('requests', 'counter')
    await put(
      shop.projectId,
      counter('requests', 's', 5_000, [
        [65, 1_000],
        [55, 1_010],
        [30, 1_015],
        [1, 1_100],
      ]),
    )
    assert.equal(await sumOf(ref), 100)
    assert.equal(await valueOf(ref, 'sum'), 100)
  })

  it('counts nothing of the first point of a series that began long before', async () => {
    const ref = refOf('late', 'counter')
    await put(
      shop.projectId,
      counter('late', 's', 5_000, [
        [20, 1_000_000],
        [10, 1_000_003],
      ]),
    )
    assert.equal(await sumOf(ref), 3)
  })

  it('counts the whole value of a series that begins in the time range, and of one that began anew', async () => {
    const ref = refOf('restarts', 'counter')
    await put(shop.projectId, [
      ...counter('restarts', 's', 5_000, [
        [59, 500],
        [50, 510],
      ]),
      ...counter('restarts', 's', 40, [
        [39, 4],
        [30, 6],
      ]),
    ])
    assert.equal(await sumOf(ref), 16)
    assert.equal(await valueOf(ref, 'sum'), 16)
  })

  it('counts the whole value where it fell without another start, in one step or between steps', async () => {
    const ref = refOf('falls', 'counter')
    const told = [
      [70, 10],
      [50, 12],
      [49, 3],
      [48, 5],
      [20, 1],
    ] as const
    await put(shop.projectId, counter('falls', 's', 5_000, told))
    assert.equal(await sumOf(ref), 2 + 3 + 2 + 1)
    assert.equal(await valueOf(ref, 'sum'), 8)
  })

  it('tells two programs apart that name themselves alike and take turns', async () => {
    const ref = refOf('twins', 'counter')
    await put(shop.projectId, [
      ...counter('twins', 's', 5_000, [
        [30, 100],
        [20, 101],
        [10, 102],
      ]),
      ...counter('twins', 's', 4_000, [
        [29, 7],
        [19, 8],
        [9, 9],
      ]),
    ])
    assert.equal(await sumOf(ref), 4)
  })

  it('counts what grew over a gap where the series goes on, and shows the gap', async () => {
    const ref = refOf('gaps', 'counter')
    await put(
      shop.projectId,
      counter('gaps', 's', 5_000, [
        [58, 10],
        [57, 11],
        [5, 60],
      ]),
    )
    const { lines } = await chartOf(ref, 'sum')
    const values = lines[0]?.values ?? []
    assert.equal(values.filter((value) => value !== null).length, 3)
    assert.equal(values.at(-6), 49)
  })

  it('computes levels: average, smallest, largest, last, and the sum of series', async () => {
    const ref = refOf('pool', 'gauge')
    await put(shop.projectId, [
      { ...ref, series: 'a', agoMin: 20, value: 4 },
      { ...ref, series: 'a', agoMin: 5, value: 6 },
      { ...ref, series: 'b', agoMin: 10, value: 1 },
      { ...ref, series: 'b', agoMin: 4, value: 3 },
    ])
    const { avg, min, max, last, sum } = await metricFigures(harness.deps, shop, { ...HOUR, ref })
    assert.deepEqual([avg, min, max, last, sum], [3.5, 1, 6, 3, 9])
  })

  it('computes percentiles of single measurements exactly', async () => {
    const ref = refOf('cart.size', 'distribution')
    await put(
      shop.projectId,
      Array.from({ length: 101 }, (_, value) => ({ ...ref, agoMin: value % 50, value })),
    )
    const { p50, p95, p99, min, max, avg, sum, count } = await metricFigures(harness.deps, shop, {
      ...HOUR,
      ref,
    })
    assert.deepEqual([p50, p95, p99, min, max, avg, sum, count], [50, 95, 99, 0, 100, 50, 5050, 101])
  })

  it('computes percentiles of delta histograms by the share of a bucket', async () => {
    const ref = refOf('http.server.request.duration', 'histogram', 's')
    const buckets = [
      [0, 0.1, 50],
      [0.1, 0.2, 40],
      [0.2, 0.4, 10],
    ] as const
    await put(shop.projectId, [
      { ...ref, temporality: 'delta', series: 'a', agoMin: 9, value: 10, count: 100, buckets },
      { ...ref, temporality: 'delta', series: 'b', agoMin: 8, value: 30, count: 100, buckets },
    ])
    const found = await metricFigures(harness.deps, shop, { ...HOUR, ref })
    near(found.p50 ?? null, 0.1)
    near(found.p75 ?? null, 0.1 + 0.1 * (25 / 40))
    near(found.p95 ?? null, 0.3)
    near(found.avg ?? null, 0.2)
    assert.deepEqual([found.count, found.sum], [200, 40])
  })

  it('takes differences of cumulative histograms, whose outer ends move and whose program starts anew', async () => {
    const ref = refOf('cumulative', 'histogram', 'ms')
    const point = { ...ref, temporality: 'cumulative', series: 's' }
    await put(shop.projectId, [
      {
        ...point,
        startAgoMin: 9_000,
        agoMin: 62,
        value: 900,
        count: 3,
        buckets: [
          [4, 10, 2],
          [100, 500, 1],
        ],
      },
      // One more in the first bucket, which is now wider, and two in the last.
      {
        ...point,
        startAgoMin: 9_000,
        agoMin: 40,
        value: 2_502,
        count: 6,
        buckets: [
          [2, 10, 3],
          [100, 800, 3],
        ],
      },
      { ...point, startAgoMin: 20, agoMin: 10, value: 50, count: 1, buckets: [[10, 100, 1]] },
    ])
    const found = await metricFigures(harness.deps, shop, { ...HOUR, ref })
    assert.deepEqual([found.count, found.sum], [4, 1_652])
    near(found.p50 ?? null, 100)
    near(found.p99 ?? null, 100 + 700 * ((0.99 * 4 - 2) / 2))
  })

  it('puts exponential histograms of several scales together, cumulative ones that became coarser too', async () => {
    const ref = refOf('exponential', 'histogram', 'ms')
    const point = { ...ref, temporality: 'cumulative', series: 's', startAgoMin: 9_000 }
    const root = Math.SQRT2
    await put(shop.projectId, [
      {
        ...point,
        agoMin: 30,
        value: 10,
        count: 4,
        buckets: [
          [1, root, 1],
          [root, 2, 1],
          [2, 2 * root, 2],
        ],
      },
      {
        ...point,
        agoMin: 20,
        value: 110,
        count: 14,
        buckets: [
          [0, 0, 1],
          [1, 2, 3],
          [2, 4, 2],
          [4, 8, 8],
        ],
      },
      { ...point, temporality: 'delta', series: 't', agoMin: 20, value: 6, count: 1, buckets: [[4, 8, 1]] },
    ])
    const found = await metricFigures(harness.deps, shop, { ...HOUR, ref })
    assert.deepEqual([found.count, found.sum], [11, 106])
    near(found.p50 ?? null, 4 + 4 * ((0.5 * 11 - 2) / 9))
  })

  it('reads quantiles of summaries, and knows nothing above the last', async () => {
    const ref = refOf('gc', 'summary', 's')
    const buckets = [
      [1, 1, 500],
      [1, 3, 400],
    ] as const
    await put(shop.projectId, [
      {
        ...ref,
        temporality: 'cumulative',
        series: 's',
        startAgoMin: 9_000,
        agoMin: 30,
        value: 10,
        count: 100,
        buckets,
      },
      {
        ...ref,
        temporality: 'cumulative',
        series: 's',
        startAgoMin: 9_000,
        agoMin: 20,
        value: 14,
        count: 102,
        buckets,
      },
    ])
    const { p50, p90, p99, avg, count } = await metricFigures(harness.deps, shop, { ...HOUR, ref })
    assert.deepEqual([p50, p90, p99, avg, count], [1, 3, 3, 2, 2])
  })

  it('groups by an attribute: the largest, then the rest; what lacks it is a group of its own', async () => {
    const ref = refOf('by.route', 'counter')
    const routes = ['/a', '/b', '/c', '/d', undefined]
    await put(
      shop.projectId,
      routes.map((route, index) => ({
        ...ref,
        temporality: 'delta',
        series: String(index),
        agoMin: 5,
        value: 10 - index,
        strings: route === undefined ? {} : { route },
      })),
    )
    const { lines, groups, total } = await chartOf(ref, 'sum', { groupBy: 'route', groups: 3 })
    assert.deepEqual(
      lines.map(({ key, value, count }) => [key, value, count]),
      [
        ['/a', 10, 1],
        ['/b', 9, 1],
        ['/c', 8, 1],
        [undefined, 13, 2],
      ],
    )
    assert.deepEqual([groups, total], [5, 5])
    const all = await chartOf(ref, 'sum', { groupBy: 'route' })
    assert.deepEqual(
      all.lines.map(({ key }) => key),
      ['/a', '/b', '/c', '/d', ''],
    )
    assert.equal(await valueOf(ref, 'sum', { query: 'route:[/a, /d]' }), 17)
    assert.equal(await valueOf(ref, 'sum', { query: '!has:route' }), 6)
  })

  it('finds traces of exemplars once, the largest first', async () => {
    const ref = refOf('slow', 'histogram', 's')
    const exemplars = JSON.stringify([
      { value: 0.5, at: NOW_MS - 1, trace: TRACE, span: 'b'.repeat(16) },
      { value: 2, trace: 'c'.repeat(32), span: '' },
    ])
    const point = { ...ref, temporality: 'cumulative', series: 's', value: 1, trace_id: TRACE, exemplars }
    await put(shop.projectId, [
      { ...point, agoMin: 2 },
      { ...point, agoMin: 1 },
    ])
    const found = await metricExemplars(harness.deps, shop, { ...HOUR, ref })
    assert.deepEqual(
      found.map(({ value, traceId }) => [value, traceId[0]]),
      [
        [2, 'c'],
        [0.5, 'a'],
      ],
    )
    assert.equal(found[1]?.atMs, NOW_MS - 1)
  })

  it('computes ten thousand cumulative series, of counters and of histograms', async () => {
    const at = `fromUnixTimestamp64Milli(toInt64(${NOW_MS} - (number % 12) * 300000 - 30000), 'UTC')`
    // In parts: a block of all rows is larger than the engine's memory in tests.
    const insert = async (columns: string, values: string) => {
      for (let part = 0; part < 2; part++)
        await harness.telemetry.command(
          `INSERT INTO metrics (project_id, received, timestamp, start, series, sample_rate, ${columns})
           SELECT ${shop.projectId}, toDateTime64('${timeText(NOW_MS)}', 3, 'UTC'), ${at}, toDateTime64('2026-01-01 00:00:00', 3, 'UTC'),
             hex(intDiv(number, 12)), 1, ${values} FROM numbers(${part * 60_000}, 60000)`,
        )
    }
    await insert(
      'name, type, temporality, value, count, strings',
      `'many', 'counter', 'cumulative', 1000 - number % 12, 1, map('pod', toString(intDiv(number, 12)))`,
    )
    await insert(
      'name, type, temporality, value, count, bucket_from, bucket_to, bucket_counts',
      `'many', 'histogram', 'cumulative', 12 - number % 12, 12 - number % 12, [0., 1, 2, 4, 8], [1., 2, 4, 8, 16],
         arrayMap(x -> toFloat64(x), [12 - number % 12, 5, 5, 5, 5])`,
    )
    assert.equal(await sumOf(refOf('many', 'counter')), 110_000)
    const { lines, groups } = await chartOf(refOf('many', 'counter'), 'rate', { groupBy: 'pod' })
    assert.deepEqual([lines.length, groups], [11, 10_000])
    near(await valueOf(refOf('many', 'histogram'), 'p50'), 0.5)
  })

  it('offers attributes and values of points', async () => {
    const { suggestions } = await spanSuggestions(
      harness.deps,
      shop,
      { ...HOUR, text: 'route:' },
      METRIC_SUGGESTIONS,
    )
    assert.ok(suggestions.some(({ label }) => label === '/a'))
  })
})
