import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings, readProjectSettings } from '@sonde/stores'
import fc from 'fast-check'

const words = fc.array(fc.string())
const settings: fc.Arbitrary<ProjectSettings> = fc.record({
  filters: fc.record({
    browserExtensions: fc.boolean(),
    localhost: fc.boolean(),
    crawlers: fc.boolean(),
    releases: words,
    messages: words,
  }),
  scrub: fc.record({
    enabled: fc.boolean(),
    sensitiveFields: words,
    safeFields: words,
    scrubIp: fc.boolean(),
  }),
})

test('what was written is read again', () => {
  fc.assert(
    fc.property(settings, (given) => {
      // fast-check's records have no prototype.
      assert.deepEqual(readProjectSettings(JSON.stringify(given)), JSON.parse(JSON.stringify(given)))
    }),
  )
})

test('whatever lies in the row, settings come out of it', () => {
  const shape = Object.keys(DEFAULT_PROJECT_SETTINGS.scrub).toSorted()
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const read = readProjectSettings(text)
      assert.deepEqual(Object.keys(read.scrub).toSorted(), shape)
      assert.equal(typeof read.filters.localhost, 'boolean')
    }),
  )
  assert.deepEqual(readProjectSettings(undefined), DEFAULT_PROJECT_SETTINGS)
  assert.deepEqual(readProjectSettings('{"scrub":{"enabled":"no","safeFields":[1,"a"]}}').scrub, {
    ...DEFAULT_PROJECT_SETTINGS.scrub,
    safeFields: ['a'],
  })
})
