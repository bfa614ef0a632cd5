/** Page loads, vitals, navigations and a trace over two services, as SDKs send them. */
import { newEventId } from './screens-events.ts'

const spanId = (): string => newEventId().slice(0, 16)

export type PageLoad = {
  readonly route: string
  readonly atMs: number
  readonly lcp: number
  readonly cls: number
  readonly user?: string
}

/** A `transaction` as @sentry/browser sends it, with its measurements. */
export function pageLoad({ route, atMs, lcp, cls, user = 'u-1' }: PageLoad) {
  const startSec = atMs / 1000
  const trace_id = newEventId()
  const root = spanId()
  return {
    event_id: newEventId(),
    type: 'transaction',
    platform: 'javascript',
    transaction: route,
    release: 'shop@4.12.0',
    environment: 'production',
    start_timestamp: startSec,
    timestamp: startSec + lcp / 1000 + 0.2,
    user: { id: user },
    contexts: { trace: { trace_id, span_id: root, op: 'pageload', status: 'ok' } },
    measurements: {
      lcp: { value: lcp, unit: 'millisecond' },
      cls: { value: cls, unit: '' },
      ttfb: { value: lcp / 5, unit: 'millisecond' },
    },
    spans: [
      {
        trace_id,
        span_id: spanId(),
        parent_span_id: root,
        op: 'http.client',
        description: 'GET /api/cart',
        start_timestamp: startSec + 0.1,
        timestamp: startSec + 0.3,
        data: { 'http.response.status_code': 200, 'url.full': 'https://shop.example/api/cart' },
      },
    ],
  }
}

/** One record of the navigation recorder, as an item of a span container. */
export function navigationSpan(from: string, to: string, atMs: number, more: Record<string, unknown> = {}) {
  const attributes: Record<string, unknown> = {
    'sentry.op': 'ui.navigation',
    'sentry.release': 'shop@4.12.0',
    'sentry.environment': 'production',
    'sonde.navigation.outcome': 'committed',
    'sonde.navigation.trigger': 'click',
    'sonde.navigation.from_route': from,
    'sonde.navigation.to_route': to,
    'sonde.navigation.from': from,
    'sonde.navigation.to': to,
    'sonde.navigation.visible_after': 320,
    'sonde.navigation.phase.data': 210,
    'sonde.navigation.phase.chunk': 40,
    'sonde.navigation.phase.paint': 30,
    'sonde.navigation.router': 'react-router',
    ...more,
  }
  const typed = Object.entries(attributes).map(([key, value]) => [
    key,
    { type: typeof value === 'number' ? 'double' : 'string', value },
  ])
  return {
    trace_id: newEventId(),
    span_id: spanId(),
    name: to,
    status: 'ok',
    is_segment: false,
    start_timestamp: atMs / 1000,
    end_timestamp: atMs / 1000 + 0.35,
    attributes: Object.fromEntries(typed) as Record<string, unknown>,
  }
}

/** A server's part of a trace that a page began. */
export function serverTransaction(traceId: string, parent: string, atMs: number) {
  const startSec = atMs / 1000
  const root = spanId()
  const query = (at: number, name: string) => ({
    trace_id: traceId,
    span_id: spanId(),
    parent_span_id: root,
    op: 'db',
    description: name,
    start_timestamp: startSec + at,
    timestamp: startSec + at + 0.08,
  })
  return {
    event_id: newEventId(),
    type: 'transaction',
    platform: 'node',
    transaction: 'GET /api/cart',
    start_timestamp: startSec,
    timestamp: startSec + 0.25,
    contexts: {
      trace: {
        trace_id: traceId,
        span_id: root,
        parent_span_id: parent,
        op: 'http.server',
        status: 'internal_error',
      },
    },
    spans: [
      query(0.02, 'SELECT * FROM cart WHERE id = $1'),
      query(0.12, 'SELECT * FROM item WHERE cart = $1'),
    ],
  }
}

/** Posts items as one envelope to the project's own door. */
export async function sendItems(
  dsn: string,
  items: readonly (readonly [header: Record<string, unknown>, payload: unknown])[],
): Promise<void> {
  const { host, protocol, username, pathname } = new URL(dsn)
  const lines = items.map(([header, payload]) => `${JSON.stringify(header)}\n${JSON.stringify(payload)}\n`)
  const url = `${protocol}//${host}/api${pathname}/envelope/?sentry_version=7&sentry_key=${username}`
  const answer = await fetch(url, { method: 'POST', body: `{}\n${lines.join('')}` })
  if (answer.status !== 200) throw new Error(`the door answered ${answer.status}: ${await answer.text()}`)
}

export const sendTransaction = (
  dsn: string,
  transaction: { readonly event_id: string; readonly [field: string]: unknown },
): Promise<void> => sendItems(dsn, [[{ type: 'transaction' }, transaction]])

