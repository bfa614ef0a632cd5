import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DEFAULT_PROJECT_SETTINGS,
  GROUPING_VERSIONS,
  type ProjectSettings,
  readProjectSettings,
  samplingRuleName,
} from '@sonde/stores'
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
    maskReplayTexts: fc.boolean(),
    maskReplayInputs: fc.boolean(),
  }),
  sampling: fc.record({
    rules: fc.array(
      fc.record({
        route: fc.string(),
        op: fc.string(),
        release: fc.string(),
        environment: fc.string(),
        // JSON knows no negative nothing.
        rate: fc.double({ min: 0, max: 1, noNaN: true }).map((rate) => Math.abs(rate)),
      }),
    ),
    sampleMeasured: fc.boolean(),
  }),
  grouping: fc.record({
    fingerprintRules: fc.string(),
    stackRules: fc.string(),
    version: fc.constantFrom(...GROUPING_VERSIONS),
    previous: fc.option(fc.record({ version: fc.constantFrom(...GROUPING_VERSIONS), untilMs: fc.nat() }), {
      nil: null,
    }),
  }),
  noise: fc.record({
    actions: fc.record(
      { bot: fc.constantFrom('thin' as const, 'drop' as const), offline: fc.constant('thin' as const) },
      { requiredKeys: [] },
    ),
    fullPerDay: fc.constantFrom(0, 100, 5_000, 10_000_000),
  }),
  aiPrices: fc.array(
    fc.record({ model: fc.string(), input: fc.nat({ max: 1000 }), output: fc.nat({ max: 1000 }) }),
    { maxLength: 50 },
  ),
  detectors: fc.record(
    {
      performance_slow_db_query: fc.record({
        isOn: fc.constant(false),
        thresholds: fc.record({ min_duration_ms: fc.integer({ min: 1001, max: 60_000 }) }),
      }),
    },
    { requiredKeys: [] },
  ),
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

test('a sampling rule that makes no sense is left out, and never drops what it should not', () => {
  const rules = [{ route: '/a', rate: 0.5 }, { route: '/b', rate: 2 }, { route: '/c' }, 'drop', { rate: 0 }]
  const read = readProjectSettings(JSON.stringify({ sampling: { rules, sampleMeasured: 'yes' } })).sampling
  assert.deepEqual(read, {
    rules: [
      { route: '/a', op: '', release: '', environment: '', rate: 0.5 },
      { route: '', op: '', release: '', environment: '', rate: 0 },
    ],
    sampleMeasured: false,
  })
})

test('outcomes call a rule by its patterns, whatever its place in the list', () => {
  const all = { route: '', op: '', release: '', environment: '', rate: 0.1 }
  assert.equal(samplingRuleName({ ...all, route: '/health*' }), '/health*')
  assert.equal(samplingRuleName({ ...all, op: 'http.*', release: 'shop@1.*' }), 'op:http.* release:shop@1.*')
  assert.equal(samplingRuleName({ ...all, route: '/', environment: 'dev' }), '/ env:dev')
  assert.equal(samplingRuleName(all), 'everything')
  assert.equal(samplingRuleName({ ...all, route: 'x'.repeat(500) }).length, 200)
})
