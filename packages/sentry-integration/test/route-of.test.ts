import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { routeOf } from '../src/route-of.ts'

/** As SDKs before 11 write a span. */
const named = (description: string, source = 'route') => ({
  spanContext: () => ({ traceId: '', spanId: '', traceFlags: 1 }),
  setAttribute: () => undefined,
  getSpanJSON: () => ({ description, data: { 'sentry.source': source } }),
})

const FITS: readonly (readonly [route: string, path: string])[] = [
  ['/', '/'],
  ['/cart', '/cart'],
  ['/cart', '/cart/'],
  ['/orders/:orderId', '/orders/7'],
  ['/orders/[orderId]/edit', '/orders/7/edit'],
  ['/orders/$orderId', '/orders/7'],
  ['/docs/*', '/docs/a/b'],
  ['/docs/**', '/docs/a'],
  ['/docs/[...slug]', '/docs/a/b'],
  ['/docs/[[...slug]]', '/docs'],
  ['/files/$', '/files/a/b'],
]
const DOES_NOT: readonly (readonly [route: string, path: string])[] = [
  ['/', '/cart'],
  ['/cart', '/orders'],
  ['/orders/:orderId', '/orders'],
  ['/orders/:orderId', '/orders/7/edit'],
  ['/orders/:orderId/edit', '/orders/7/pay'],
  ['/docs/*', '/cart/a'],
  ['', '/'],
]

describe('the route by which the SDK names a span', () => {
  for (const [route, path] of FITS)
    it(`${route} is of ${path}`, () => assert.equal(routeOf(named(route), path), route))
  for (const [route, path] of DOES_NOT)
    it(`${route || 'none'} is not of ${path}`, () => assert.equal(routeOf(named(route), path), undefined))

  it('is found in the form of SDK 11 too', () => {
    const attributes = { 'sentry.segment.name.source': 'route' }
    const span = { ...named(''), getSpanJSON: () => ({ name: '/orders/:id', attributes }) }
    assert.equal(routeOf(span, '/orders/7'), '/orders/:id')
  })

  it('is none when the name is an address, a part of the app, or a span that is not recorded', () => {
    assert.equal(routeOf(named('/cart', 'url'), '/cart'), undefined)
    assert.equal(routeOf(named('/cart', 'component'), '/cart'), undefined)
    const { getSpanJSON: _, ...unrecorded } = named('/cart')
    assert.equal(routeOf(unrecorded, '/cart'), undefined)
  })
})
