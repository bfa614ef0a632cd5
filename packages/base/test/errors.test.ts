import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../src/index.ts'

test('a configuration error names the setting first', () => {
  assert.equal(new ConfigError('PORT', '"x" is not allowed').message, 'PORT: "x" is not allowed')
})
