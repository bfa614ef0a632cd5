/**
 * Spans as no SDK should send them, through the log and into the real engine: kept as far as they say anything, counted
 * where not, never twice.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createEnvelope, type NewItem, serializeEnvelope } from '@sonde/protocol/envelope'
import { exportShop } from '../otlp/exported.ts'
import {
  measurements,
  METRIC_HEADER,
  metrics,
  PAGE,
  standalone,
  streamed,
  V2_HEADER,
  type Wire,
} from '../spans/wire-vitals.ts'
import { errorEnvelope, openHarness, until, type Harness } from './harness.ts'

let harness: Harness

const nowSec = Math.floor(Date.now() / 1000)
const hex = (digit: string, digits: number): string => digit.repeat(digits)
const TRACE = hex('a', 32)

type Fields = Record<string, unknown>
type Sent = {
  spans(): Promise<Fields[]>
  query(sql: string): Promise<Fields[]>
  outcomes: Record<string, number>
}

/** Each list of items is an envelope of its own; resolves when all of it is committed. */
async function send(slug: string, envelopes: readonly (readonly NewItem[])[]): Promise<Sent> {
  const projectId = await harness.createProject(slug)
  const pipeline = await harness.start()
  // A millisecond each: of two values that came in the same one, neither is later.
  const firstMs = Date.now() - envelopes.length
  for (const [at, items] of envelopes.entries()) {
    const bytes = serializeEnvelope(createEnvelope({}, items))
    await harness.append(projectId, bytes, { receivedMs: firstMs + at })
  }
  await harness.append(projectId, errorEnvelope(projectId))
  await until(
    async () => (await harness.events(projectId)).some(({ title }) => title.startsWith('Boom')),
    'the last envelope is stored',
    180_000,
  )
  // Ends with what was begun: the event lies in its table before the counts are told.
  await pipeline.stop()
  const { 'error/accepted/': _, ...outcomes } = await harness.outcomes(projectId)
  const query = (sql: string): Promise<Fields[]> => harness.telemetry.query<Fields>(sql, { projectId })
  const spans = (): Promise<Fields[]> =>
    query(`SELECT trace_id, span_id, parent_span_id, segment_id, name, duration_ms, strings,
      toFloat64(toUnixTimestamp64Micro(timestamp)) / 1000000 AS at_sec
      FROM spans WHERE project_id = {projectId:UInt32} ORDER BY log_position, item_index, span_id`)
  return { spans, query, outcomes }
}

const span = (fields: Fields = {}): Fields => ({
  trace_id: TRACE,
  span_id: hex('1', 16),
  name: 'work',
  status: 'ok',
  is_segment: false,
  start_timestamp: nowSec - 2,
  end_timestamp: nowSec - 1,
  attributes: {},
  ...fields,
})
const container = (items: readonly unknown[]): NewItem => ({
  header: { ...V2_HEADER, item_count: items.length },
  payload: { items },
})
const asItem = ({ header, payload }: Wire): NewItem => ({ header, payload })

