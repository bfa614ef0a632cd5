/** Spans of queries, requests, caches, queues and assets in transactions, as SDKs send them. */
import { readFileSync } from 'node:fs'
import { sendTransaction } from './performance-events.ts'
import { newEventId } from './screens-events.ts'

const spanId = (): string => newEventId().slice(0, 16)

/** As it is stored. */
export const QUERY = 'SELECT * FROM "cart" WHERE id = ? AND shop IN (?)'

type Child = {
  readonly op: string
  readonly description: string
  readonly tookMs: number
  readonly status?: string
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

type Root = {
  readonly op: string
  readonly name: string
  readonly platform: string
  readonly atMs: number
} & {
  readonly data?: Readonly<Record<string, string | number>>
  readonly status?: string
}

function transaction(
  { op, name, platform, atMs, data = {}, status = 'ok' }: Root,
  children: readonly Child[],
) {
  const [trace_id, root] = [newEventId(), spanId()]
  let at = atMs / 1000
  const spans = children.map(({ tookMs, status: ended = 'ok', ...child }) => {
    const start_timestamp = at
    at += tookMs / 1000
    return {
      trace_id,
      span_id: spanId(),
      parent_span_id: root,
      status: ended,
      start_timestamp,
      timestamp: at,
      ...child,
    }
  })
  return {
    event_id: newEventId(),
    type: 'transaction',
    platform,
    transaction: name,
    release: 'shop@4.12.0',
    environment: 'production',
    start_timestamp: atMs / 1000,
    timestamp: at + 0.01,
    contexts: { trace: { trace_id, span_id: root, op, status, data } },
    spans,
  }
}

/** A request that reads its cart six times, looks into a cache, charges, and puts a message into a queue. */
const checkout = (atMs: number, n: number) =>
  transaction({ op: 'http.server', name: 'POST /checkout', platform: 'node', atMs }, [
    ...Array.from({ length: 6 }, (_, line) => ({
      op: 'db',
      description: `SELECT * FROM "cart" WHERE id = ${n * 10 + line} AND shop IN ('a', 'b')`,
      tookMs: 12,
      data: { 'db.system': 'postgresql', 'db.name': 'shop' },
    })),
    { op: 'db', description: 'COMMIT', tookMs: 2, data: { 'db.system': 'postgresql' } },
    {
      op: 'cache.get',
      description: `cart:${n}`,
      tookMs: n % 4 === 0 ? 3 : 1,
      data: {
        'cache.key': `cart:${n}`,
        'cache.hit': n % 4 !== 0,
        ...(n % 4 !== 0 && { 'cache.item_size': 512 }),
      },
    },
    ...(n % 4 === 0 ? [{ op: 'function', description: 'load cart', tookMs: 200 }] : []),
    {
      op: 'http.client',
      description: `POST https://payments.example/v1/charges/${1000 + n}`,
      tookMs: 150,
      status: n % 5 === 0 ? 'unavailable' : 'ok',
      data: {
        'http.request.method': 'POST',
        'server.address': 'payments.example',
        'http.response.status_code': n % 5 === 0 ? 503 : 200,
      },
    },
    {
      op: 'queue.publish',
      description: 'orders',
      tookMs: 4,
      data: { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' },
    },
  ])

const worker = (atMs: number, n: number) =>
  transaction(
    {
      op: 'queue.process',
      name: 'process orders',
      platform: 'node',
      atMs,
      status: n % 7 === 0 ? 'internal_error' : 'ok',
      data: {
        'messaging.system': 'kafka',
        'messaging.destination.name': 'orders',
        'messaging.message.receive.latency': 800 + n,
      },
    },
    [{ op: 'function', description: 'send mail', tookMs: 60 }],
  )

const page = (atMs: number, n: number) => {
  const file = (op: string, description: string, bytes: number, blocking = 'non-blocking'): Child => ({
    op,
    description,
    tookMs: 40,
    data: {
      'http.response_transfer_size': n % 2 === 0 ? bytes : 0,
      'http.decoded_response_content_length': bytes * 3,
      'resource.render_blocking_status': blocking,
    },
  })
  return transaction({ op: 'pageload', name: '/cart', platform: 'javascript', atMs }, [
    file('resource.script', '/assets/entry-DiwrgTda.js', 30_000),
    file('resource.link', '/assets/site-B3kx81Qz.css', 6_000, 'blocking'),
    file('resource.css', '/assets/inter.woff2', 20_000),
    file('resource.img', 'https://images.example/products/1234/photo.avif', 80_000),
  ])
}

/** `count` checkouts, three of four processed, half as many page loads; the newest a minute ago. */
export async function fillInsights(dsn: string, count: number): Promise<void> {
  const nowMs = Date.now()
  for (let n = 1; n <= count; n++) {
    const atMs = nowMs - 60_000 - n * 5_000
    await sendTransaction(dsn, checkout(atMs, n))
    if (n % 4 !== 0) await sendTransaction(dsn, worker(atMs + 1_000, n))
    if (n % 2 === 0) await sendTransaction(dsn, page(atMs, n / 2))
  }
}

type Sent = { event_id?: string; timestamp: number; start_timestamp: number; spans: Sent[] }

/** A page of a fixture, as an SDK sent it but for when: it asks the same address for each of 14 authors. */
export async function sendAuthors(dsn: string): Promise<void> {
  const file = new URL(
    '../../fixtures/sentry-event-samples/transaction-n-plus-one-api-call.json',
    import.meta.url,
  )
  const event = JSON.parse(readFileSync(file, 'utf8')) as Sent
  const later = Date.now() / 1000 - 30 - event.timestamp
  for (const each of [event, ...event.spans]) {
    each.timestamp += later
    each.start_timestamp += later
  }
  await sendTransaction(dsn, { ...event, event_id: newEventId() })
}
