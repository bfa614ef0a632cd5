import assert from 'node:assert/strict'
import { test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }
import { SDK_VERSION } from '../src/version.ts'

test('envelopes name the version that is published', () => {
  assert.equal(SDK_VERSION, manifest.version)
})
