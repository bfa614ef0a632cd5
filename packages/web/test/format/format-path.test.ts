import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortenPath } from '../../src/parts/event/frame-line.tsx'

test('a path is cut at its beginning, at a slash where one is near', () => {
  assert.equal(shortenPath('src/cart.ts', 20), 'src/cart.ts')
  assert.equal(shortenPath('/srv/app/packages/checkout/src/cart.ts', 24), '…/checkout/src/cart.ts')
  assert.equal(shortenPath('a'.repeat(50), 10), `…${'a'.repeat(9)}`)
})
