/**
 * Traces of a shop as SDKs send them: page loads as `@sentry/browser` does, requests as `@sentry/node` does, each a
 * `transaction` envelope; and the same page loads streamed, a span container each. Field for field what those SDKs put on
 * the wire; names, times and sizes are drawn. Event and trace are named `ID_PLACE`, so that each sending is another.
 */
import { ID_PLACE, SPAN_PLACE } from '../load/template.ts'
import { hex, pick, type Random } from './shop-app.ts'

const CONTAINER_TYPE = 'application/vnd.sentry.items.span.v2+json'
export const ROUTES = [
  '/',
  '/products/[product]',
  '/search',
  '/cart',
  '/categories/[category]',
  '/checkout/[step]',
  '/account/orders',
  '/account/orders/[order]',
  '/account/orders/[order]/invoice',
  '/account/settings',
  ...Array.from({ length: 30 }, (_, at) => `/guides/${String(at)}/[chapter]`),
]
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Mobile Safari/537.36',
]
/** First routes are visited most. */
export const routeOf = (random: Random): string => ROUTES[Math.floor(ROUTES.length * random() ** 3)] ?? '/'

/** Milliseconds with a long tail: 2.7 times as long for every standard deviation. */
export const skewedMs = (random: Random, usual: number): number =>
  usual * Math.exp(0.7 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()))

type Child = { readonly op: string; readonly name: string; readonly atMs: number; readonly ms: number } & {
  readonly origin: string
  readonly data: Readonly<Record<string, string | number>>
}

function pageChildren(random: Random, route: string): Child[] {
  const marks = ['cache', 'DNS', 'connect', 'request', 'response', 'domContentLoadedEvent'].map(
    (name, at) => ({
      op: `browser.${name}`,
      name: 'https://shop.example/',
      atMs: at * 15,
      ms: skewedMs(random, 12),
      origin: 'auto.ui.browser.metrics',
      data: {},
    }),
  )
  const resources = Array.from({ length: 5 + Math.floor(random() * 6) }, (_, at) => ({
    op: pick(random, ['resource.script', 'resource.css', 'resource.img']),
    name: `/assets/${pick(random, ['entry', 'vendor', 'route', 'hero', 'icons'])}-${hex(random, 8)}.js`,
    atMs: 60 + at * 9,
    ms: skewedMs(random, 45),
    origin: 'auto.resource.browser.metrics',
    data: {
      'http.response_transfer_size': Math.round(skewedMs(random, 9_000)),
      'http.response_content_length': Math.round(skewedMs(random, 8_700)),
      'http.decoded_response_content_length': Math.round(skewedMs(random, 31_000)),
      'resource.render_blocking_status': pick(random, ['non-blocking', 'blocking']),
      'url.same_origin': 'true',
      'network.protocol.name': 'http',
      'network.protocol.version': '2',
    },
  }))
  const requests = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const path = `/api${route.replace(/\[.*?\]/g, hex(random, 6))}`
    return {
      op: 'http.client',
      name: `GET ${path}`,
      atMs: 200,
      ms: skewedMs(random, 140),
      origin: 'auto.http.browser',
      data: {
        'http.method': 'GET',
        'http.url': `https://shop.example${path}`,
        'server.address': 'shop.example',
        'http.response.status_code': pick(random, [200, 200, 200, 200, 304, 404, 500]),
        'http.response_content_length': Math.round(skewedMs(random, 4_000)),
      },
    }
  })
  return [...marks, ...resources, ...requests]
}

function requestChildren(random: Random): Child[] {
  const middleware = ['expressInit', 'session', 'bodyParser'].map((name, at) => ({
    op: 'middleware.express',
    name,
    atMs: at,
    ms: skewedMs(random, 0.6),
    origin: 'auto.http.otel.express',
    data: { 'express.name': name, 'express.type': 'middleware' },
  }))
  const queries = Array.from({ length: 1 + Math.floor(random() * 7) }, (_, at) => {
    const table = pick(random, ['cart', 'item', 'customer', 'price', 'stock', 'review'])
    return {
      op: 'db',
      name: `SELECT * FROM ${table} WHERE id = $1 AND shop = $2`,
      atMs: 4 + at * 7,
      ms: skewedMs(random, 6),
      origin: 'auto.db.otel.postgres',
      data: {
        'db.system': 'postgresql',
        'db.name': 'shop',
        'db.operation': 'SELECT',
        'db.sql.table': table,
        'server.address': pick(random, ['db-1.internal', 'db-2.internal']),
        'server.port': 5432,
        'otel.kind': 'CLIENT',
      },
    }
  })
  return [...middleware, ...queries, ...callsOf(random)]
}

