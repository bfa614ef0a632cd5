import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import type { ProcessedSpans } from '../../src/spans/span.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells, spanCountOf } from './row-cells.ts'
import { type Given, RECEIVED, RECEIVED_MS, spanInput } from './span-input-of.ts'
import {
  measurements,
  METRIC_HEADER,
  metrics,
  NAVIGATION,
  PAGE,
  ROUTE,
  softNavigation,
  standalone,
  streamed,
  TRACE,
  V2_HEADER,
} from './wire-vitals.ts'

function stored(given: Given): ProcessedSpans {
  const result = SPAN_STAGES.run(spanInput(given), new Map())
  assert.ok(!isDropped(result), JSON.stringify(result))
  return result
}
type Shown = readonly [name: string, value: string, isFinal: string, page: string, route: string]
const vitals = (given: Given): Shown[] =>
  cells('vitals', stored(given)).map(({ name = '', value = '', is_final = '', page_id = '', route = '' }) => [
    name,
    value,
    is_final,
    page_id,
    route,
  ])

test('(a) measurements of a page load: what may still grow is not final', () => {
  assert.deepEqual(vitals(measurements()), [
    ['lcp', '1800', '0', PAGE, ROUTE],
    ['cls', '0.02', '0', PAGE, ROUTE],
    ['fcp', '640', '1', PAGE, ROUTE],
    ['ttfb', '120.5', '1', PAGE, ROUTE],
  ])
})

test('(b) a span alone: the page that it names, else the root that it lay under', () => {
  assert.deepEqual(vitals(standalone('inp', 180)), [['inp', '180', '1', PAGE, ROUTE]])
  assert.deepEqual(vitals(standalone('cls', 0)), [['cls', '0', '1', PAGE, ROUTE]])
  assert.deepEqual(vitals(standalone('lcp', 2100)), [['lcp', '2100', '1', PAGE, ROUTE]])
  assert.equal(cells('vitals', stored(standalone('inp', 180)))[0]?.['element'], 'body > div#root > button')
})

test('(c) streamed spans, with the element that each is about', () => {
  const given = streamed({ lcp: 2200, cls: 0.05, inp: 210 })
  assert.deepEqual(vitals(given), [
    ['lcp', '2200', '1', PAGE, ROUTE],
    ['cls', '0.05', '1', PAGE, ROUTE],
    ['inp', '210', '1', PAGE, ROUTE],
  ])
  assert.deepEqual(
    cells('vitals', stored(given)).map(({ element }) => element),
    ['body > img#hero', 'body > div.ad', 'button#buy'],
  )
})

test('(d) metrics, by both of their names, and no row of spans', () => {
  const given = metrics({
    'browser.web_vital.lcp': 2300,
    'browser.web_vital.cls.value': 0.07,
    'browser.inp': 190,
    'browser.web_vital.fcp': 640,
    'browser.ttfb': 120,
  })
  assert.deepEqual(vitals(given), [
    ['lcp', '2300', '1', PAGE, ROUTE],
    ['cls', '0.07', '1', PAGE, ROUTE],
    ['inp', '190', '1', PAGE, ROUTE],
    ['fcp', '640', '1', PAGE, ROUTE],
    ['ttfb', '120', '1', PAGE, ROUTE],
  ])
  const processed = stored(given)
  assert.deepEqual(cells('spans', processed), [])
  assert.deepEqual([processed.item.category, spanCountOf(processed)], ['trace_metric', 5])
  assert.equal(cells('vitals', processed)[0]?.['browser'], 'Chrome')
})

test('(e) below a navigation: the navigation is the page', () => {
  assert.deepEqual(vitals(softNavigation(900)), [['lcp', '900', '1', NAVIGATION, '/cart']])
})

