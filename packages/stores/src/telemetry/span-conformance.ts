/** What every engine must do with spans and vitals. Run by the engines' tests, on an open store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  encodeNavigationRow,
  encodePrefetchRow,
  encodeSpanRow,
  encodeTabRow,
  encodeVitalRow,
} from './rows.ts'
import type { FilterFields, NavigationFields, SpanFields, VitalFields } from './tables/tables.ts'
import type { Telemetry } from './telemetry.ts'

const RECEIVED_MS = Date.UTC(2026, 10, 18, 12)
const FILTERS: FilterFields = {
  release: 'shop@1.2.3',
  environment: 'production',
  platform: 'javascript',
  sdkName: 'sentry.javascript.browser',
  sdkVersion: '11.12.0',
  userKey: 'id:42',
  browser: 'Chrome',
  os: 'Windows',
  device: 'desktop',
  country: 'DE',
  connection: '4g',
  sampleRate: 0.25,
}
const ORIGIN = { projectId: 20, receivedMs: RECEIVED_MS, logPosition: 2 ** 40, itemIndex: 2 }
const SPAN: SpanFields = {
  ...ORIGIN,
  ...FILTERS,
  isSegment: true,
  op: 'pageload',
  segmentName: '/[org]/cart',
  startMs: Date.UTC(2026, 10, 18, 11, 59, 58) + 1.25,
  durationMs: 1234.5,
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: '',
  segmentId: 'b'.repeat(16),
  name: "it's\ta \\ name",
  status: 'ok',
  origin: 'auto.pageload.browser',
  attributes: { "key'with\\signs": "it's\n{}", 'http.status': 200, tiny: 1e-7, huge: 1.5e30 },
}
const VITAL: VitalFields = {
  ...ORIGIN,
  ...FILTERS,
  name: 'lcp',
  route: '/[org]/cart',
  pageId: 'b'.repeat(16),
  timestampMs: RECEIVED_MS - 1000,
  value: 2500.5,
  isFinal: false,
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  element: '#hero > img',
  source: 'https://shop.example/hero.avif',
  attribution: { 'lcp.size': 120_000 },
}
const NAVIGATION: NavigationFields = {
  ...ORIGIN,
  ...FILTERS,
  navigationId: 'c'.repeat(16),
  traceId: 'a'.repeat(32),
  timestampMs: RECEIVED_MS - 1000,
  durationMs: 431.5,
  isFinal: true,
  fromRoute: '/[org]',
  toRoute: '/[org]/cart',
  fromPath: '/acme',
  toPath: '/acme/cart',
  trigger: 'click',
  outcome: 'committed',
  reason: '',
  visibleAfterMs: 310,
  matchMs: 2,
  dataMs: 200,
  settledMs: 90,
  prefetch: 'none',
  cache: 'miss',
  cacheAgeMs: undefined,
  bytes: 12_345,
  requests: 3,
  build: 'shop@1.2.3',
  router: 'react-router',
  waitingFor: '/api/orders/[id], /api/cart',
}

/** `rowsOf`: the table that has a table's rows, on the server that is asked. */
export function testSpanTables(
  name: string,
  telemetry: () => Telemetry,
  rowsOf: (table: string) => string = (table) => table,
): void {
  test(`${name}: a span comes back with every column as it was`, async () => {
    await telemetry().insert('spans', [encodeSpanRow(SPAN)], 'span-columns')
    const [row = {}] = await telemetry().query<Record<string, unknown>>(
      'SELECT *, toUnixTimestamp64Micro(timestamp) AS us FROM spans WHERE project_id = 20',
    )
    assert.equal(row['us'], SPAN.startMs * 1000)
    assert.equal(row['duration_ms'], SPAN.durationMs)
    assert.equal(row['name'], SPAN.name)
    assert.equal(row['sample_rate'], 0.25)
    assert.equal(row['parent_span_id'], '')
    assert.deepEqual(row['strings'], { "key'with\\signs": "it's\n{}" })
    assert.deepEqual(row['numbers'], { 'http.status': 200, tiny: 1e-7, huge: 1.5e30 })
    assert.deepEqual([row['link_trace_ids'], row['link_attributes']], [[], []])
  })

  test(`${name}: links of a span come back, and the trace that they lead to finds it by its index`, async () => {
    const link = {
      linkTraceIds: ['1'.repeat(32), '2'.repeat(32)],
      linkSpanIds: ['3'.repeat(16), '4'.repeat(16)],
      linkAttributes: ['{"batch":"it\'s\\n"}', '{}'],
    }
    // Whole granules of spans without links, and of links to elsewhere, which the index is to leave out.
    const others = Array.from({ length: 20_000 }, (_, n) =>
      encodeSpanRow({ ...SPAN, projectId: 25, linkTraceIds: n < 9_000 ? [] : [`${n}`.padStart(32, 'a')] }),
    )
    await telemetry().insert('spans', others, 'links-elsewhere')
    await telemetry().insert('spans', [encodeSpanRow({ ...SPAN, projectId: 29, ...link })], 'linked')
    const where = `FROM TABLE WHERE project_id IN (25, 29) AND has(link_trace_ids, '${'2'.repeat(32)}')`
    const rows = await telemetry().query(
      `SELECT project_id, link_trace_ids, link_span_ids, link_attributes ${where.replace('TABLE', 'spans')}`,
    )
    assert.deepEqual(rows, [
      {
        project_id: 29,
        link_trace_ids: link.linkTraceIds,
        link_span_ids: link.linkSpanIds,
        link_attributes: link.linkAttributes,
      },
    ])
    const read = await telemetry().query<{ rows: number }>(
      `EXPLAIN ESTIMATE SELECT count() ${where.replace('TABLE', rowsOf('spans'))}`,
    )
    const sum = read.reduce((all, each) => all + each.rows, 0)
    assert.ok(sum < 20_000, `${sum} rows would be read`)
  })

  test(`${name}: several lines in one row are several spans, and their token keeps them from coming twice`, async () => {
    const lines = [1, 2, 3].map((n) => encodeSpanRow({ ...SPAN, projectId: 21, durationMs: n }))
    for (let time = 0; time < 2; time++) await telemetry().insert('spans', [lines.join('\n')], 'span-lines')
    const [row] = await telemetry().query<{ n: number; sum: number }>(
      'SELECT count() AS n, sum(duration_ms) AS sum FROM spans WHERE project_id = 21',
    )
    assert.deepEqual(row, { n: 3, sum: 6 })
  })

  test(`${name}: of one page's values the last final one counts, in whatever order they come`, async () => {
    const put = (token: string, fields: Partial<VitalFields>): Promise<void> =>
      telemetry().insert('vitals', [encodeVitalRow({ ...VITAL, projectId: 22, ...fields })], token)
    await put('vital-1', { value: 900, isFinal: true, receivedMs: RECEIVED_MS + 5000 })
    await put('vital-2', { value: 700, isFinal: false, receivedMs: RECEIVED_MS + 9000, route: '/cart/7' })
    await put('vital-3', { value: 800, isFinal: true, receivedMs: RECEIVED_MS + 4000 })
    await put('vital-4', { value: 0.1, name: 'cls' })
    const rows = await telemetry().query<{ name: string; value: number; route: string }>(
      'SELECT name, value, route FROM vitals FINAL WHERE project_id = 22 ORDER BY name',
    )
    assert.deepEqual(rows, [
      { name: 'cls', value: 0.1, route: '/[org]/cart' },
      { name: 'lcp', value: 900, route: '/[org]/cart' },
    ])
  })

  test(`${name}: a rate of sampling that is all but nothing is kept as one in a million`, async () => {
    const row = encodeVitalRow({ ...VITAL, projectId: 26, sampleRate: 1e-60 })
    await telemetry().insert('vitals', [row], 'vital-rate')
    const rows = await telemetry().query(
      'SELECT round(1 / sample_rate) AS visits FROM vitals WHERE project_id = 26',
    )
    assert.deepEqual(rows, [{ visits: 1_000_000 }])
  })

  test(`${name}: a query about one week reads no other, though rows replace each other`, async () => {
    const weekMs = 7 * 86_400_000
    for (const [week, count] of [2, 500].entries())
      await telemetry().insert(
        'vitals',
        Array.from({ length: count }, (_, n) =>
          encodeVitalRow({
            ...VITAL,
            projectId: 28,
            receivedMs: RECEIVED_MS - week * weekMs,
            pageId: `${week}-${n}`,
          }),
        ),
        `week-${week}`,
      )
    const estimates = await telemetry().query<{ rows: number }>(
      `EXPLAIN ESTIMATE SELECT sum(value) FROM ${rowsOf('vitals')} FINAL
       WHERE project_id = 28 AND received >= {from:DateTime64(3)}`,
      { from: RECEIVED_MS },
    )
    // Parts of this week hold rows of other tests too, but none of the five hundred of the week before.
    const rows = estimates.reduce((sum, each) => sum + each.rows, 0)
    assert.ok(rows >= 2 && rows < 500, `${rows} rows would be read`)
  })

  test(`${name}: how a navigation ended replaces that it hung, in whatever order they come`, async () => {
    const put = (token: string, fields: Partial<NavigationFields>): Promise<void> =>
      telemetry().insert(
        'navigations',
        [encodeNavigationRow({ ...NAVIGATION, projectId: 23, ...fields })],
        token,
      )
    await put('navigation-1', {})
    await put('navigation-2', {
      isFinal: false,
      outcome: 'pending',
      receivedMs: RECEIVED_MS + 9000,
    })
    const rows = await telemetry().query<Record<string, unknown>>(
      'SELECT outcome, data_ms, chunk_ms, cache_age_ms, bytes, waiting_for FROM navigations FINAL WHERE project_id = 23',
    )
    assert.deepEqual(rows, [
      {
        outcome: 'committed',
        data_ms: 200,
        chunk_ms: null,
        cache_age_ms: null,
        bytes: 12_345,
        waiting_for: NAVIGATION.waitingFor,
      },
    ])
  })

  test(`${name}: the last counts of a route that was fetched ahead replace those before`, async () => {
    const { navigationId: prefetchId, traceId, timestampMs } = NAVIGATION
    for (const issued of [1, 4])
      await telemetry().insert(
        'prefetches',
        [
          encodePrefetchRow({
            ...ORIGIN,
            ...FILTERS,
            projectId: 24,
            receivedMs: RECEIVED_MS + issued,
            prefetchId,
            traceId,
            timestampMs,
            route: '/[org]',
            router: 'sonde',
            issued,
            used: 1,
            late: 0,
            stale: 0,
            wasted: issued - 1,
            savedMs: 80.5,
            requests: 5,
            bytes: 12_000.5,
            wastedBytes: undefined,
          }),
        ],
        `prefetch-${issued}`,
      )
    const rows = await telemetry().query(
      'SELECT issued, wasted, saved_ms, requests, bytes, wasted_bytes FROM prefetches FINAL WHERE project_id = 24',
    )
    assert.deepEqual(rows, [
      { issued: 4, wasted: 3, saved_ms: 80.5, requests: 5, bytes: 12_000.5, wasted_bytes: null },
    ])
  })

  test(`${name}: what an open tab told last replaces what it told before`, async () => {
    const page = { ...ORIGIN, ...FILTERS, projectId: 25, pageId: NAVIGATION.navigationId }
    for (const minutes of [0, 4])
      await telemetry().insert(
        'tabs',
        [
          encodeTabRow({
            ...page,
            receivedMs: RECEIVED_MS + minutes * 60_000,
            tabId: '00000000000000ab',
            build: 'shop@1',
            startedMs: RECEIVED_MS,
            timestampMs: RECEIVED_MS + minutes * 60_000,
            isRecovered: minutes > 0,
          }),
        ],
        `tab-${minutes}`,
      )
    const rows = await telemetry().query(
      'SELECT tab_id, build, recovered, timestamp > started AS later FROM tabs FINAL WHERE project_id = 25',
    )
    assert.deepEqual(rows, [{ tab_id: '00000000000000ab', build: 'shop@1', recovered: 1, later: 1 }])
  })
}
