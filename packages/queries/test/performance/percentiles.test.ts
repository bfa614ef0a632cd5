/** Percentiles are of 16-bit floats, so that they need one pass and little memory: how far from exact ones they may be. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routeVitals, transactionPage } from '@sonde/queries'
import { type Harness, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'

const ROWS = 150_000
const MAX_AWAY = 0.01
const share = (salt: string): string => `((cityHash64(number, '${salt}') + 0.5) / 18446744073709551616.)`
const normal = `(sqrt(-2 * log(${share('a')})) * cos(6.283185307 * ${share('b')}))`

/** Milliseconds, each skewed in its own way. */
const SHAPES: Readonly<Record<string, string>> = {
  '/usual': `300 * exp(0.8 * ${normal})`,
  '/long-tail': `20 / pow(${share('c')}, 0.9)`,
  '/two-humps': `if(${share('d')} < 0.7, 40 * exp(0.2 * ${normal}), 4000 * exp(0.3 * ${normal}))`,
  '/short': `0.2 * exp(1.5 * ${normal})`,
  '/even': `1 + 9999 * ${share('e')}`,
}
const names = Object.keys(SHAPES)
const DRAWN = `multiIf(${names.map((name) => `route = '${name}', ${SHAPES[name]}`).join(', ')}, 0)`
/** The slow are sampled more seldom: percentiles that forget the rate are far off. */
const RATE = `if(${DRAWN} > 500, 0.125, if(number % 3 = 0, 0.5, 1))`
const COMMON = `SELECT 7 AS project_id, toDateTime64(${(NOW_MS - 3_600_000) / 1000}, 3, 'UTC') AS received,
  received AS timestamp, [${names.map((name) => `'${name}'`).join(', ')}][1 + number % ${names.length}] AS route,
  ${DRAWN} AS value, ${RATE} AS sample_rate, toString(number + 1e31) AS trace_id, toString(number + 1e15) AS span_id, number
  FROM numbers(${ROWS})`

describe('percentiles of 150,000 skewed values', () => {
  let harness: Harness
  let shop: ProjectGrant
  const window = { fromMs: NOW_MS - 7_200_000, toMs: NOW_MS }

  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    const { telemetry } = harness
    // However long a busy machine takes.
    const from = `FROM (${COMMON.replace('SELECT 7', `SELECT ${shop.projectId}`)}) SETTINGS max_execution_time = 0`
    await telemetry.command(
      `INSERT INTO spans (project_id, received, log_position, is_segment, op, segment_name, timestamp, duration_ms, trace_id,
         span_id, sample_rate)
       SELECT project_id, received, number, 1, 'pageload', route, timestamp, value, trace_id, span_id, sample_rate ${from}`,
    )
    await telemetry.command(
      `INSERT INTO vitals (project_id, received, log_position, name, route, page_id, timestamp, value, is_final, trace_id,
         span_id, sample_rate)
       SELECT project_id, received, number, 'lcp', route, span_id, timestamp, value, 1, trace_id, span_id, sample_rate ${from}`,
    )
  })
  after(() => harness.close())

  async function exact(
    table: string,
    route: string,
    column: string,
  ): Promise<Map<string, readonly number[]>> {
    const rows = await harness.telemetry.query<{ route: string; levels: readonly number[] }>(
      `SELECT ${route} AS route, quantilesExactWeighted(0.5, 0.75, 0.95)(${column}, toUInt32(round(1 / sample_rate))) AS levels
       FROM ${table} GROUP BY route`,
    )
    return new Map(rows.map((row) => [row.route, row.levels]))
  }
  function near(what: string, told: readonly number[], right: readonly number[] = []): void {
    for (const [at, value] of told.entries()) {
      const away = Math.abs(value / (right[at] ?? Number.NaN) - 1)
      assert.ok(away < MAX_AWAY, `${what}: ${value} instead of ${right[at]}`)
    }
  }

  it('of transactions are within one per cent of the exact ones', async () => {
    const right = await exact('spans', 'segment_name', 'duration_ms')
    const told = (await transactionPage(harness.deps, shop, window)).rows
    assert.equal(told.length, names.length)
    for (const { name, p50, p75, p95 } of told) near(name, [p50, p75, p95], right.get(name))
  })

  it('of vitals are within one per cent of the exact ones', async () => {
    const right = await exact('vitals FINAL', 'route', 'value')
    const told = await routeVitals(harness.deps, shop, window)
    assert.equal(told.length, names.length)
    for (const { route, lcp } of told) near(route, [lcp?.p75 ?? 0], right.get(route)?.slice(1, 2))
  })
})