test('other metrics and counters are read elsewhere, broken vitals are counted', () => {
  const { payload } = metrics({ 'browser.web_vital.lcp': 2300 })
  const [vital] = (payload as { items: [Record<string, unknown>] }).items
  const items = [
    vital,
    { ...vital, name: 'orders', type: 'counter' },
    { ...vital, name: 'browser.memory' },
    { ...vital, type: 'counter' },
    { ...vital, trace_id: undefined },
    { ...vital, value: 'slow' },
    null,
  ]
  const processed = stored({ header: { ...METRIC_HEADER, item_count: 7 }, payload: { items } })
  assert.deepEqual([spanCountOf(processed), processed.lost, cells('vitals', processed).length], [1, 2, 1])
})

test('a metric in seconds is told in milliseconds', () => {
  const { payload, header } = metrics({ 'browser.web_vital.lcp': 2.5 })
  const [item] = (payload as { items: [object] }).items
  const given = { header, payload: { items: [{ ...item, unit: 'second' }] } }
  assert.deepEqual(vitals(given)[0]?.slice(0, 2), ['lcp', '2500'])
})

test('a container of metrics with nothing in it ends with a reason', () => {
  const result = SPAN_STAGES.run(spanInput({ header: METRIC_HEADER, payload: { items: [] } }), new Map())
  assert.ok(isDropped(result))
  assert.deepEqual(result.dropped, { outcome: 'invalid', reason: 'bad_payload' })
})

test('interactions after the root of the page had ended belong to one page, that of their trace', () => {
  const inp = (spanId: string, value: number) => ({
    header: V2_HEADER,
    payload: {
      items: [
        {
          trace_id: TRACE,
          span_id: spanId,
          name: 'Click interaction',
          status: 'ok',
          is_segment: true,
          start_timestamp: RECEIVED - 1,
          end_timestamp: RECEIVED - 0.8,
          attributes: {
            'sentry.op': { type: 'string', value: 'ui.interaction.click' },
            'sentry.segment.id': { type: 'string', value: spanId },
            'browser.web_vital.inp.value': { type: 'integer', value },
          },
        },
      ],
    },
  })
  for (const [spanId, value] of [
    ['1'.repeat(16), 120],
    ['2'.repeat(16), 240],
  ] as const)
    assert.equal(cells('vitals', stored(inp(spanId, value)))[0]?.['page_id'], TRACE)
})

test('a clock that is hours off is set right in vitals of every shape, and in navigations', () => {
  const sentAtMs = RECEIVED_MS - 2 * 3_600_000
  const shifted = (payload: object): object => {
    const text = JSON.stringify(payload, (key, value: unknown) =>
      key.endsWith('timestamp') && typeof value === 'number' ? value - 2 * 3600 : value,
    )
    return JSON.parse(text) as object
  }
  const navigation = {
    header: V2_HEADER,
    payload: {
      items: [
        {
          trace_id: TRACE,
          span_id: PAGE,
          name: '/cart',
          start_timestamp: RECEIVED - 1,
          end_timestamp: RECEIVED,
          attributes: { 'sentry.op': { type: 'string', value: 'ui.navigation' } },
        },
      ],
    },
  }
  const shapes = [
    measurements(),
    standalone('inp', 100),
    streamed({ lcp: 1, cls: 0, inp: 1 }),
    metrics({ 'browser.lcp': 1 }),
    softNavigation(5),
    navigation,
  ]
  for (const { header, payload } of shapes) {
    const right = stored({ header, payload })
    const off = stored({ header, payload: shifted(payload), sentAtMs })
    for (const table of ['spans', 'vitals', 'navigations'] as const)
      assert.deepEqual(
        cells(table, off).map(({ timestamp }) => timestamp),
        cells(table, right).map(({ timestamp }) => timestamp),
      )
    assert.ok(Object.keys(right.item.rows).length > 0)
  }
})

