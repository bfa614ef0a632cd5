/** Metrics and functions of profiles over the public API, as a table and over time. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MINUTE_MS = 60_000
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
const TRACE = 'a'.repeat(32)

type Json = Readonly<Record<string, unknown>>
type Stats = { readonly data: readonly (readonly [number, readonly [{ readonly count: number | null }]])[] }

let harness: Harness
let headers: Record<string, string>
let shopId: number

async function get(path: string, query: Readonly<Record<string, string | readonly string[]>>, org = 'acme') {
  const params = new URLSearchParams({ statsPeriod: '1h' })
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) params.append(name, value)
  const response = await harness.fetch(`/api/0/organizations/${org}/${path}/?${params}`, { headers })
  return { status: response.status, body: (await response.json()) as Json & { readonly detail: string } }
}
const table = async (query: Parameters<typeof get>[1]) =>
  (await get('events', query)).body as unknown as { readonly data: readonly Json[]; readonly meta: Json }
const sums = ({ data }: Stats): number => data.reduce((sum, [, [{ count }]]) => sum + (count ?? 0), 0)

/** Points of a counter that never begins anew, half a minute off the edges of steps. */
const orders = (project: number, region: string, told: readonly number[]) =>
  told.map((value, at) => ({
    project_id: project,
    name: 'orders',
    type: 'counter',
    temporality: 'cumulative',
    series: region,
    start: timeText(NOW_MS - 50 * MINUTE_MS),
    timestamp: timeText(NOW_MS - (40 - 10 * at) * MINUTE_MS - MINUTE_MS / 2),
    value,
    strings: { region },
  }))

async function fill(rivalId: number): Promise<void> {
  const point = { project_id: shopId, timestamp: timeText(NOW_MS - 90_000), start: timeText(0) }
  const points = [
    ...orders(shopId, 'eu', [2, 5, 9]),
    ...orders(shopId, 'us', [10, 20, 40]),
    ...orders(rivalId, 'secret', [1_000, 2_000]),
    ...[10, 20, 30, 40].map((value) => ({
      ...point,
      name: 'cart.value',
      type: 'distribution',
      value,
      trace_id: TRACE,
    })),
    {
      ...point,
      name: 'http.server.request.duration',
      type: 'histogram',
      unit: 's',
      temporality: 'delta',
      series: 'h',
      value: 3,
      count: 4,
      bucket_from: [0, 0.5],
      bucket_to: [0.5, 1],
      bucket_counts: [3, 1],
    },
  ].map((row, row_index) => ({ count: 1, sample_rate: 1, received: timeText(NOW_MS), row_index, ...row }))
  await insert('metrics', points)
  const called = (name: string, self: number, more: object = {}) => ({
    project_id: shopId,
    received: timeText(NOW_MS),
    timestamp: timeText(NOW_MS - 90_000),
    profile_id: self.toString(16).padStart(32, '0'),
    function: name,
    file: 'shop.py',
    in_app: 1,
    self_ms: self,
    total_ms: 2 * self,
    sample_rate: 0.1,
    ...more,
  })
  await insert('profile_functions', [
    ...[10, 20, 30].map((self) => called('price', self)),
    called('tax', 5, { release: 'shop@2' }),
    called('read', 70, { file: 'io.py', in_app: 0 }),
    called('theirs', 900, { project_id: rivalId }),
  ])
}

const insert = (name: string, rows: readonly object[]): Promise<unknown> =>
  harness.telemetry.command(
    `INSERT INTO ${name} FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join('\n')}`,
  )

