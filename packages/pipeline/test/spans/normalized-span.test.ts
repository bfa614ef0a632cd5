/** What spans did, without values: by shape, and of SDKs' own payloads. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { hostOf, normalizeAsset, normalizedSpan, normalizeKey } from '../../src/spans/normalized-span.ts'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from './row-cells.ts'
import { RECEIVED, spanInput } from './span-input-of.ts'

type Sent = { timestamp: number; start_timestamp: number; spans: Sent[] }

/** As the SDK sent it, but for when. */
function fixture(name: string): Sent {
  const file = new URL(`../../../../fixtures/sentry-event-samples/${name}.json`, import.meta.url)
  const event = JSON.parse(readFileSync(file, 'utf8')) as Sent
  const later = RECEIVED - 10 - event.timestamp
  for (const each of [event, ...event.spans]) {
    each.timestamp += later
    each.start_timestamp += later
  }
  return event
}

/** How often each answer came, by op. */
function answersOf(name: string): Record<string, number> {
  const processed = SPAN_STAGES.run(spanInput({ payload: JSON.stringify(fixture(name)) }), new Map())
  assert.ok(!isDropped(processed))
  const answers: Record<string, number> = {}
  for (const { op, normalized_name: text, peer, result } of cells('spans', processed)) {
    if (text === '') continue
    const key = [op, text, peer, result].join(' | ')
    answers[key] = (answers[key] ?? 0) + 1
  }
  return answers
}

describe('normalized spans', () => {
  test('a file loses what its build put into its name, and keeps what people did', () => {
    for (const [given, normalized] of [
      ['/assets/cart-B3kx81Qz.js', '/assets/cart-*.js'],
      ['/assets/ProductPage-DiwrgTda.css', '/assets/ProductPage-*.css'],
      ['/assets/index-B_x3-kQa.js?v=3', '/assets/index-*.js'],
      ['main.3f2a9c81.chunk.css', 'main.*.chunk.css'],
      ['/_next/static/kC9bYv1XhTzqPq0w3ZsXy/_buildManifest.js', '/_next/static/*/_buildManifest.js'],
      ['/_next/static/chunks/2117-6d1f2a3b4c5d6e7f.js', '/_next/static/chunks/2117-*.js'],
      ['/img/my-calendar.svg', '/img/my-calendar.svg'],
      ['/img/hero-large@2x.avif', '/img/hero-large@2x.avif'],
      ['/products/1234/photo.jpg', '/products/*/photo.jpg'],
      ['https://cdn.example/lib/3.7.1/jquery.min.js', 'https://cdn.example/lib/3.7.1/jquery.min.js'],
      ['data:image/png;base64,AAAA', 'data:*'],
      ['', ''],
    ] as const)
      assert.equal(normalizeAsset(given), normalized)
  })

  test('a key of a cache loses numbers, hashes and addresses of mail', () => {
    for (const [given, normalized] of [
      ['user:42:cart', 'user:*:cart'],
      ['session:9f8e7d6c5b4a', 'session:*'],
      ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '*'],
      ['mail:ann@example.com', 'mail:*'],
      ['prices', 'prices'],
      ['views.decorators.cache.header', 'views.decorators.cache.header'],
    ] as const)
      assert.equal(normalizeKey(given), normalized)
  })

  test('a host is without user, port and case', () => {
    assert.equal(hostOf('GET https://ann:secret@API.example:8443/v1'), 'api.example')
    assert.equal(hostOf('GET //cdn.example?x'), 'cdn.example')
    assert.equal(hostOf('GET /v1'), '')
    assert.equal(hostOf('https://[::1]:80/x'), '[::1]')
  })

  test('each kind of span says what it did, with whom, and how it ended', () => {
    const of = (op: string, name: string, attributes: Record<string, string | number> = {}) => {
      const { normalizedName, peer, result } = normalizedSpan({ op, name, attributes })
      return [normalizedName, peer, result]
    }
    assert.deepEqual(
      of('db.sql.query', "SELECT * FROM a WHERE b = 'x' AND c IN (1, 2)", { 'db.system': 'mysql' }),
      ['SELECT * FROM a WHERE b = ? AND c IN (?)', 'mysql', ''],
    )
    assert.deepEqual(
      of('http.client', 'POST https://pay.example/v1/charges/9f8e7d6c5b?x=1', {
        'http.response.status_code': 503,
      }),
      ['POST https://pay.example/v1/charges/*', 'pay.example', '503'],
    )
    // Streamed by browser SDKs, whose names hold no path.
    assert.deepEqual(
      of('http.client', 'GET shop.example', { 'url.full': 'https://shop.example/api/orders/42?x=1' }),
      ['GET https://shop.example/api/orders/*', 'shop.example', ''],
    )
    assert.deepEqual(of('http.client', 'GET /api/cart', { 'http.url': 'https://shop.example/api/cart' }), [
      'GET /api/cart',
      'shop.example',
      '',
    ])
    assert.deepEqual(of('resource.css', '/a.css', { 'resource.render_blocking_status': 'blocking' }), [
      '/a.css',
      '',
      'blocking',
    ])
    // Python's is a list of keys, JavaScript's too, PHP's a text.
    assert.deepEqual(of('cache.get', 'x', { 'cache.key': '["user:1","user:2"]', 'cache.hit': 'true' }), [
      'user:*',
      '',
      'hit',
    ])
    assert.deepEqual(of('cache.put', 'user:7'), ['user:*', '', ''])
    assert.deepEqual(
      of('queue.process', 'x', { 'messaging.destination.name': 'orders', 'messaging.system': 'kafka' }),
      ['orders', 'kafka', ''],
    )
    assert.deepEqual(of('ui.react.render', 'SELECT 1'), ['', '', ''])
    const numbers = normalizedSpan({
      op: 'queue.process',
      name: '',
      attributes: { 'messaging.message.receive.latency': -3, 'messaging.message.body.size': 1e300 },
    })
    assert.deepEqual([numbers.waitMs, numbers.bytes], [undefined, 1e13])
  })

  test('payloads of SDKs come to few statements, hosts and files', () => {
    assert.deepEqual(answersOf('transaction-consecutive-db-queries'), {
      'db | SELECT `customer`.`id` FROM `customers` WHERE `customer`.`name` = ? |  | ': 1,
      'db | SELECT COUNT(*) FROM `customers` |  | ': 1,
      'db | SELECT COUNT(*) FROM `items` |  | ': 1,
    })
    const page = answersOf('transaction-n-plus-one-api-call')
    assert.equal(page['http.client | GET http://127.0.0.1:3000/author/*/book | 127.0.0.1 | 200'], 14)
    assert.equal(page['resource.script | /_next/static/chunks/pages/_app.js |  | '], 1)
    assert.equal(Object.keys(page).length, 10)
  })
})
