import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routeVitals, vitalOverview, type PerformanceFilter, type QueryDeps } from '@sonde/queries'
import type { QueryParams } from '@sonde/stores'
import fc from 'fast-check'
import { mostVisits } from '../../src/performance/route-vitals.ts'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'

const DAY_MS = 86_400_000
const WEEKS = 6
const ROWS = 6_000

/** Pages of six weeks, most of which tell their value twice: the second counts. In two batches, as they come. */
async function fill({ telemetry }: Harness, projectId: number): Promise<void> {
  for (const isFinal of [0, 1]) {
    await telemetry.command(
      `INSERT INTO vitals (project_id, received, log_position, name, route, page_id, timestamp, value, is_final, trace_id,
         span_id, environment, browser, sample_rate)
       SELECT ${projectId}, timestamp + toIntervalSecond(${isFinal}), number, ['lcp', 'cls', 'inp'][1 + number % 3],
         concat('/', toString(cityHash64(number) % 3)), toString(number),
         fromUnixTimestamp64Milli(toInt64(${NOW_MS - MINUTE_MS} - number * ${(WEEKS * 7 * DAY_MS) / ROWS})) AS timestamp,
         (1 + ${isFinal}) * (100 + cityHash64(number, 'value') % 6000) / if(number % 3 = 1, 10000, 1), ${isFinal},
         toString(number + 1e31), toString(number + 1e15), if(number % 4 = 0, 'staging', 'prod'),
         if(number % 5 = 0, 'Firefox', 'Chrome'), if(number % 7 = 0, 0.25, 1)
       FROM numbers(${ROWS}) WHERE ${isFinal} = 0 OR number % 10 != 0`,
    )
  }
}

describe('sums of vitals', () => {
  let harness: Harness
  let shop: ProjectGrant
  const asked: { readonly sql: string; readonly params: QueryParams | undefined }[] = []
  let deps: QueryDeps

  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    await fill(harness, shop.projectId)
    deps = {
      ...harness.deps,
      telemetry: {
        ...harness.telemetry,
        query(sql, params) {
          asked.push({ sql, params })
          return harness.telemetry.query(sql, params)
        },
      },
    }
  })
  after(() => harness.close())

  /** From the rows alone, by exact percentiles. */
  async function fromRows({ fromMs, toMs, environment = [], browser = [] }: PerformanceFilter) {
    const rows = await harness.telemetry.query<{ route: string; lcp: number; p75: number; good: number }>(
      `SELECT route, round(sum(1 / sample_rate)) AS lcp, round(sumIf(1 / sample_rate, value <= 2500)) AS good,
         quantileExactWeighted(0.75)(value, toUInt32(round(1 / sample_rate))) AS p75
       FROM vitals FINAL
       WHERE project_id = {project:UInt32} AND name = 'lcp' AND timestamp >= {from:DateTime64(3)}
         AND timestamp < {to:DateTime64(3)} AND (empty({environments:Array(String)}) OR environment IN {environments:Array(String)})
         AND (empty({browsers:Array(String)}) OR browser IN {browsers:Array(String)})
       GROUP BY route ORDER BY route`,
      { project: shop.projectId, from: fromMs, to: toMs, environments: environment, browsers: browser },
    )
    return rows
  }

  async function checked(filter: PerformanceFilter): Promise<void> {
    const exact = await fromRows(filter)
    const told = (await routeVitals(deps, shop, filter)).toSorted((a, b) => (a.route < b.route ? -1 : 1))
    const lcps = told.flatMap(({ route, lcp }) => (lcp ? [{ route, ...lcp }] : []))
    assert.deepEqual(
      lcps.map(({ route, count, good }) => [route, count, good]),
      exact.map(({ route, lcp, good }) => [route, lcp, good]),
    )
    // Of few visits the percentile lies between two of them, and which is taken is a matter of definition.
    for (const [at, { p75, samples }] of lcps.entries())
      if (samples >= 100)
        assert.ok(Math.abs(p75 / (exact[at]?.p75 ?? 0) - 1) < 0.01, `p75 ${p75}, exactly ${exact[at]?.p75}`)
    // An hour may have other vitals and no LCP.
    const overview = await vitalOverview(deps, shop, filter)
    const lcp = overview.find(({ name }) => name === 'lcp')
    const all = exact.length === 0 ? undefined : exact.reduce((sum, row) => sum + row.lcp, 0)
    assert.equal(lcp?.count, all)
    assert.equal(await mostVisits(deps, shop, filter), Math.max(0, ...overview.map(({ samples }) => samples)))
  }

  const lastWeeks = { fromMs: NOW_MS - WEEKS * 7 * DAY_MS, toMs: NOW_MS }

  it('are those of the rows while a week still has several parts', () => checked(lastWeeks))

  describe('once weeks are one part each', () => {
    before(() => harness.telemetry.command('OPTIMIZE TABLE vitals FINAL SETTINGS max_execution_time = 0'))

    it('are the same in every window, whatever it is narrowed to', async () => {
      const day = fc.integer({ min: 0, max: WEEKS * 7 * 24 }).map((hours) => NOW_MS - hours * 3_600_000)
      const some = (...values: readonly string[]) => fc.subarray([...values])
      await fc.assert(
        fc.asyncProperty(
          day,
          day,
          some('prod', 'staging'),
          some('Chrome'),
          async (a, b, environment, browser) => {
            fc.pre(a !== b)
            await checked({ fromMs: Math.min(a, b), toMs: Math.max(a, b), environment, browser })
          },
        ),
        { numRuns: 8 },
      )
    })

    it('are read from what was summed up ahead', async () => {
      asked.length = 0
      await routeVitals(deps, shop, { ...lastWeeks, environment: ['prod'] })
      const { sql, params } = asked.find((each) => each.sql.includes('toMonday(received)')) ?? { sql: '' }
      const plan = await harness.telemetry.query<{ explain: string }>(
        `EXPLAIN distributed = 1 ${sql}`,
        params,
      )
      assert.match(plan.map(({ explain }) => explain).join('\n'), /ReadFromMergeTree \(by_week\)/)
    })

    it('count a value once that replaces one of a week that was one part', async () => {
      const fromMs = NOW_MS - 20 * DAY_MS
      const untilThen = await routeVitals(deps, shop, { fromMs, toMs: NOW_MS })
      await harness.telemetry.command(
        `INSERT INTO vitals (project_id, received, log_position, name, route, page_id, timestamp, value, is_final, trace_id,
           span_id, environment, browser, sample_rate)
         SELECT project_id, received + toIntervalMillisecond(1), log_position, name, route, page_id, timestamp, value, 1,
           trace_id, span_id, environment, browser, sample_rate
         FROM vitals FINAL WHERE toDate(timestamp) = '2026-01-14'`,
      )
      assert.deepEqual(await routeVitals(deps, shop, { fromMs, toMs: NOW_MS }), untilThen)
      await checked({ fromMs, toMs: NOW_MS })
    })
  })
})