/** Of three requests one looks into a cache, one asks another service, one puts a message into a queue. */
function callsOf(random: Random): Child[] {
  const hit = random() < 0.8
  const lookup = {
    op: 'cache.get',
    name: `cart:${Math.floor(50_000 * random())}`,
    atMs: 2,
    ms: skewedMs(random, hit ? 1 : 2),
    origin: 'auto.db.otel.redis',
    data: {
      'cache.key': `cart:${Math.floor(50_000 * random())}`,
      'cache.hit': String(hit),
      ...(hit && { 'cache.item_size': Math.round(skewedMs(random, 900)) }),
      'network.peer.address': 'redis.internal',
    },
  }
  const host = pick(random, ['payments.example', 'search.example', 'mail.example'])
  const request = {
    op: 'http.client',
    name: `POST https://${host}/v1/${pick(random, ['charges', 'queries', 'messages'])}/${hex(random, 8)}`,
    atMs: 20,
    ms: skewedMs(random, 60),
    origin: 'auto.http.otel.http',
    data: {
      'http.request.method': 'POST',
      'server.address': host,
      'http.response.status_code': pick(random, [200, 200, 200, 200, 201, 429, 503]),
    },
  }
  const message = {
    op: pick(random, ['queue.publish', 'queue.process']),
    name: 'orders',
    atMs: 50,
    ms: skewedMs(random, 9),
    origin: 'manual',
    data: {
      'messaging.system': 'kafka',
      'messaging.destination.name': pick(random, ['orders', 'mails', 'index']),
      'messaging.message.receive.latency': Math.round(skewedMs(random, 300)),
      'messaging.message.body.size': Math.round(skewedMs(random, 700)),
    },
  }
  return [lookup, request, message].filter(() => random() < 1 / 3)
}

export function pageLoadEnvelope(random: Random, atMs: number): string {
  const route = routeOf(random)
  const root = SPAN_PLACE
  const children = pageChildren(random, route)
  const lcp = skewedMs(random, 1_400)
  const endMs = Math.max(lcp, ...children.map((child) => child.atMs + child.ms))
  return transactionEnvelope({
    platform: 'javascript',
    transaction: route,
    start_timestamp: atMs / 1000,
    timestamp: (atMs + endMs) / 1000,
    sdk: { name: 'sentry.javascript.react', version: '11.2.0' },
    user: { id: String(Math.floor(50_000 * random() ** 3)) },
    request: {
      url: `https://shop.example${route.replace(/\[.*?\]/g, hex(random, 6))}`,
      headers: { 'User-Agent': pick(random, AGENTS) },
    },
    contexts: {
      trace: {
        trace_id: ID_PLACE,
        span_id: root,
        op: 'pageload',
        status: 'ok',
        origin: 'auto.pageload.react.reactrouter_v7',
        data: {
          'sentry.source': 'route',
          'sentry.sample_rate': 1,
          effectiveConnectionType: pick(random, ['4g', '4g', '4g', '3g', 'slow-2g']),
          deviceMemory: '8 GB',
          hardwareConcurrency: '8',
          'lcp.element': pick(random, [
            'main > img.hero',
            'h1.title',
            'div#grid > article:nth-child(2) > img',
          ]),
          'lcp.size': Math.round(skewedMs(random, 60_000)),
          'lcp.url': `https://shop.example/images/${hex(random, 8)}.avif`,
          'cls.source.1': pick(random, ['div.banner', 'section.reviews > ul', 'footer']),
        },
      },
    },
    measurements: {
      lcp: { value: lcp, unit: 'millisecond' },
      fcp: { value: lcp * (0.4 + random() / 2), unit: 'millisecond' },
      ttfb: { value: skewedMs(random, 180), unit: 'millisecond' },
      'ttfb.requestTime': { value: skewedMs(random, 20), unit: 'millisecond' },
      cls: { value: skewedMs(random, 0.04), unit: '' },
      'connection.rtt': { value: 50, unit: 'millisecond' },
    },
    spans: children.map((child) => childSpan(random, child, root, atMs)),
  })
}

