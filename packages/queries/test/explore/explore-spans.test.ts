/** Explore on the real engine: every form of the search, of measures and of groups, against rows counted by hand. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  ExploreError,
  exploreSeries,
  exploreSpans,
  SearchError,
  spanKeys,
  spanSuggestions,
} from '@sonde/queries'
import { MINUTE_MS, NOW_MS, openHarness, type Harness, type OrgGrant, type ProjectGrant } from '../harness.ts'

type Span = {
  readonly op?: string
  readonly name?: string
  readonly duration_ms?: number
  readonly status?: string
  readonly user_key?: string
  readonly release?: string
  readonly is_segment?: number
  readonly sample_rate?: number
  readonly agoMs?: number
  readonly strings?: Record<string, string>
  readonly numbers?: Record<string, number>
}

let harness: Harness
let org: OrgGrant
let shop: ProjectGrant
let other: OrgGrant

async function put(projectId: number, spans: readonly Span[]): Promise<void> {
  const rows = spans.map(({ agoMs = MINUTE_MS, ...span }, index) => ({
    status: 'ok',
    sample_rate: 1,
    ...span,
    project_id: projectId,
    timestamp: new Date(NOW_MS - agoMs).toISOString().slice(0, -1).replace('T', ' '),
    received: new Date(NOW_MS).toISOString().slice(0, -1).replace('T', ' '),
    trace_id: 'a'.repeat(32),
    span_id: String(projectId * 100 + index).padStart(16, '0'),
  }))
  const lines = rows.map((row) => JSON.stringify(row)).join('\n')
  await harness.telemetry.command(`INSERT INTO spans FORMAT JSONEachRow ${lines}`)
}

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const table = (fields: readonly string[], query = '', more: object = {}) =>
  exploreSpans(harness.deps, org, { ...WINDOW, fields, query, ...more })
const names = async (query: string): Promise<unknown[]> =>
  (await table(['name'], query, { sort: 'name' })).rows.flat()

describe('explore spans', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    other = await harness.org('globex')
    shop = await harness.project(org, 'shop')
    const api = await harness.project(org, 'api')
    const foreign = await harness.project(other, 'foreign')
    await put(shop.projectId, [
      {
        op: 'http.client',
        name: 'GET /a',
        duration_ms: 100,
        status: 'ok',
        user_key: 'id:1',
        release: 'r1',
        strings: { 'http.method': 'GET', ['__proto__']: 'x' },
        numbers: { code: 200, size: 10 },
      },
      {
        op: 'http.client',
        name: 'POST /b',
        duration_ms: 600,
        status: 'internal_error',
        user_key: 'id:2',
        release: 'r1',
        strings: { 'http.method': 'POST' },
        numbers: { code: 500, size: 30 },
      },
      {
        op: 'db',
        name: 'SELECT 50% of_it',
        duration_ms: 1500,
        status: 'ok',
        user_key: 'id:1',
        release: 'r2',
        sample_rate: 0.25,
        strings: { code: '200' },
      },
      { op: 'pageload', name: '/', duration_ms: 2000, is_segment: 1, status: '', agoMs: 30 * MINUTE_MS },
    ])
    await put(api.projectId, [
      { op: 'db', name: 'INSERT', duration_ms: 5, status: 'cancelled', release: 'r1' },
    ])
    await put(foreign.projectId, [{ op: 'secret', name: 'theirs', duration_ms: 9, strings: { theirs: '1' } }])
  })

  after(() => harness.close())

  it('says what to do when there is more to read than it may', async () => {
    const { telemetry } = harness.deps
    const query: typeof telemetry.query = (sql, params) =>
      telemetry.query(sql.replace(/max_rows_to_read = \d+/, 'max_rows_to_read = 1'), params)
    const deps = { ...harness.deps, telemetry: { ...telemetry, query } }
    await assert.rejects(
      exploreSpans(deps, org, { ...WINDOW, fields: ['count()'] }),
      (error: unknown) =>
        error instanceof ExploreError &&
        error.message === 'there are too many spans to look at' &&
        /shorter time/.test(error.hint ?? ''),
    )
  })

  describe('a search for spans', () => {
    const CASES: readonly (readonly [query: string, ...names: string[]])[] = [
      ['op:http.client', 'GET /a', 'POST /b'],
      ['op:[db, pageload]', '/', 'INSERT', 'SELECT 50% of_it'],
      ['!op:db', '/', 'GET /a', 'POST /b'],
      ['span.op:http*', 'GET /a', 'POST /b'],
      ['duration:>500ms', '/', 'POST /b', 'SELECT 50% of_it'],
      ['duration:>1.5s', '/'],
      ['duration:>=1.5s', '/', 'SELECT 50% of_it'],
      ['span.duration:<0.1s', 'INSERT'],
      ['duration:600', 'POST /b'],
      ['status:error', 'POST /b'],
      ['!status:error', '/', 'GET /a', 'INSERT', 'SELECT 50% of_it'],
      ['status:internal_error', 'POST /b'],
      ['release:r1 !op:db', 'GET /a', 'POST /b'],
      ['project:api', 'INSERT'],
      ['!project:api op:db', 'SELECT 50% of_it'],
      ['is_transaction:true', '/'],
      ['user:"id:1"', 'GET /a', 'SELECT 50% of_it'],
      ['user.id:2', 'POST /b'],
      ['has:user', 'GET /a', 'POST /b', 'SELECT 50% of_it'],
      ['!has:user', '/', 'INSERT'],
      ['http.method:POST', 'POST /b'],
      ['http.method:p*', 'POST /b'],
      ['tags[http.method]:GET', 'GET /a'],
      ['has:http.method', 'GET /a', 'POST /b'],
      ['code:200', 'GET /a', 'SELECT 50% of_it'],
      ['code:>=400', 'POST /b'],
      ['code:<400', 'GET /a'],
      ['code:[200, 500]', 'GET /a', 'POST /b', 'SELECT 50% of_it'],
      ['code:2*', 'GET /a', 'SELECT 50% of_it'],
      ['__proto__:x', 'GET /a'],
      ['get', 'GET /a'],
      ['"50% of_"', 'SELECT 50% of_it'],
      ['!/a !"/b"', '/', 'INSERT', 'SELECT 50% of_it'],
      ['timestamp:-10m', 'GET /a', 'INSERT', 'POST /b', 'SELECT 50% of_it'],
      ['timestamp:+10m', '/'],
      ['theirs'],
      ['op:secret'],
    ]
    for (const [query, ...expected] of CASES)
      it(query, async () => assert.deepEqual(await names(query), expected))

    it('says what a field needs, and where', async () => {
      for (const [query, at] of [
        ['op:db duration:fast', 6],
        ['duration:5parsec', 0],
        ['code:>x', 0],
        ['is_transaction:maybe', 0],
        ['op:>1', 0],
        ['op:"x', 3],
      ] as const)
        await assert.rejects(
          names(query),
          (error: unknown) => error instanceof SearchError && error.at === at,
          query,
        )
    })
  })

  describe('groups', () => {
    it('count up what was sampled, and weigh by it', async () => {
      const { columns, rows } = await table([
        'op',
        'count()',
        'sum(duration)',
        'avg(duration)',
        'failure_rate()',
        'epm()',
        'max(duration)',
        'count_unique(user)',
      ])
      assert.deepEqual(
        columns.map(({ kind, unit }) => [kind, unit]),
        [
          ['string', null],
          ['integer', null],
          ['duration', 'millisecond'],
          ['duration', 'millisecond'],
          ['percentage', null],
          ['rate', '1/minute'],
          ['duration', 'millisecond'],
          ['integer', null],
        ],
      )
      assert.deepEqual(rows, [
        ['db', 5, 6005, 1201, 0, 5 / 60, 1500, 1],
        ['http.client', 2, 700, 350, 0.5, 2 / 60, 600, 2],
        ['pageload', 1, 2000, 2000, 0, 1 / 60, 2000, 0],
      ])
    })

    it('have percentiles within half a percent of the exact ones', async () => {
      const { rows } = await table(['p50()', 'p95(span.duration)', 'p100()'], 'op:http.client')
      const [p50, p95, p100] = rows[0] as number[]
      assert.ok(p50 !== undefined && p50 >= 99.5 && p50 <= 603, String(p50))
      assert.ok(p95 !== undefined && Math.abs(p95 - 600) <= 600 * 0.005, String(p95))
      assert.equal(p100, 600)
    })

    it('are by up to any attribute, also several, and sorted as asked', async () => {
      const { rows } = await table(['release', 'http.method', 'count()'], 'has:http.method', {
        sort: '-http.method',
      })
      assert.deepEqual(rows, [
        ['r1', 'POST', 1],
        ['r1', 'GET', 1],
      ])
      assert.deepEqual((await table(['code', 'count()'], 'has:code', { sort: 'code' })).rows, [
        ['200', 5],
        ['500', 1],
      ])
    })

    it('compute from numbers among attributes, over those that have one', async () => {
      const { rows } = await table([
        'sum(size)',
        'avg(size)',
        'max(size)',
        'min(size)',
        'p50(size)',
        'count(size)',
      ])
      assert.deepEqual(rows[0]?.slice(0, 4), [40, 20, 30, 10])
      assert.equal(rows[0]?.[5], 2)
      assert.deepEqual((await table(['avg(nothing)'])).rows, [[null]])
    })

    it('come in pages that do not overlap', async () => {
      const first = await table(['op', 'count()'], '', { limit: 2 })
      const second = await table(['op', 'count()'], '', { limit: 2, offset: 2 })
      assert.deepEqual([first.hasMore, second.hasMore], [true, false])
      assert.deepEqual(
        [...first.rows, ...second.rows].map(([op]) => op),
        ['db', 'http.client', 'pageload'],
      )
    })

    it('are refused in words for what cannot be computed', async () => {
      const bad = [
        ['nope()'],
        ['p42()'],
        ['count_unique()'],
        ['avg(op)'],
        [],
        Array.from({ length: 21 }, (_, index) => `f${index}`),
        [''],
      ]
      for (const fields of bad) await assert.rejects(table(fields), ExploreError, JSON.stringify(fields))
      await assert.rejects(table(['op'], '', { sort: 'name' }), ExploreError)
    })

    it('are of one project where one is asked for, and of nobody else', async () => {
      assert.deepEqual((await exploreSpans(harness.deps, shop, { ...WINDOW, fields: ['count()'] })).rows, [
        [7],
      ])
      assert.deepEqual(
        (await exploreSpans(harness.deps, other, { ...WINDOW, fields: ['op', 'count()'] })).rows,
        [['secret', 1]],
      )
      const empty = await harness.org('empty')
      assert.deepEqual((await exploreSpans(harness.deps, empty, { ...WINDOW, fields: ['count()'] })).rows, [])
    })

    it('may be by project, by its name', async () => {
      const { rows } = await table(['project', 'count()'])
      assert.deepEqual(rows, [
        ['shop', 7],
        ['api', 1],
      ])
      const series = await exploreSeries(harness.deps, org, {
        ...WINDOW,
        measure: 'count()',
        groupBy: ['project', 'is_transaction'],
        groups: [['shop', '1']],
      })
      assert.deepEqual(
        series.groups[0]?.filter((value) => value !== null),
        [1],
      )
    })

    it('hold odd names of attributes as values', async () => {
      for (const name of ["x'); DROP TABLE spans; --", '{a:String}', 'a\\', '`', '"'])
        assert.deepEqual((await table([name, 'count()'])).rows, [['', 8]], name)
    })
  })

  describe('over time', () => {
    it('everything and each group, with gaps where nothing was', async () => {
      const series = await exploreSeries(harness.deps, org, {
        ...WINDOW,
        measure: 'max(duration)',
        groupBy: ['op'],
        groups: [['db'], ['pageload'], ['nobody']],
      })
      const shown = (line: readonly (number | null)[] | undefined) => line?.filter((value) => value !== null)
      assert.equal(series.values.length, (series.toMs - series.fromMs) / series.stepMs)
      assert.deepEqual(shown(series.values), [2000, 1500])
      assert.deepEqual(series.groups.map(shown), [[1500], [2000], []])
      assert.equal(series.total, 8)
      assert.equal(
        series.counts.reduce((a, b) => a + b, 0),
        8,
      )
    })

    it('a rate is of each bar', async () => {
      const series = await exploreSeries(harness.deps, org, {
        ...WINDOW,
        query: 'op:db',
        measure: 'epm()',
        groupBy: [],
        groups: [],
      })
      assert.deepEqual(
        series.values.filter((value) => value !== null),
        [5 / (series.stepMs / MINUTE_MS)],
      )
    })
  })

  describe('the search field', () => {
    const offered = async (text: string) =>
      (await spanSuggestions(harness.deps, org, { ...WINDOW, text })).suggestions.map((each) => each.text)
    it('offers fields and the attributes that occur', async () => {
      assert.equal((await offered(''))[0], 'op:')
      assert.deepEqual(await offered('http.me'), ['http.method:'])
      assert.deepEqual(await offered('op:db !has:siz'), ['size'])
      const keys = await spanKeys(harness.deps, org, WINDOW)
      assert.equal(keys.find(({ key }) => key === 'size')?.kind, 'number')
      assert.equal(
        keys.some(({ key }) => key === 'theirs'),
        false,
      )
    })
    it('offers the values that occur, the most frequent first', async () => {
      assert.deepEqual(await offered('op:'), ['db', 'http.client', 'pageload'])
      assert.deepEqual(await offered('http.method:po'), ['POST'])
      assert.deepEqual(await offered('project:'), ['api', 'shop'])
      assert.deepEqual(await offered('duration:>1'), ['>100ms', '>1s', '>10s'])
      assert.deepEqual(await offered('theirs:'), [])
    })
  })
})
