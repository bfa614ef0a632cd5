/** gRPC's code costs memory that a start without its port must not spend. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

const { cache } = createRequire(import.meta.url)
const isLoaded = (): boolean => Object.keys(cache).some((file) => file.includes('/@grpc/grpc-js/'))

test('the modules of the front load no gRPC; its port does', async () => {
  await import('../../src/front/front-modules.ts')
  assert.equal(isLoaded(), false)
  await import('../../src/front/otlp-grpc.ts')
  assert.equal(isLoaded(), true)
})
