import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceOf } from '../../../src/parts/event/evidence.ts'
import { CAUSES, failedRequestOf } from '../../../src/parts/event/failed-request.ts'

const parts = [
  { from: 'endpoint', value: 'GET /api/cart' },
  { from: 'route', value: '/cart' },
  { from: 'cause', value: 'blocked' },
]

test('a failed request is the word of the reporter, else of grouping, else unknown', () => {
  const told = { endpoint: 'GET /api/orders/[id]', cause: 'offline', wrapped: true }
  assert.deepEqual(failedRequestOf({ contexts: { page_data: told } }, { basis: 'request', parts }), {
    endpoint: 'GET /api/orders/[id]',
    route: '',
    cause: 'offline',
    isWrapped: true,
  })
  assert.deepEqual(failedRequestOf({}, { basis: 'request', parts }), {
    endpoint: 'GET /api/cart',
    route: '/cart',
    cause: 'blocked',
    isWrapped: false,
  })
  assert.equal(failedRequestOf({}, { basis: 'stacktrace', parts }), undefined)
  assert.equal(failedRequestOf({ contexts: { page_data: { endpoint: 7 } } }, undefined), undefined)
  for (const { what, todo } of Object.values(CAUSES)) assert.ok(what.endsWith('.') && todo.endsWith('.'))
})

test('evidence of a navigation that hung is read as far as it makes sense', () => {
  const evidence = (navigation: object) =>
    evidenceOf({
      type: 'performance_hung_navigation',
      contexts: { evidence: { navigation } },
    } as Parameters<typeof evidenceOf>[0])?.navigation
  const id = 'a'.repeat(16)
  const requests = [{ name: 'GET /api/cart', waited_ms: 4800 }, { name: 7 }, null, { name: '/api/old' }]
  assert.deepEqual(evidence({ id, to: '/orders/7', to_route: '/orders/[id]', outcome: 'left', requests }), {
    id,
    from: '',
    to: '/orders/[id]',
    outcome: 'left',
    phase: '',
    trigger: '',
    router: '',
    requests: [
      { name: 'GET /api/cart', waitedMs: 4800 },
      { name: '/api/old', waitedMs: undefined },
    ],
  })
  assert.equal(evidence({ id: '../x' }), undefined)
})