export const sendSpans = (dsn: string, spans: readonly unknown[]): Promise<void> =>
  sendItems(dsn, [
    [
      {
        type: 'span',
        item_count: spans.length,
        content_type: 'application/vnd.sentry.items.span.v2+json',
      },
      { items: spans },
    ],
  ])

/** Lines of a log over the last hour, of every severity, as the SDKs' logger sends them. */
export async function fillLogs(dsn: string, traceId: string): Promise<void> {
  const kinds = [
    ['info', 'order {id} placed', (n: number) => `order ${1000 + n} placed`],
    ['debug', '', (n: number) => `GET https://shop.example/api/cart took ${20 + n}ms`],
    ['warn', '', (n: number) => `price of 'B-${n}' is missing, the list price is shown instead`],
    ['error', '', (n: number) => `connection refused by 10.0.0.${n}:5432 while reading the stock`],
    ['trace', '', () => 'cache is warm'],
    ['fatal', '', () => 'gave up after 3 attempts'],
  ] as const
  const often = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 0, 0, 1]
  const items = Array.from({ length: 180 }, (_, n) => {
    const [level, template, body] = kinds[n === 90 ? 5 : (often[n % often.length] ?? 0)] ?? kinds[0]
    const attributes = {
      'sentry.release': 'shop@4.12.0',
      'sentry.environment': 'production',
      'sentry.sdk.name': 'sentry.javascript.node',
      'sentry.sdk.version': '10.20.0',
      'user.id': `u-${n % 7}`,
      'order.region': n % 2 === 0 ? 'eu' : 'us',
      ...(template !== '' && { 'sentry.message.template': template }),
    }
    const typed = Object.entries(attributes).map(([key, value]) => [key, { type: 'string', value }])
    return {
      timestamp: Date.now() / 1000 - n * 20,
      trace_id: n % 9 === 0 ? traceId : newEventId(),
      level,
      body: body(n),
      attributes: Object.fromEntries(typed) as unknown,
    }
  })
  const header = {
    type: 'log',
    item_count: items.length,
    content_type: 'application/vnd.sentry.items.log+json',
  }
  await sendItems(dsn, [[header, { items }]])
}

/** Enough for a picture of each screen: routes good and bad, ends of every kind, one trace of two services. */
export async function fillPerformance(shopDsn: string, apiDsn: string, traceId: string): Promise<void> {
  const nowMs = Date.now()
  const routes = [
    '/',
    '/[org]/cart',
    '/products/[product]',
    '/checkout/[step]',
    '/account/orders/[order]/invoice',
  ]
  for (const [index, route] of routes.entries())
    for (let n = 0; n < 30; n++)
      await sendTransaction(
        shopDsn,
        pageLoad({
          route,
          atMs: nowMs - 60_000 * n,
          lcp: 700 + index * 900 + n * 40,
          cls: (index * n) / 300,
          user: `u-${n}`,
        }),
      )
  const inp = (route: string, value: number) => ({
    ...navigationSpan(route, route, nowMs - 60_000),
    name: 'button#buy',
    attributes: {
      'sentry.op': { type: 'string', value: 'ui.interaction.click' },
      'sentry.transaction': { type: 'string', value: route },
      'browser.web_vital.inp.value': { type: 'double', value },
    },
  })
  await sendSpans(
    shopDsn,
    routes.flatMap((route, index) =>
      Array.from({ length: 25 }, (_, n) => inp(route, 40 + index * 90 + n * 10)),
    ),
  )
  const ends = [
    'committed',
    'committed',
    'committed',
    'superseded',
    'redirected',
    'full_load',
    'left',
    'errored',
  ]
  await sendSpans(
    shopDsn,
    routes.flatMap((to, index) =>
      Array.from({ length: 40 }, (_, n) =>
        navigationSpan(routes[(index + 1) % routes.length] ?? '/', to, nowMs - 50_000 - n * 900, {
          'sonde.navigation.outcome': ends[(n * (index + 1)) % ends.length] ?? 'committed',
          'sonde.navigation.visible_after': 120 + index * 160 + n * 9,
          'sonde.navigation.phase.data': 60 + index * 120,
          'sonde.navigation.phase.chunk': index * 25,
          'sonde.navigation.prefetch': n % 3 === 0 ? 'used' : 'none',
        }),
      ),
    ),
  )
  const page = pageLoad({ route: '/checkout/[step]', atMs: nowMs - 20_000, lcp: 1900, cls: 0.02 })
  const [request] = page.spans
  const parent = request?.span_id ?? ''
  const trace = { ...page.contexts.trace, trace_id: traceId }
  const spans = page.spans.map((span) => ({ ...span, trace_id: traceId }))
  await sendTransaction(shopDsn, { ...page, contexts: { trace }, spans })
  await sendTransaction(apiDsn, serverTransaction(traceId, parent, nowMs - 19_850))
}
