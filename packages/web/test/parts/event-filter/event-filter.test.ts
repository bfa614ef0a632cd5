import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  filterSearch,
  hasTerm,
  isNarrowed,
  NO_FILTER,
  readEventFilter,
  spanOf,
  toggleTerm,
} from '../../../src/parts/event-filter/event-filter.ts'
import { searchTerm } from '../../../src/parts/issue/issue-links.ts'

const read = (search: string) => readEventFilter(new URLSearchParams(search))

test('a filter is read from its address and written the same', () => {
  const search =
    '?query=browser%3AFirefox&environment=prod&environment=qa&start=2026-03-01T10%3A00%3A00Z&end=2026-03-01T12%3A30%3A00Z'
  const filter = read(search)
  assert.deepEqual(filter.range, { fromMs: Date.UTC(2026, 2, 1, 10), toMs: Date.UTC(2026, 2, 1, 12, 30) })
  assert.equal(filterSearch(filter), search)
  assert.equal(filterSearch(read('?statsPeriod=14d')), '?statsPeriod=14d')
  assert.equal(filterSearch(NO_FILTER), '')
})

test('what cannot be read is not there, and a time without a zone is UTC', () => {
  for (const search of [
    '?start=x&end=y',
    '?start=2026-03-02T00:00:00&end=2026-03-01T00:00:00',
    '?statsPeriod=1y',
  ]) {
    assert.equal(isNarrowed(read(search)), false, search)
  }
  assert.equal(read('?start=2026-03-01T00:00:00&end=2026-03-02T00:00:00').range?.fromMs, Date.UTC(2026, 2, 1))
})

test('a period counts back from now, and a span wins over it', () => {
  assert.deepEqual(spanOf(read('?statsPeriod=24h'), 100_000_000), { fromMs: 13_600_000, toMs: undefined })
  const both = read('?statsPeriod=24h&start=2026-03-01T00:00:00Z&end=2026-03-02T00:00:00Z')
  assert.equal(spanOf(both, 0)?.toMs, Date.UTC(2026, 2, 2))
  assert.equal(spanOf(NO_FILTER, 0), undefined)
})

test("a tag's value is added, replaces another value of the tag, and goes when it is pressed again", () => {
  assert.equal(toggleTerm('', 'os:Linux'), 'os:Linux')
  assert.equal(toggleTerm('timeout os:"Mac OS X"', 'os:Linux'), 'timeout os:Linux')
  assert.equal(toggleTerm('"a b" os:Linux', 'os:Linux'), '"a b"')
  assert.equal(toggleTerm('os.name:x', 'os:Linux'), 'os.name:x os:Linux')
  assert.equal(toggleTerm('tags["a:b"]:1', 'tags["a:b"]:2'), 'tags["a:b"]:2')
})

test('pressing any value twice ends where it began', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (key, value) => {
      const term = searchTerm(key, value)
      const once = toggleTerm('timeout', term)
      assert.ok(hasTerm(once, term))
      assert.equal(toggleTerm(once, term), 'timeout')
    }),
    { examples: [['\\', ' ']] },
  )
})