describe('datasets of Explore', () => {
  before(async () => {
    harness = await openHarness()
    shopId = (await harness.project('acme', 'shop')).id
    const rival = await harness.project('rival', 'secret')
    headers = { authorization: `Bearer ${await harness.token(['event:read'], 'acme')}` }
    await fill(rival.id)
  })
  after(() => harness.close())

  describe('metrics over the public API', () => {
    const dataset = 'tracemetrics'
    const SUM = 'sum(value,orders,counter,none)'

    it('are computed by the type and unit that a measure names', async () => {
      const { data, meta } = await table({
        dataset,
        field: [
          SUM,
          'per_minute(value,orders,counter,-)',
          'avg(value, cart.value, distribution, none)',
          'p50(value,http.server.request.duration,histogram,s)',
          'count(value,http.server.request.duration,histogram,s)',
        ],
      })
      assert.deepEqual(data, [
        {
          // Each series grew from nothing: it began within the time that is read.
          [SUM]: 49,
          'per_minute(value,orders,counter,-)': 49 / 60,
          'avg(value, cart.value, distribution, none)': 25,
          'p50(value,http.server.request.duration,histogram,s)': 0.5 * (2 / 3),
          'count(value,http.server.request.duration,histogram,s)': 4,
        },
      ])
      assert.deepEqual(meta['units'], {
        [SUM]: null,
        'per_minute(value,orders,counter,-)': '1/minute',
        'avg(value, cart.value, distribution, none)': null,
        'p50(value,http.server.request.duration,histogram,s)': 'second',
        'count(value,http.server.request.duration,histogram,s)': null,
      })
    })

    it('are put into groups, sorted and given page by page', async () => {
      const field = ['region', 'project', SUM]
      const { data, meta } = await table({ dataset, field, sort: SUM })
      assert.deepEqual(data, [
        { region: 'eu', project: 'shop', [SUM]: 9 },
        { region: 'us', project: 'shop', [SUM]: 40 },
      ])
      assert.deepEqual(meta['fields'], { region: 'string', project: 'string', [SUM]: 'number' })
      const second = await table({ dataset, field, sort: '-region', per_page: '1', cursor: '0:1:0' })
      assert.deepEqual(
        second.data.map(({ region }) => region),
        ['eu'],
      )
      const narrowed = await table({ dataset, field, query: 'region:eu' })
      assert.deepEqual(
        narrowed.data.map((row) => row[SUM]),
        [9],
      )
    })

    it('are points without such a measure, and their names with how many there are', async () => {
      const points = await table({
        dataset,
        query: 'metric.name:cart.value value:>20',
        sort: '-value',
        field: ['metric.name', 'value', 'trace', 'timestamp'],
      })
      assert.deepEqual(points.data[0], {
        'metric.name': 'cart.value',
        value: 40,
        trace: TRACE,
        timestamp: new Date(NOW_MS - 90_000).toISOString(),
      })
      assert.equal(points.data.length, 2)
      const names = await table({
        dataset,
        field: ['metric.name', 'metric.type', 'metric.unit', 'count(value)'],
        sort: 'metric.name',
      })
      assert.deepEqual(names.data, [
        { 'metric.name': 'cart.value', 'metric.type': 'distribution', 'metric.unit': '', 'count(value)': 4 },
        {
          'metric.name': 'http.server.request.duration',
          'metric.type': 'histogram',
          'metric.unit': 's',
          'count(value)': 1,
        },
        { 'metric.name': 'orders', 'metric.type': 'counter', 'metric.unit': '', 'count(value)': 6 },
      ])
    })

    it('are over time in both shapes', async () => {
      const one = (await get('events-stats', { dataset, yAxis: SUM, interval: '10m' })).body
      assert.equal(sums(one as unknown as Stats), 49)
      assert.equal(
        Number(one['end']) - Number(one['start']),
        (one['data'] as readonly unknown[]).length * 600,
      )
      const grouped = (
        await get('events-stats', {
          dataset,
          yAxis: SUM,
          topEvents: '5',
          field: ['region', SUM],
          interval: '10m',
        })
      ).body as unknown as Readonly<Record<string, Stats & { readonly order: number }>>
      assert.deepEqual(
        Object.entries(grouped).map(([name, stats]) => [name, stats.order, sums(stats)]),
        [
          ['us', 0, 40],
          ['eu', 1, 9],
        ],
      )
      const p50 = 'p50(value,http.server.request.duration,histogram,s)'
      const series = (await get('events-timeseries', { dataset, yAxis: [SUM, p50], interval: '10m' }))
        .body as unknown as { readonly timeSeries: readonly Json[]; readonly meta: Json }
      assert.deepEqual(
        series.timeSeries.map(({ yAxis, meta }) => [yAxis, meta]),
        [
          [SUM, { interval: 600_000, valueType: 'number', valueUnit: null }],
          [p50, { interval: 600_000, valueType: 'duration', valueUnit: 'second' }],
        ],
      )
      assert.equal(series.meta['dataset'], 'tracemetrics')
    })
  })

  describe('functions of profiles over the public API', () => {
    const dataset = 'profile_functions'

    it('are counted and measured by name and package, none counted up', async () => {
      const { data, meta } = await table({
        dataset,
        query: 'is_application:true',
        field: [
          'function',
          'package',
          'count()',
          'p75(function.duration)',
          'sum(function.duration)',
          'max(function.total_time)',
        ],
        sort: '-sum(function.duration)',
      })
      assert.deepEqual(
        data.map((row) => [row['function'], row['package'], row['count()'], row['sum(function.duration)']]),
        [
          ['price', 'shop.py', 3, 60],
          ['tax', 'shop.py', 1, 5],
        ],
      )
      assert.equal(data[0]?.['max(function.total_time)'], 60)
      assert.ok(Math.abs(Number(data[0]?.['p75(function.duration)']) - 30) < 0.2)
      assert.equal((meta['units'] as Json)['p75(function.duration)'], 'millisecond')
      const defaults = await table({ dataset })
      assert.deepEqual(
        defaults.data.map((row) => row['function']),
        ['price', 'read', 'tax'],
      )
    })

    it('are narrowed by search, and are over time', async () => {
      const found = await table({ dataset, field: ['function'], query: 'release:shop@2' })
      assert.deepEqual(found.data, [{ function: 'tax' }])
      const { body } = await get('events-stats', {
        dataset,
        yAxis: ['count()', 'sum(function.duration)'],
        query: 'function:price',
      })
      const [count, sum] = [body['count()'], body['sum(function.duration)']] as unknown as readonly Stats[]
      assert.deepEqual([count && sums(count), sum && sums(sum)], [3, 60])
    })
  })

  describe('other datasets over time', () => {
    it('are spans and lines of logs', async () => {
      for (const dataset of ['spans', 'ourlogs'])
        for (const path of ['events-stats', 'events-timeseries'])
          assert.equal((await get(path, { dataset })).status, 200, `${dataset} ${path}`)
    })
  })

  describe('what cannot be answered', () => {
    it('is refused in words', async () => {
      for (const [path, query, detail] of [
        ['events', { dataset: 'tracemetrics', field: 'sum(value)' }, /sum\(value,orders,counter,none\)/],
        [
          'events',
          { dataset: 'tracemetrics', field: 'p95(value,orders,counter,none)' },
          /cannot be computed/,
        ],
        [
          'events',
          { dataset: 'tracemetrics', field: ['count()', 'sum(value,orders,counter,none)'] },
          /beside/,
        ],
        ['events', { dataset: 'tracemetrics', field: 'sum(value,a,counter,-)', sort: 'nope' }, /cannot sort/],
        [
          'events',
          { dataset: 'profile_functions', field: 'failure_rate()' },
          /cannot be computed of functions/,
        ],
        ['events', { dataset: 'profile_functions', field: 'http.method' }, /no "http\.method".*Known are/],
        ['events', { dataset: 'profile_functions', query: 'http.method:GET' }, /no "http\.method"/],
        ['events-stats', { dataset: 'issuePlatform' }, /dataset "issuePlatform"/],
        ['events-stats', { dataset: 'spans', interval: 'often' }, /interval/],
        ['events-stats', { dataset: 'spans', topEvents: '99' }, /topEvents/],
        ['events-stats', { dataset: 'spans', yAxis: '1 2 3 4 5 6'.split(' ') }, /at most 5/],
        ['events-timeseries', { dataset: 'spans', yAxis: 'nope()' }, /cannot be computed/],
      ] as const) {
        const { status, body } = await get(path, query)
        assert.equal(status, 400, JSON.stringify(query))
        assert.match(body.detail, detail, JSON.stringify(query))
      }
    })

    it('is another organization’s', async () => {
      for (const path of ['events', 'events-stats', 'events-timeseries'])
        for (const dataset of ['tracemetrics', 'profile_functions'])
          assert.equal((await get(path, { dataset }, 'rival')).status, 403, `${path} ${dataset}`)
      const other = await table({
        dataset: 'tracemetrics',
        field: ['region', 'sum(value,orders,counter,none)'],
        project: 'secret',
      })
      assert.deepEqual(other.data, [])
    })
  })
})
