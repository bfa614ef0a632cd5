import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { baggageOf, MAX_BAGGAGE_CHARS, mayTrace } from '../../src/tracing/trace-headers.ts'

describe('baggage', () => {
  const dsc = { trace_id: 'a'.repeat(32), release: 'shop@1.2.3, beta', environment: undefined }

  test('the limit is fact R5', () => assert.equal(MAX_BAGGAGE_CHARS, 8192))

  test('what the page set comes first, the context after it, readable by the server', () => {
    const header = baggageOf('cart=7;ttl=1', dsc)
    assert.equal(
      header,
      `cart=7;ttl=1, sentry-trace_id=${dsc.trace_id}, sentry-release=shop%401.2.3%2C%20beta`,
    )
  })

  test('a context that is there already stays alone', () => {
    for (const given of ['sentry-trace_id=b', 'a=1, sentry-trace_id=b', 'a=1,sentry-trace_id=b'])
      assert.equal(baggageOf(given, dsc), given)
    assert.notEqual(baggageOf('not-sentry-trace_id=b', dsc), 'not-sentry-trace_id=b')
  })

  test('it never gets too long, and holds whole members only, as many as fit', () => {
    const member = fc
      .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.integer({ min: 0, max: 5000 }))
      .map(([key, size]) => `${key}=${'x'.repeat(size)}`)
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), fc.string({ maxLength: 3000 }), (members, release) => {
        const whole = baggageOf('', { ...dsc, release })
        const all = [...members, ...(whole ? whole.split(', ') : [])]
        const header = baggageOf(members.join(', '), { ...dsc, release })
        const kept = header === '' ? [] : header.split(', ')
        assert.ok(header.length <= 8192)
        assert.deepEqual(kept, all.slice(0, kept.length))
        if (kept.length < all.length) assert.ok([...kept, all[kept.length]].join(', ').length > 8192)
      }),
    )
  })
})

describe('targets', () => {
  const given = Object.getOwnPropertyDescriptor(globalThis, 'location')
  before(() =>
    Object.defineProperty(globalThis, 'location', {
      value: new URL('https://shop.example/cart'),
      configurable: true,
    }),
  )
  after(() =>
    given
      ? Object.defineProperty(globalThis, 'location', given)
      : Reflect.deleteProperty(globalThis, 'location'),
  )

  for (const [url, targets, expected] of [
    ['https://shop.example/api', undefined, true],
    ['https://api.shop.example/', undefined, false],
    ['http://shop.example/api', undefined, false],
    ['https://shop.example:8443/api', undefined, false],
    ['https://api.example/v1', ['https://api.example'], true],
    ['https://api.example/v1', [/^https:\/\/api\.example\//], true],
    ['https://shop.example/api/orders', [/^\/api\//], true],
    ['https://other.example/api/orders', [/^\/api\//], false],
    ['https://other.example/?to=https://api.example', ['https://api.example'], false],
    ['https://shop.example/api', [], false],
    ['data:text/plain,api', ['api.example'], false],
  ] as const)
    test(`${url} with ${targets ? targets.join(' ') || 'an empty list' : 'nothing listed'}: ${expected ? 'yes' : 'no'}`, () => {
      assert.equal(mayTrace(new URL(url), targets), expected)
    })

  test('an expression that remembers where it was answers the same twice', () => {
    const targets = [/api/g]
    const url = new URL('https://api.example/v1')
    assert.deepEqual([mayTrace(url, targets), mayTrace(url, targets)], [true, true])
  })
})
