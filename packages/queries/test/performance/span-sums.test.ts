/** Figures from sums of weeks are those of the rows: in every window, with late spans, after deletions, merged or not. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  exploreSeries,
  exploreSpans,
  insightChanges,
  insightFirst,
  insightRows,
  insightSeries,
  insightSparks,
  type PerformanceFilter,
  type QueryDeps,
  transactionChanges,
  transactionOps,
  transactionPage,
  transactionSeries,
} from '@sonde/queries'
import type { QueryParams } from '@sonde/stores'
import fc from 'fast-check'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'

const DAY_MS = 86_400_000
const WEEKS = 6
// So many that a week's sums are fewer granules than its rows: the engine takes whichever are fewer.
const ROWS = 240_000
const BROWSERS = ['Chrome', 'Firefox'] as const
const OPS = [
  'pageload',
  'http.server',
  'db',
  'db.redis',
  'http.client',
  'resource.script',
  'cache.get',
  'queue.process',
]

/** Spans of six weeks, some received ten days late; the newest minute is not full. In three parts a week. */
async function fill({ telemetry }: Harness, projectId: number, rows: number): Promise<void> {
  for (const part of [0, 1, 2]) {
    await telemetry.command(
      `INSERT INTO spans (project_id, received, log_position, is_segment, op, segment_name, timestamp, duration_ms, trace_id, span_id,
         status, normalized_name, peer, result, bytes, decoded_bytes, wait_ms, environment, browser, release, user_key, sample_rate)
       SELECT ${projectId}, timestamp + if(number % 9 = 0, toIntervalDay(10), toIntervalSecond(1)), number, number % 8 IN (0, 1, 7),
         [${OPS.map((op) => `'${op}'`).join(', ')}][1 + number % 8], concat('/', toString(cityHash64(number) % 4)),
         fromUnixTimestamp64Milli(toInt64(${NOW_MS - MINUTE_MS} - number * ${(WEEKS * 7 * DAY_MS) / rows})) AS timestamp,
         1 + cityHash64(number, 'ms') % 3000, toString(number + 1e31), toString(number + 1e15),
         ['ok', '', 'internal_error', 'unset'][1 + cityHash64(number, 's') % 4],
         if(number % 8 < 2, '', concat('name ', toString(cityHash64(number, 'n') % 3))), concat('peer ', toString(number % 2)),
         multiIf(number % 8 = 4, ['200', '404', '500'][1 + cityHash64(number, 'r') % 3], number % 8 = 6, ['hit', 'miss'][1 + number % 2], ''),
         if(number % 3 = 0, 0, 100 + number % 50), if(number % 8 = 5, 300, 0), if(number % 8 = 7, number % 40, 0),
         if(number % 5 = 0, 'staging', 'prod'), if(number % 3 = 0, 'Firefox', 'Chrome'), concat('r', toString(intDiv(number, 30000))),
         if(number % 11 = 0, '', concat('id:', toString(number % 700))), if(number % 7 = 0, 0.25, 1)
       FROM numbers(${rows}) WHERE number % 3 = ${part}`,
    )
  }
}

