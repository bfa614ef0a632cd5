/**
 * Web vitals in the five shapes in which SDKs send them, all of one page load. Fields and values as the SDKs' own code
 * and documentation have them: see the comment at each.
 */
import { RECEIVED } from './span-input-of.ts'

export const TRACE = '7f0a4f6d1b0c4c2e9d3b8a5e6f708192'
export const PAGE = 'aa11bb22cc33dd44'
const NAVIGATION_TRACE = '0123456789abcdef0123456789abcdef'
export const NAVIGATION = '99aa88bb77cc66dd'
export const ROUTE = '/products/:id'

export type Wire = {
  readonly header: { readonly type: string; readonly [field: string]: unknown }
  readonly payload: object
}
export const V2_HEADER = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json' }
export const METRIC_HEADER = {
  type: 'trace_metric',
  content_type: 'application/vnd.sentry.items.trace-metric+json',
}
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** (a) https://docs.sentry.io/platforms/javascript/tracing/instrumentation/performance-metrics/ : with the page load. */
export const measurements = (lcp = 1800): Wire => ({
  header: { type: 'transaction' },
  payload: {
    type: 'transaction',
    event_id: '5c1e8f0a9b7d4e3f8a6b5c4d3e2f1a0b',
    platform: 'javascript',
    transaction: ROUTE,
    transaction_info: { source: 'route' },
    start_timestamp: RECEIVED - 4,
    timestamp: RECEIVED - 2,
    contexts: {
      trace: {
        trace_id: TRACE,
        span_id: PAGE,
        op: 'pageload',
        origin: 'auto.pageload.browser',
        data: {
          'lcp.element': 'body > img#hero',
          'lcp.url': 'https://shop.example/hero.png',
          'lcp.size': 28500,
        },
      },
    },
    measurements: {
      ttfb: { value: 120.5, unit: 'millisecond' },
      'ttfb.requestTime': { value: 80, unit: 'millisecond' },
      fp: { value: 600, unit: 'millisecond' },
      fcp: { value: 640, unit: 'millisecond' },
      lcp: { value: lcp, unit: 'millisecond' },
      cls: { value: 0.02, unit: '' },
    },
    spans: [],
  },
})

/**
 * (b) One span alone, as 8 to 10 send INP, and CLS and LCP when asked to.
 * https://github.com/getsentry/sentry-javascript/blob/10.0.0/packages/browser-utils/src/metrics/utils.ts
 */
export const standalone = (name: 'inp' | 'cls' | 'lcp', value: number): Wire => ({
  header: { type: 'span' },
  payload: {
    trace_id: TRACE,
    span_id: `00000000000000${name === 'inp' ? '01' : name === 'cls' ? '02' : '03'}`,
    op: name === 'inp' ? 'ui.interaction.click' : `ui.webvital.${name}`,
    description: 'body > div#root > button',
    origin: name === 'inp' ? 'auto.http.browser.inp' : `auto.http.browser.${name}`,
    start_timestamp: RECEIVED - 1.5,
    timestamp: RECEIVED - 1.5 + (name === 'inp' ? value / 1000 : 0),
    exclusive_time: name === 'inp' ? value : 0,
    measurements: { [name]: { value, unit: name === 'cls' ? '' : 'millisecond' } },
    segment_id: PAGE,
    data: {
      'sentry.origin': 'auto.http.browser',
      release: 'shop@1.4.2',
      environment: 'production',
      transaction: ROUTE,
      'user_agent.original': AGENT,
      'client.address': '{{auto}}',
      ...(name !== 'inp' && { 'sentry.pageload.span_id': PAGE, 'sentry.report_event': 'pagehide' }),
    },
  },
})

const typed = (value: unknown) => ({
  type: typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'double',
  value,
})
const attributesOf = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typed(value)]))

/** (c) Streamed: https://github.com/getsentry/sentry-javascript/blob/11.12.0/packages/browser-utils/src/web-vitals/emitSpan.ts */
export const streamed = (values: { lcp: number; cls: number; inp: number }): Wire => {
  const common = {
    'sentry.transaction': ROUTE,
    'sentry.segment.name': ROUTE,
    'sentry.segment.id': PAGE,
    'user_agent.original': AGENT,
    'sentry.release': 'shop@1.4.2',
    'sentry.pageload.span_id': PAGE,
  }
  const span = (name: 'lcp' | 'cls' | 'inp', op: string, more: Record<string, unknown>) => ({
    trace_id: TRACE,
    span_id: `000000000000001${['lcp', 'cls', 'inp'].indexOf(name)}`,
    parent_span_id: PAGE,
    name: name === 'inp' ? 'Click interaction' : `Web vital ${name}`,
    status: 'ok',
    is_segment: false,
    start_timestamp: RECEIVED - 3,
    end_timestamp: RECEIVED - 2,
    attributes: attributesOf({
      ...common,
      'sentry.op': op,
      [`browser.web_vital.${name}.value`]: values[name],
      ...more,
    }),
  })
  return {
    header: { ...V2_HEADER, item_count: 3 },
    payload: {
      version: 2,
      items: [
        span('lcp', 'ui.webvital.lcp', { 'browser.web_vital.lcp.element': 'body > img#hero' }),
        span('cls', 'ui.webvital.cls', { 'browser.web_vital.cls.source.1': 'body > div.ad' }),
        span('inp', 'ui.interaction.click', { 'browser.web_vital.inp.target': 'button#buy' }),
      ],
    },
  }
}

/** (d) https://github.com/getsentry/rfcs/pull/158, section "Output metric shape". */
export const metrics = (values: Record<string, number>, more: Record<string, unknown> = {}): Wire => {
  const items = Object.entries(values).map(([name, value]) => ({
    timestamp: RECEIVED - 1,
    trace_id: TRACE,
    span_id: '00000000000000ff',
    name,
    type: 'distribution',
    unit: name.includes('cls') ? 'none' : 'millisecond',
    value,
    attributes: attributesOf({
      'sentry.transaction': ROUTE,
      'user_agent.original': AGENT,
      'sentry.release': 'shop@1.4.2',
      'sentry.pageload.span_id': PAGE,
      'sentry.metric.source': 'sdk',
      ...more,
    }),
  }))
  return { header: { ...METRIC_HEADER, item_count: items.length }, payload: { version: 2, items } }
}

/** (e) Of a soft navigation, below its root: https://github.com/getsentry/sentry-javascript/pull/23425 */
export const softNavigation = (lcp: number): Wire => ({
  header: { ...V2_HEADER, item_count: 1 },
  payload: {
    version: 2,
    items: [
      {
        trace_id: NAVIGATION_TRACE,
        span_id: '0000000000000020',
        parent_span_id: NAVIGATION,
        name: 'Largest contentful paint',
        status: 'ok',
        is_segment: false,
        start_timestamp: RECEIVED - 1,
        end_timestamp: RECEIVED - 0.5,
        attributes: attributesOf({
          'sentry.op': 'ui.webvital.lcp',
          'sentry.origin': 'auto.ui.browser.lcp',
          'sentry.transaction': '/cart',
          'sentry.segment.name': '/cart',
          'sentry.segment.id': NAVIGATION,
          'browser.navigation.id': 'a1b2c3',
          'browser.navigation.type': 'soft-navigation',
          'browser.web_vital.lcp.value': lcp,
        }),
      },
    ],
  },
})