export function requestEnvelope(random: Random, atMs: number): string {
  const route = routeOf(random).replace(/\[(.*?)\]/g, ':$1')
  const root = hex(random, 16)
  const status = pick(random, ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'not_found', 'internal_error'])
  return transactionEnvelope({
    platform: 'node',
    transaction: `GET /api${route}`,
    start_timestamp: atMs / 1000,
    timestamp: (atMs + skewedMs(random, 90)) / 1000,
    server_name: pick(random, ['web-1', 'web-2', 'web-3']),
    sdk: { name: 'sentry.javascript.node', version: '10.68.0' },
    request: {
      url: `http://api.internal/api${route}`,
      method: 'GET',
      headers: { 'User-Agent': pick(random, AGENTS) },
    },
    contexts: {
      trace: {
        trace_id: ID_PLACE,
        span_id: root,
        parent_span_id: hex(random, 16),
        op: 'http.server',
        status,
        origin: 'auto.http.otel.http',
        data: {
          'sentry.source': 'route',
          'sentry.sample_rate': 1,
          'http.route': `/api${route}`,
          'http.request.method': 'GET',
          'http.response.status_code': status === 'ok' ? 200 : status === 'not_found' ? 404 : 500,
          'url.full': `http://api.internal/api${route}`,
          'net.peer.ip': `10.0.${Math.floor(random() * 9)}.${Math.floor(random() * 250)}`,
          'tenant.id': `t${Math.floor(40 * random() ** 2)}`,
        },
      },
    },
    spans: requestChildren(random).map((child) => childSpan(random, child, root, atMs)),
  })
}

function transactionEnvelope(transaction: Readonly<Record<string, unknown>>): string {
  const payload = JSON.stringify({
    event_id: ID_PLACE,
    type: 'transaction',
    transaction_info: { source: 'route' },
    release: 'shop@4.12.0',
    environment: 'production',
    ...transaction,
  })
  const header = JSON.stringify({
    event_id: ID_PLACE,
    trace: { trace_id: ID_PLACE, sample_rate: '1', public_key: '0' },
  })
  return `${header}\n${JSON.stringify({ type: 'transaction', length: Buffer.byteLength(payload) })}\n${payload}\n`
}

function childSpan(
  random: Random,
  { op, name, atMs, ms, origin, data }: Child,
  parent: string,
  startMs: number,
) {
  return {
    trace_id: ID_PLACE,
    span_id: hex(random, 16),
    parent_span_id: parent,
    op,
    description: name,
    status: 'ok',
    origin,
    start_timestamp: (startMs + atMs) / 1000,
    timestamp: (startMs + atMs + ms) / 1000,
    data: { 'sentry.op': op, 'sentry.origin': origin, ...data },
  }
}

/** The same page load as spans that are streamed: a container for the page's spans, typed attributes. */
export function streamedEnvelope(random: Random, atMs: number): string {
  const route = routeOf(random)
  const root = SPAN_PLACE
  const common = {
    'sentry.release': 'shop@4.12.0',
    'sentry.environment': 'production',
    'sentry.segment.name': route,
    'sentry.segment.id': root,
    'sentry.sdk.name': 'sentry.javascript.react',
    'sentry.sdk.version': '11.2.0',
    'user.id': String(Math.floor(50_000 * random() ** 3)),
    'user_agent.original': pick(random, AGENTS),
  }
  const children = pageChildren(random, route)
  const lcp = skewedMs(random, 1_400)
  const segment = spanV2({
    id: root,
    name: route,
    startMs: atMs,
    ms: Math.max(lcp, ...children.map((child) => child.atMs + child.ms)),
    isSegment: true,
    attributes: {
      ...common,
      'sentry.op': 'pageload',
      'sentry.origin': 'auto.pageload.react',
      'browser.web_vital.lcp.value': lcp,
    },
  })
  const rest = children.map(({ op, name, atMs: offset, ms, origin, data }) =>
    spanV2({
      id: hex(random, 16),
      parent: root,
      name,
      startMs: atMs + offset,
      ms,
      isSegment: false,
      attributes: { ...common, 'sentry.op': op, 'sentry.origin': origin, ...data },
    }),
  )
  return containerEnvelope([segment, ...rest])
}

type SpanV2 = {
  readonly id: string
  readonly parent?: string
  readonly name: string
  readonly startMs: number
  readonly ms: number
  readonly isSegment: boolean
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

export function spanV2({ id, parent, name, startMs, ms, isSegment, attributes }: SpanV2): object {
  return {
    trace_id: ID_PLACE,
    span_id: id,
    ...(parent !== undefined && { parent_span_id: parent }),
    name,
    status: 'ok',
    is_segment: isSegment,
    start_timestamp: startMs / 1000,
    end_timestamp: (startMs + ms) / 1000,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        {
          type: typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'double') : typeof value,
          value,
        },
      ]),
    ),
  }
}

export function containerEnvelope(items: readonly object[]): string {
  const payload = JSON.stringify({ version: 2, items })
  const header = {
    type: 'span',
    item_count: items.length,
    content_type: CONTAINER_TYPE,
    length: Buffer.byteLength(payload),
  }
  return `{"sdk":{"name":"sentry.javascript.react","version":"11.2.0"}}\n${JSON.stringify(header)}\n${payload}\n`
}
