import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { performanceFilterOf } from '../../../src/parts/filter-bar/filter-of.server.ts'
import {
  chosenOf,
  FILTERS,
  keepFilters,
  toggledValue,
  valuesOf,
  withoutFilters,
  withValues,
} from '../../../src/parts/filter-bar/filter-state.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const at = (text: string) => new URLSearchParams(text)

test('an address says time and any number of values each; empty ones and repetitions say nothing', () => {
  const params = at(
    'statsPeriod=24h&browser=Chrome&browser=Safari&browser=Chrome&os=&environment=prod&device=',
  )
  assert.deepEqual(performanceFilterOf(params, NOW_MS), {
    fromMs: NOW_MS - 86_400_000,
    toMs: NOW_MS + 60_000,
    browser: ['Chrome', 'Safari'],
    environment: ['prod'],
  })
  const range = performanceFilterOf(
    at('start=2026-01-01T00:00:00&end=2026-01-02T00:00:00&statsPeriod=x'),
    NOW_MS,
  )
  assert.deepEqual(range, { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) })
})

test('times that cannot be read mean the last 7 days; of others there is what can have been', () => {
  assert.equal(performanceFilterOf(at('statsPeriod=soon'), NOW_MS).fromMs, NOW_MS - 7 * 86_400_000)
  assert.equal(performanceFilterOf(at('statsPeriod=0d'), NOW_MS).fromMs, NOW_MS - 7 * 86_400_000)
  const longest = performanceFilterOf(at('start=1970-01-01T00:00:00&end=9999-12-31T00:00:00'), NOW_MS)
  assert.deepEqual(longest, { fromMs: longest.toMs - 20 * 365 * 86_400_000, toMs: NOW_MS + 60_000 })
  const toCome = performanceFilterOf(at('start=9000-01-01T00:00:00&end=9999-12-31T00:00:00'), NOW_MS)
  assert.deepEqual(toCome, { fromMs: NOW_MS + 59_999, toMs: NOW_MS + 60_000 })
  assert.equal(performanceFilterOf(at(''), 1000).fromMs, 0)
})

test('the bar shows as many values as are looked for', () => {
  const many = at(Array.from({ length: 150 }, (_, n) => `browser=b${n}`).join('&'))
  assert.deepEqual(performanceFilterOf(many, NOW_MS).browser, valuesOf(many, 'browser'))
})

test('a change of a value begins at the first page and leaves the rest of the address', () => {
  const here = at('sort=p95&browser=Chrome&cursor=1:2:0&page=3&choose=os&statsPeriod=7d')
  assert.equal(
    toggledValue(here, 'browser', 'Safari'),
    '?sort=p95&statsPeriod=7d&browser=Chrome&browser=Safari',
  )
  assert.equal(toggledValue(here, 'browser', 'Chrome'), '?sort=p95&statsPeriod=7d')
  assert.equal(
    withValues(here, 'os', ['', 'Linux', 'Linux']),
    '?sort=p95&browser=Chrome&statsPeriod=7d&os=Linux',
  )
  assert.equal(
    withoutFilters(at('os=a&release=b&environment=prod&statsPeriod=7d')),
    '?environment=prod&statsPeriod=7d',
  )
})

test('a link to another performance screen keeps the filters and nothing else of the address', () => {
  const here = at('sort=p95&browser=Chrome&release=a%26b&cursor=1')
  assert.equal(
    keepFilters('/acme/shop/vitals?statsPeriod=7d', here),
    '/acme/shop/vitals?statsPeriod=7d&release=a%26b&browser=Chrome',
  )
  assert.equal(
    keepFilters('/acme/shop/vitals?browser=Safari#top', here),
    '/acme/shop/vitals?browser=Safari&release=a%26b#top',
  )
  assert.equal(keepFilters('/acme/shop/vitals', at('sort=p95')), '/acme/shop/vitals')
})

test('any value is taken in by a toggle, shown among the chosen, and taken out by the next', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FILTERS),
      fc.string({ minLength: 1, unit: 'grapheme' }),
      ({ id }, value) => {
        const chosen = at(toggledValue(at('statsPeriod=7d'), id, value))
        assert.deepEqual(valuesOf(chosen, id), [value])
        assert.deepEqual(
          chosenOf(chosen).map((each) => [each.filter.id, each.value]),
          [[id, value]],
        )
        assert.equal(toggledValue(chosen, id, value), '?statsPeriod=7d')
      },
    ),
  )
})
