/** Traces as SDKs send them: a checkout over three services, traces of any size, and broken ones. */
import { sendSpans, sendTransaction } from './performance-events.ts'
import { newEventId } from './screens-events.ts'

export const newSpanId = (): string => newEventId().slice(0, 16)

type Child = {
  readonly id?: string
  readonly parent: string
  readonly op: string
  readonly name: string
  /** Milliseconds after the transaction's start. */
  readonly at: number
  readonly took: number
  readonly status?: string
  readonly data?: Readonly<Record<string, unknown>>
}
type Service = {
  readonly traceId: string
  readonly id: string
  readonly parent?: string
  readonly op: string
  readonly name: string
  readonly platform: string
  readonly startMs: number
  readonly took: number
  readonly status?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly measurements?: Readonly<Record<string, number>>
  readonly children: readonly Child[]
}

export function serviceTransaction(service: Service) {
  const { traceId, startMs, children, measurements = {} } = service
  const seconds = (atMs: number): number => (startMs + atMs) / 1000
  return {
    event_id: newEventId(),
    type: 'transaction',
    platform: service.platform,
    transaction: service.name,
    release: 'shop@4.12.0',
    environment: 'production',
    start_timestamp: seconds(0),
    timestamp: seconds(service.took),
    contexts: {
      trace: {
        trace_id: traceId,
        span_id: service.id,
        parent_span_id: service.parent,
        op: service.op,
        status: service.status ?? 'ok',
        data: service.data ?? {},
      },
    },
    measurements: Object.fromEntries(
      Object.entries(measurements).map(([name, value]) => [
        name,
        { value, unit: name === 'cls' ? '' : 'millisecond' },
      ]),
    ),
    spans: children.map(({ id = newSpanId(), parent, op, name, at, took, status = 'ok', data = {} }) => ({
      trace_id: traceId,
      span_id: id,
      parent_span_id: parent,
      op,
      description: name,
      status,
      start_timestamp: seconds(at),
      timestamp: seconds(at + took),
      data,
    })),
  }
}

export type CheckoutIds = {
  readonly traceId: string
  readonly page: string
  readonly handler: string
}
const HOUR_MS = 3_600_000

/** A page load that calls a Node API, which asks a Python service whose clock is two hours ahead. 30 spans. */
export function checkoutTrace(startMs: number, previousTrace?: string) {
  const traceId = newEventId()
  const [page, call, api, ask, pricing, handler] = Array.from({ length: 6 }, newSpanId) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const link =
    previousTrace === undefined ? {} : { 'sentry.previous_trace': `${previousTrace}-${newSpanId()}-1` }
  const browser = serviceTransaction({
    traceId,
    id: page,
    op: 'pageload',
    name: '/checkout/[step]',
    platform: 'javascript',
    startMs,
    took: 1900,
    data: link,
    measurements: { ttfb: 180, fcp: 620, lcp: 1_480, cls: 0.31 },
    children: [
      { parent: page, op: 'browser.request', name: 'https://shop.example/checkout/pay', at: 20, took: 160 },
      { parent: page, op: 'resource.script', name: '/assets/checkout-4f2c.js', at: 190, took: 210 },
      { parent: page, op: 'resource.css', name: '/assets/checkout-91ab.css', at: 190, took: 90 },
      { parent: page, op: 'ui.long-task', name: 'Main UI thread blocked', at: 420, took: 140 },
      {
        id: call,
        parent: page,
        op: 'http.client',
        name: 'POST /api/checkout/1f0c9a',
        at: 640,
        took: 760,
        status: 'internal_error',
        data: {
          'http.response.status_code': 500,
          'http.request.method': 'POST',
          'url.full': 'https://shop.example/api/checkout/1f0c9a',
        },
      },
      { parent: page, op: 'ui.react.render', name: '<PaymentForm>', at: 1_410, took: 60 },
      { parent: page, op: 'http.client', name: 'POST /collect', at: 1_800, took: 600 },
    ],
  })
  const node = serviceTransaction({
    traceId,
    id: api,
    parent: call,
    op: 'http.server',
    name: 'POST /api/checkout/:id',
    platform: 'node',
    startMs: startMs + 655,
    took: 730,
    status: 'internal_error',
    children: [
      { parent: api, op: 'middleware', name: 'session', at: 2, took: 9 },
      {
        id: handler,
        parent: api,
        op: 'function',
        name: 'placeOrder',
        at: 15,
        took: 700,
        status: 'internal_error',
      },
      ...Array.from({ length: 14 }, (_, n) => ({
        parent: handler,
        op: 'db',
        name: `SELECT * FROM item WHERE id = ${n + 101}`,
        at: 20 + n * 12,
        took: 10,
        data: { 'db.system': 'postgresql', 'server.address': 'db-1', rows: 1 },
      })),
      { id: ask, parent: handler, op: 'http.client', name: 'POST http://pricing/quote', at: 200, took: 180 },
      {
        parent: handler,
        op: 'db',
        name: 'INSERT INTO orders (id, cart, total) VALUES ($1, $2, $3)',
        at: 640,
        took: 60,
      },
    ],
  })
  const python = serviceTransaction({
    traceId,
    id: pricing,
    parent: ask,
    op: 'http.server',
    name: 'quote',
    platform: 'python',
    startMs: startMs + 655 + 205 + 2 * HOUR_MS,
    took: 170,
    children: [
      { parent: pricing, op: 'cache.get', name: 'rules:eu', at: 3, took: 2 },
      { parent: pricing, op: 'function', name: 'apply_discounts', at: 8, took: 155 },
    ],
  })
  const ids: CheckoutIds = { traceId, page, handler }
  return { ids, browser, node, python }
}