describe('sums of spans', () => {
  let harness: Harness
  let shop: ProjectGrant
  let deps: QueryDeps
  const asked: { readonly sql: string; readonly params: QueryParams | undefined }[] = []

  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    await fill(harness, shop.projectId, ROWS)
    await fill(harness, (await harness.project(org, 'other')).projectId, ROWS / 10)
    const { telemetry } = harness
    deps = {
      ...harness.deps,
      telemetry: {
        ...telemetry,
        query(sql, params) {
          asked.push({ sql, params })
          return telemetry.query(sql, params)
        },
      },
    }
  })
  after(() => harness.close())

  /** Everything that reads sums. */
  async function figures(filter: PerformanceFilter) {
    const kinds = ['queries', 'requests', 'assets', 'caches', 'queues'] as const
    const measures = [
      'count()',
      'p75(span.duration)',
      'avg(span.duration)',
      'sum(span.duration)',
      'failure_rate()',
      'max(span.duration)',
    ]
    const names = ['name 0', 'name 2']
    const found: unknown[] = [
      await transactionPage(deps, shop, filter),
      await transactionOps(deps, shop, filter),
      await transactionSeries(deps, shop, { ...filter, op: 'pageload', name: '/1' }),
      await transactionChanges(deps, shop, { ...filter, measures: ['p75', 'failureRate'] }),
      await exploreSpans(deps, shop, { ...filter, fields: ['op', ...measures], sort: 'op' }),
      await exploreSeries(deps, shop, {
        ...filter,
        query: 'span.op:db',
        measure: 'p95()',
        groupBy: ['op', 'environment'],
        groups: [['db', 'prod']],
      }),
    ]
    for (const kind of kinds) found.push(await insightRows(deps, shop, { ...filter, kind, sort: 'name' }))
    for (const kind of ['queries', 'queues'] as const)
      found.push(
        await insightSparks(deps, shop, { ...filter, kind, names }),
        await insightChanges(deps, shop, { ...filter, kind, names, measures: ['p75'] }),
        await insightSeries(deps, shop, { ...filter, kind, name: 'name 1' }),
      )
    return found
  }

  /** Each browser there is: the same rows, which what is summed up cannot tell apart. */
  const fromRows = (filter: PerformanceFilter) => ({ ...filter, browser: BROWSERS })

  async function checked(filter: PerformanceFilter): Promise<void> {
    assert.deepEqual(rounded(await figures(filter)), rounded(await figures(fromRows(filter))))
  }
  /** Sums of floats depend on the order in which they are added up. */
  const rounded = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) =>
      typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(9)) : each,
    )
  const all = { fromMs: NOW_MS - 90 * DAY_MS, toMs: NOW_MS + MINUTE_MS }

  async function areSummed(job: () => Promise<unknown>): Promise<void> {
    asked.length = 0
    await job()
    assert.ok(asked.length > 0)
    for (const { sql, params } of asked.filter((each) => each.sql.includes('spans'))) {
      const lines = await harness.telemetry.query<{ explain: string }>(`EXPLAIN ${sql}`, params)
      const plan = lines.map(({ explain }) => explain).join('\n')
      // The plan of another server is not told.
      if (!plan.includes('ReadFromRemote')) assert.match(plan, /ReadFromMergeTree \(by_week\)/, sql)
    }
  }

  it('are the same in every window', async () => {
    await checked(all)
    const day = fc.integer({ min: 0, max: 2 * WEEKS * 7 }).map((days) => NOW_MS - (days * DAY_MS) / 2)
    const environment = fc.subarray(['prod', 'staging'])
    await fc.assert(
      fc.asyncProperty(day, day, environment, async (a, b, chosen) => {
        fc.pre(Math.abs(a - b) > 7 * DAY_MS)
        await checked({ fromMs: Math.min(a, b), toMs: Math.max(a, b), environment: chosen })
      }),
      { numRuns: 3 },
    )
  })

  it('count what comes late, and no longer what was deleted', async () => {
    const before = await figures(all)
    await harness.telemetry.command(
      `INSERT INTO spans (project_id, received, log_position, is_segment, op, segment_name, timestamp, duration_ms, trace_id, span_id, sample_rate, browser)
       SELECT ${shop.projectId}, fromUnixTimestamp64Milli(${NOW_MS}), 1, 1, 'pageload', '/late', fromUnixTimestamp64Milli(toInt64(${NOW_MS - 30 * DAY_MS})), 5,
         toString(number + 3e31), toString(number + 3e15), 1, 'Chrome' FROM numbers(50)`,
    )
    const late = await transactionPage(deps, shop, { ...all, query: '/late' })
    assert.deepEqual(
      late.rows.map(({ name, count }) => [name, count]),
      [['/late', 50]],
    )
    await checked(all)
    await harness.telemetry.command(
      `DELETE FROM spans WHERE segment_name = '/late' AND project_id = ${shop.projectId}`,
    )
    assert.deepEqual(rounded(await figures(all)), rounded(before))
  })

  it('of all that is kept are read from what was summed up alone', async () => {
    await harness.telemetry.command('OPTIMIZE TABLE spans FINAL SETTINGS max_execution_time = 0')
    await checked(all)
    for (const kind of ['queries', 'requests', 'assets', 'caches', 'queues'] as const)
      await areSummed(() => insightRows(deps, shop, { ...all, kind }))
    await areSummed(() => insightFirst(deps, shop, { ...all, kind: 'caches', name: 'name 0' }))
    await areSummed(() => transactionPage(deps, shop, { ...all, op: 'pageload' }))
    await areSummed(() =>
      exploreSpans(deps, shop, { ...all, query: 'op:db', fields: ['op', 'count()', 'p95()'] }),
    )
  })
})