describe('broken spans', () => {
  before(async () => {
    harness = await openHarness()
  })

  after(() => harness?.close())

  test('one page load that tells its vitals in four shapes is counted once, and what came last and final counts', async () => {
    const { query } = await send('page', [
      [asItem(measurements(1800))],
      [asItem(standalone('inp', 180))],
      [asItem(standalone('lcp', 2100)), asItem(standalone('cls', 0.04))],
      [asItem(streamed({ lcp: 2200, cls: 0.05, inp: 210 }))],
      [asItem(metrics({ 'browser.web_vital.lcp': 2300, 'browser.cls': 0.07, 'browser.web_vital.fcp': 640 }))],
      // Comes late: the page load's own transaction, with values that had not grown yet.
      [{ ...asItem(measurements(1500)), header: { type: 'transaction' } }],
    ])
    const rows = await query(
      'SELECT name, page_id, value FROM vitals FINAL WHERE project_id = {projectId:UInt32} ORDER BY name',
    )
    assert.deepEqual(
      rows.map(({ name, page_id, value }) => [name, page_id, value]),
      [
        ['cls', PAGE, 0.07],
        ['fcp', PAGE, 640],
        ['inp', PAGE, 210],
        ['lcp', PAGE, 2300],
        ['ttfb', PAGE, 120.5],
      ],
    )
  })

  test('metrics are counted, each once, whether they are vitals or not', async () => {
    const { payload } = metrics({ 'browser.web_vital.lcp': 2300 })
    const [vital] = (payload as { items: [Fields] }).items
    const items = [vital, { ...vital, name: 'orders', type: 'counter' }, { ...vital, value: null }]
    const { outcomes } = await send('metrics', [
      [{ header: { ...METRIC_HEADER, item_count: 3 }, payload: { items } }],
    ])
    assert.deepEqual(outcomes, {
      'trace_metric/accepted/': 2,
      'trace_metric/invalid/bad_payload': 1,
    })
  })

  test('orphans, circles, ids in upper case, ends before starts and times as text are kept', async () => {
    const ids = ['2', '3'].map((digit) => hex(digit, 16))
    const { spans, outcomes } = await send('strange', [
      [
        container([
          span({ parent_span_id: hex('9', 16) }),
          span({ span_id: ids[0], parent_span_id: ids[1] }),
          span({ span_id: ids[1], parent_span_id: ids[0] }),
          span({ span_id: hex('4', 16), parent_span_id: hex('4', 16) }),
          span({ span_id: hex('B', 16), trace_id: 'A'.repeat(32), parent_span_id: hex('C', 16) }),
          span({ span_id: hex('6', 16), end_timestamp: nowSec - 9 }),
          span({
            span_id: hex('7', 16),
            start_timestamp: new Date((nowSec - 5) * 1000).toISOString(),
            end_timestamp: new Date((nowSec - 4) * 1000).toISOString().replace('Z', '+00:00'),
          }),
          span({ span_id: hex('8', 16), end_timestamp: null }),
        ]),
      ],
    ])
    assert.deepEqual(outcomes, { 'span/accepted/': 8 })
    const rows = await spans()
    assert.deepEqual(
      rows.map(({ span_id, parent_span_id, duration_ms }) => [span_id, parent_span_id, duration_ms]),
      [
        [hex('1', 16), hex('9', 16), 1000],
        [ids[0], ids[1], 1000],
        [ids[1], ids[0], 1000],
        [hex('4', 16), '', 1000],
        [hex('6', 16), '', 0],
        [hex('7', 16), '', 1000],
        [hex('8', 16), '', 0],
        [hex('b', 16), hex('c', 16), 1000],
      ],
    )
    assert.ok(rows.every(({ trace_id }) => trace_id === TRACE))
    assert.equal(rows[5]?.['at_sec'], nowSec - 5)
    const remarks = rows.map(({ strings }) => (strings as Record<string, string>)['sonde.remark'])
    assert.deepEqual(remarks.filter(Boolean), ['own_parent', 'end_before_start'])
  })

  test('numbers that are none cost a value, not the span; times that are none cost the span, not its neighbours', async () => {
    const json = JSON.stringify({
      items: [
        span({
          attributes: { wrong: { type: 'double', value: 'NAN' }, right: { type: 'double', value: 1.5 } },
        }),
        span({ span_id: hex('2', 16), start_timestamp: 'NAN' }),
        span({ span_id: hex('3', 16), start_timestamp: -5 }),
        span({ span_id: hex('4', 16), start_timestamp: '' }),
        span({ span_id: hex('5', 16), start_timestamp: nowSec - 1, end_timestamp: 'NAN' }),
        span({ span_id: '', trace_id: 7 }),
        'no span',
      ],
    }).replaceAll('"NAN"', 'Infinity')
    const payload = json.replace('Infinity', 'NaN')
    const { spans, outcomes } = await send('numbers', [
      [{ header: { ...V2_HEADER, item_count: 7 }, payload }],
    ])
    assert.deepEqual(outcomes, { 'span/accepted/': 2, 'span/invalid/bad_span': 5 })
    const rows = await spans()
    assert.deepEqual(
      rows.map(({ span_id, duration_ms }) => [span_id, duration_ms]),
      [
        [hex('1', 16), 1000],
        [hex('5', 16), 0],
      ],
    )
  })

  test('a clock that is hours ahead without saying so, or decades behind, is set by the arrival', async () => {
    const at = (offSec: number, digit: string): NewItem =>
      container([
        span({
          span_id: hex(digit, 16),
          start_timestamp: nowSec + offSec,
          end_timestamp: nowSec + offSec + 2,
        }),
      ])
    const { spans } = await send('clocks', [
      [at(5 * 3600, '1')],
      [at(-40 * 365 * 86_400, '2')],
      [at(-3600, '3')],
    ])
    const [ahead, decades, hour] = (await spans()).map(({ at_sec }) => Number(at_sec))
    for (const sec of [ahead, decades]) assert.ok(Math.abs((sec ?? 0) - nowSec) < 300, String(sec))
    // An hour back is what a sender does that was offline.
    assert.equal(hour, nowSec - 3600)
  })

  test('ten megabytes in attributes are cut, and the span says so', async () => {
    const long = { type: 'string', value: 'x'.repeat(10_000_000) }
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`k${at}`, { type: 'integer', value: at }]),
    )
    const { spans, outcomes } = await send('attributes', [
      [container([span({ attributes: { long, ...many } })])],
    ])
    assert.deepEqual(outcomes, { 'span/accepted/': 1 })
    const [row] = await spans()
    const strings = row?.['strings'] as Record<string, string>
    assert.equal(strings['long']?.length, 4096)
    assert.equal(strings['sonde.remark'], 'attributes_cut')
  })

  test('the same request again, and a span that stands in it twice, are counted and not stored', async () => {
    const startMs = nowSec * 1000 - 5_000
    const { json, protobuf } = await exportShop(startMs)
    const item = (payload: Buffer, content_type: string): NewItem => ({
      header: { type: 'otel_traces_data', content_type, item_count: 3 },
      payload,
    })
    const twice = container([span(), span(), span({ span_id: hex('2', 16) })])
    const { spans, outcomes } = await send('repeats', [
      [item(protobuf, 'application/x-protobuf')],
      [item(protobuf, 'application/x-protobuf')],
      [item(Buffer.from(json.subarray(0, 40)), 'application/json')],
      [twice],
      [twice],
    ])
    assert.equal((await spans()).length, 5)
    assert.deepEqual(outcomes, {
      // What a span threw is an event too.
      'error/invalid/duplicate_event': 1,
      'span/accepted/': 5,
      'span/invalid/bad_otlp': 3,
      'span/invalid/duplicate_event': 5,
      'span/invalid/duplicate_span': 2,
    })
  })

  test('a trace of 20,000 streamed spans in twenty envelopes is stored whole', async () => {
    const root = hex('f', 16)
    const envelopes = Array.from({ length: 20 }, (_, part) => [
      container(
        Array.from({ length: 1_000 }, (__, at) =>
          span({ span_id: (part * 1_000 + at + 1).toString(16).padStart(16, '0'), parent_span_id: root }),
        ),
      ),
    ])
    const { query, outcomes } = await send('long', envelopes)
    assert.deepEqual(outcomes, { 'span/accepted/': 20_000 })
    const [row] = await query(`SELECT count() AS n, uniqExact(span_id) AS ids, uniqExact(trace_id) AS traces
    FROM spans WHERE project_id = {projectId:UInt32} AND parent_span_id = '${root}'`)
    assert.deepEqual([Number(row?.['n']), Number(row?.['ids']), Number(row?.['traces'])], [20_000, 20_000, 1])
  })
})