const WORK = [
  ['db', 'SELECT * FROM stock WHERE warehouse = $1 AND sku = $2'],
  ['cache.get', 'stock:summary'],
  ['http.client', 'GET http://suppliers/offers'],
  ['function', 'mergeOffers'],
  ['db', 'UPDATE stock SET amount = $1 WHERE id = $2'],
] as const
const PER_TRANSACTION = 900

/** A job whose steps call steps: `count` spans and one per 900 more, sent as transactions below the first. */
export async function sendLargeTrace(dsn: string, startMs: number, count: number): Promise<string> {
  const traceId = newEventId()
  const root = newSpanId()
  const lengthMs = Math.max(1_000, count * 2)
  let sent = 0
  for (let part = 0; sent < count; part++) {
    const own = part === 0 ? root : newSpanId()
    const size = Math.min(PER_TRANSACTION, count - sent)
    const ids = Array.from({ length: size }, newSpanId)
    const [from, took] = [(sent / count) * lengthMs, (size / count) * lengthMs]
    const children = ids.map((id, n): Child => {
      const [op, name] = WORK[(n * 7 + part) % WORK.length] ?? WORK[0]
      // Steps of ten with a head, five levels deep at most.
      const parent = n % 10 === 0 ? own : (ids[n - (n % 10 > 5 ? 1 : n % 10)] ?? own)
      return { id, parent, op, name, at: (n / size) * took, took: 1 + ((n * 13) % 40) }
    })
    await sendTransaction(
      dsn,
      serviceTransaction({
        traceId,
        id: own,
        ...(part > 0 && { parent: root }),
        op: part === 0 ? 'queue.process' : 'function',
        name: part === 0 ? 'nightly stock import' : `warehouse ${part}`,
        platform: 'node',
        startMs: startMs + (part === 0 ? 0 : from),
        took: part === 0 ? lengthMs : took,
        children,
      }),
    )
    sent += size
  }
  return traceId
}

/** Parents that are missing, in a circle and oneself, an end before the start, no time at all, ids that come twice. */
export async function sendBrokenTrace(dsn: string, startMs: number): Promise<string> {
  const traceId = newEventId()
  const [a, b, c, twice, gone] = Array.from({ length: 5 }, newSpanId) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const span = (id: string, parent: string | undefined, name: string, at: number, took: number) => ({
    trace_id: traceId,
    span_id: id,
    parent_span_id: parent,
    name,
    status: 'ok',
    is_segment: false,
    start_timestamp: (startMs + at) / 1000,
    end_timestamp: (startMs + at + took) / 1000,
    attributes: { 'sentry.op': { type: 'string', value: 'function' } },
  })
  await sendSpans(dsn, [
    span(newSpanId(), undefined, 'a root', 0, 300),
    span(newSpanId(), undefined, 'another root', 120, 50),
    span(newSpanId(), gone, 'its parent is missing', 30, 40),
    span(newSpanId(), newSpanId(), 'its parent is missing too', 60, 10),
    span(a, c, 'a circle, first', 10, 30),
    span(b, a, 'a circle, second', 12, 20),
    span(c, b, 'a circle, third', 14, 10),
    span(twice, undefined, 'an id', 200, 20),
    span(twice, undefined, 'the same id', 230, 20),
    span(newSpanId(), twice, 'below an id that came twice', 205, 5),
    span(newSpanId(), undefined, 'no time at all', 250, 0),
    span(newSpanId(), undefined, 'an end before its start', 280, -100),
  ])
  return traceId
}