test('a secret in the facts of the trace does not get into a row through the back door', () => {
  const trace = {
    trace_id: TRACE,
    public_key: 'a'.repeat(32),
    transaction: '/reset?password=hunter2',
    environment: 'password=hunter2',
    release: 'api_key=hunter2',
  }
  const payload = {
    trace_id: TRACE,
    span_id: PAGE,
    start_timestamp: RECEIVED,
    data: { 'browser.web_vital.cls.value': 0 },
  }
  const scrub = { enabled: true, sensitiveFields: [], safeFields: [], scrubIp: true }
  const processed = stored({ header: { type: 'span' }, payload, trace, settings: { scrub } })
  for (const table of ['spans', 'vitals'] as const) {
    const text = JSON.stringify(cells(table, processed))
    assert.doesNotMatch(text, /hunter2/)
    assert.match(text, /\/reset/)
  }
})

test('a span that stands in its item twice is one span, and the other is counted', () => {
  const { header, payload } = streamed({ lcp: 1, cls: 0, inp: 1 })
  const { items } = payload as { items: object[] }
  const processed = stored({ header, payload: { items: [...items, items[0], ...items] } })
  assert.deepEqual([spanCountOf(processed), processed.repeated, processed.lost], [3, 4, 0])
  assert.equal(cells('spans', processed).length, 3)
})

test('the component is that of the reporter, else the innermost one that an SDK wrote into the selector', () => {
  const told = (more: Record<string, unknown>) => {
    const { header, payload } = metrics({ 'browser.web_vital.lcp': 1800 }, more)
    const [row] = cells('vitals', stored({ header, payload }))
    return /'browser\.web_vital\.lcp\.component':'(.*?)'/.exec(row?.['strings'] ?? '')?.[1]
  }
  const element = (selector: string) => ({ 'browser.web_vital.lcp.element': selector })
  assert.equal(told(element('Shop > main > Hero > div > img.Wide')), 'Hero')
  assert.equal(told(element('main > img#Hero')), undefined)
  assert.equal(told({ ...element('main > img'), 'ui.component_name': 'Slider' }), 'Slider')
  assert.equal(told({ ...element('Hero > img'), 'browser.web_vital.lcp.component': 'Own' }), 'Own')
})

// https://github.com/getsentry/sentry-javascript/blob/11.12.0/packages/browser-utils/src/web-vitals/emitSpan.ts
test('vitals of pages that no router names stand under the address of their page, not under "Pageload"', () => {
  const text = (value: string) => ({ type: 'string', value })
  const given = (name: string, rootUrl: object | undefined, own: object = {}): Given => {
    const { header, payload } = streamed({ lcp: 2200, cls: 0.05, inp: 210 })
    const spans = (payload as { items: { attributes: object }[] }).items.map((span) => ({
      ...span,
      attributes: {
        ...span.attributes,
        'sentry.transaction': text(name),
        'sentry.segment.name': text(name),
        ...own,
      },
    }))
    const root = {
      trace_id: TRACE,
      span_id: PAGE,
      name,
      status: 'ok',
      is_segment: true,
      start_timestamp: RECEIVED - 4,
      end_timestamp: RECEIVED - 2,
      attributes: { 'sentry.op': text('pageload'), 'sentry.segment.name': text(name), ...rootUrl },
    }
    return { header, payload: { ...payload, items: rootUrl ? [root, ...spans] : spans } }
  }
  const routes = (...all: Parameters<typeof given>): string[] => [
    ...new Set(vitals(given(...all)).map(([, , , , route]) => route)),
  ]
  const path = { 'url.path': text('/orders/4711') }
  const full = { 'url.full': text('https://shop.test/orders/4711?token=1#top') }
  assert.deepEqual(routes('Pageload', path), ['/orders/[id]'])
  assert.deepEqual(routes('Navigation', full), ['/orders/[id]'])
  assert.deepEqual(routes('Pageload', undefined, full), ['/orders/[id]'], 'after the root had ended')
  assert.deepEqual(routes('Pageload', undefined), ['<unlabeled transaction>'])
  assert.deepEqual(routes('Checkout', path), ['Checkout'])
  const chosen = { ...path, 'sentry.segment.name.source': text('custom') }
  assert.deepEqual(routes('Navigation', chosen), ['Navigation'], 'an app may call a page so')
})
