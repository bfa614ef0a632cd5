/**
 * What the API answers. Some of it is slow, fails or hangs on purpose: an example without faults shows nothing.
 * Every handler gets `{ params, query, body, user }` and returns JSON, or throws.
 */
import { setTimeout as wait } from 'node:timers/promises'
import * as Sentry from '@sentry/node'
import { categories, picture, products } from './catalogue.mjs'

export class HttpError extends Error {
  constructor(status, message) {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}

class PaymentDeclined extends Error {
  constructor(code, orderId) {
    super(`The payment provider declined order ${orderId} (${code})`)
    this.name = 'PaymentDeclined'
    this.status = 502
  }
}

/** Cart lines by visitor: a few hundred visitors at most, the oldest go first. */
const carts = new Map()
const MAX_CARTS = 1_000
let orders = 18_200

const GOOD = [
  { by: 'Marta', stars: 5, text: 'Bought one for home and one for the office.' },
  { by: 'Jonas', stars: 4, text: 'Lovely, if a little smaller than I thought.' },
]
/** By category. */
const REVIEWS = {
  kettles: { rows: GOOD },
  brewing: { rows: GOOD.slice(0, 1) },
  grinders: { rows: GOOD },
  cups: { rows: GOOD.slice(1) },
}

/** Answers like a database a network hop away. */
const query = (name, ms) =>
  Sentry.startSpan({ name, op: 'db.query', attributes: { 'db.system': 'postgresql' } }, () =>
    wait(ms * (0.7 + Math.random() * 0.6)),
  )

/** Answers like another service. */
const ask = (name, ms) =>
  Sentry.startSpan(
    {
      name,
      op: 'http.client',
      attributes: {
        'http.request.method': name.split(' ')[0],
        'server.address': new URL(name.split(' ')[1]).hostname,
        'http.response.status_code': 200,
      },
    },
    () => wait(ms),
  )

/** Keys of a cache a network hop away, with when they end: a minute later. */
const cache = new Map()
const MAX_KEYS = 1_000

/** What is under the key, or what `load` gives, which is then kept. */
async function cached(key, load) {
  const place = { 'cache.key': key, 'network.peer.address': 'cache.internal' }
  const found = await Sentry.startSpan({ name: key, op: 'cache.get', attributes: place }, async (span) => {
    await wait(1 + Math.random() * 2)
    const kept = cache.get(key)
    const hit = kept !== undefined && kept.until > Date.now()
    Sentry.metrics.count('cache.lookups', 1, { attributes: { result: hit ? 'hit' : 'miss' } })
    span.setAttribute('cache.hit', hit)
    if (hit) span.setAttribute('cache.item_size', kept.size)
    return hit ? kept : undefined
  })
  if (found) return found.value
  const value = await load()
  const size = JSON.stringify(value).length
  await Sentry.startSpan(
    { name: key, op: 'cache.put', attributes: { ...place, 'cache.item_size': size } },
    () => wait(1 + Math.random() * 2),
  )
  if (cache.size >= MAX_KEYS) cache.clear()
  cache.set(key, { value, size, until: Date.now() + 60_000 })
  return value
}

/** Puts a message into a queue, and processes it a moment later, as a worker would that runs elsewhere. */
async function publish(queue, body, work) {
  const place = {
    'messaging.system': 'kafka',
    'messaging.destination.name': queue,
    'messaging.message.body.size': JSON.stringify(body).length,
  }
  const trace = await Sentry.startSpan({ name: queue, op: 'queue.publish', attributes: place }, async () => {
    await wait(2 + Math.random() * 4)
    return Sentry.getTraceData()
  })
  const publishedMs = Date.now()
  setTimeout(
    () => {
      const latency = { 'messaging.message.receive.latency': Date.now() - publishedMs }
      void Sentry.continueTrace({ sentryTrace: trace['sentry-trace'], baggage: trace.baggage }, () =>
        Sentry.startSpan(
          {
            name: `process ${queue}`,
            op: 'queue.process',
            forceTransaction: true,
            attributes: { ...place, ...latency },
          },
          work,
        ),
      ).catch(() => undefined)
    },
    200 + Math.random() * 1_500,
  ).unref()
}

function find(id) {
  const product = products.find((known) => known.id === id)
  if (!product) throw new HttpError(404, `there is no product ${id}`)
  return product
}

export const ROUTES = [
  [
    'GET',
    '/api/products',
    async ({ query: { category } }) => {
      await query('SELECT id, name, price FROM product WHERE category = $1', 18)
      return {
        categories,
        products: products.filter((product) => !category || product.category === category),
      }
    },
  ],
  [
    'GET',
    '/api/products/:id',
    async ({ params }) => {
      const product = find(params.id)
      // On purpose: its price is asked of a supplier, which takes its time.
      if (product.id === 'slow-drip-tower') {
        Sentry.logger.warn(
          Sentry.logger.fmt`the price of ${product.id} is older than an hour, the supplier is asked`,
        )
        await ask('GET https://supplier.example/prices', 2_200)
      }
      return cached(`product:${product.id}`, async () => {
        await query('SELECT * FROM product WHERE id = $1', 12)
        return product
      })
    },
  ],
  [
    'GET',
    '/api/products/:id/reviews',
    async ({ params }) => {
      const product = find(params.id)
      await query('SELECT * FROM review WHERE product_id = $1 ORDER BY created DESC LIMIT 20', 30)
      // On purpose: reviews of coffee were never moved to the new tables, and this asks for them all the same.
      const { rows } = REVIEWS[product.category]
      return rows
    },
  ],
  [
    'GET',
    '/api/products/:id/picture',
    async ({ params }) => {
      await wait(20 + Math.random() * 60)
      return { type: 'image/svg+xml', text: picture(find(params.id)) }
    },
  ],
  [
    'GET',
    '/api/cart',
    async ({ user }) => {
      await query('SELECT * FROM cart_line WHERE visitor = $1', 10)
      return linesOf(user)
    },
  ],
  [
    'POST',
    '/api/cart',
    async ({ user, body }) => {
      const product = find(body?.id)
      await query('INSERT INTO cart_line …', 14)
      const lines = linesOf(user).filter(({ id }) => id !== product.id)
      if (body.count > 0)
        lines.push({ id: product.id, name: product.name, price: product.price, count: body.count })
      carts.delete(user)
      carts.set(user, lines)
      if (carts.size > MAX_CARTS) carts.delete(carts.keys().next().value)
      Sentry.metrics.gauge('carts.open', carts.size)
      return lines
    },
  ],
  [
    'POST',
    '/api/orders',
    async ({ user, body }) => {
      const lines = linesOf(user)
      if (lines.length === 0) throw new HttpError(422, 'the cart is empty')
      const orderId = `KC-${++orders}`
      await query('BEGIN; INSERT INTO "order" …', 25)
      await ask('POST https://payments.example/charges', 180 + Math.random() * 240)
      // On purpose: cards that end in 0002 are declined, and nobody handles that.
      if (String(body?.card ?? '').endsWith('0002')) {
        Sentry.metrics.count('orders.declined', 1, { attributes: { reason: 'insufficient_funds' } })
        throw new PaymentDeclined('insufficient_funds', orderId)
      }
      carts.delete(user)
      Sentry.logger.info(Sentry.logger.fmt`order ${orderId} placed with ${lines.length} lines`)
      await publish('orders', { orderId }, async () => {
        await query('UPDATE stock SET count = count - 1 WHERE product_id = $1', 15)
        // On purpose: one mail in ten is not taken.
        if (Math.random() < 0.1) throw new Error(`The mail of order ${orderId} was refused`)
        await ask('POST https://mail.example/v1/messages', 40 + Math.random() * 60)
      })
      const total = lines.reduce((sum, { price, count }) => sum + price * count, 0)
      Sentry.metrics.count('orders.placed')
      Sentry.metrics.distribution('orders.total', total / 100, {
        unit: 'euro',
        attributes: { lines: lines.length },
      })
      return { orderId, total }
    },
  ],
  [
    'GET',
    '/api/orders',
    async ({ user }) => {
      await query('SELECT * FROM "order" WHERE visitor = $1', 20)
      return [{ orderId: `KC-${17_000 + ((user.length * 37) % 900)}`, total: 7_890, at: '2026-10-02' }]
    },
  ],
  // On purpose: never answers. A lock that nobody gives back looks like this.
  ['GET', '/api/invoices', () => new Promise(() => undefined)],
  [
    'GET',
    '/api/recommendations',
    async () => {
      Sentry.logger.debug('cache miss: recommendations are computed', { 'cache.hit': false })
      // On purpose: one in eight times out behind us.
      if (Math.random() < 0.125)
        throw new HttpError(503, 'the recommendation service did not answer within 500 ms')
      await wait(60 + Math.random() * 200)
      return products.toSorted(() => Math.random() - 0.5).slice(0, 3)
    },
  ],
]

function linesOf(user) {
  return carts.get(user) ?? []
}
