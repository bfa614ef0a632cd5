import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { endpointOf } from '../../src/navigation/traffic.ts'

describe('endpoints', () => {
  before(() => {
    globalThis.location = { href: 'https://shop.example/orders', origin: 'https://shop.example' } as Location
  })

  const cases: [string, string][] = [
    ['/api/orders/17', '/api/orders/[id]'],
    ['/api/orders/17/items/18?page=2#x', '/api/orders/[id]/items/[id]'],
    ['/api/v2/orders', '/api/v2/orders'],
    ['/api/orders/0193b2c4-1f2e-7aaa-8bbb-0123456789ab', '/api/orders/[id]'],
    ['/api/blobs/9f86d081884c7d65', '/api/blobs/[id]'],
    ['/api/cafebabe', '/api/cafebabe'],
    ['/people/ada1@example.com', '/people/[id]'],
    ['https://cdn.example/app/7', 'cdn.example/app/[id]'],
    ['https://shop.example/orders.data', '/orders.data'],
  ]
  for (const [url, wanted] of cases)
    it(`names ${url} as ${wanted}`, () => {
      assert.equal(endpointOf(url), wanted)
    })
})
