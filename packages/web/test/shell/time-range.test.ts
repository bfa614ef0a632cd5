import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRange, keepRange, rangeName, usualPeriod } from '../../src/shell/time-range.ts'

const at = (text: string) => new URLSearchParams(text)

test('a link keeps environments and time, and nothing else of the address', () => {
  const here = at('query=a&environment=prod&environment=b%20c&statsPeriod=7d&cursor=1:2:0')
  assert.equal(
    keepRange('/acme/shop/issues', here),
    '/acme/shop/issues?statsPeriod=7d&environment=prod&environment=b+c',
  )
  assert.equal(
    keepRange('/acme/shop/issues/SHOP-1#tags', at('start=2026-01-01T00:00&end=2026-01-02T00:00')),
    '/acme/shop/issues/SHOP-1?start=2026-01-01T00%3A00&end=2026-01-02T00%3A00#tags',
  )
  assert.equal(keepRange('/acme', at('environment=&statsPeriod=')), '/acme')
})

test('what a link says itself stays', () => {
  assert.equal(
    keepRange('/a/b/issues?query=x&statsPeriod=1h', at('start=1&end=2&environment=prod')),
    '/a/b/issues?query=x&statsPeriod=1h&environment=prod',
  )
  assert.equal(
    keepRange('/a/b/issues?environment=dev', at('environment=prod')),
    '/a/b/issues?environment=dev',
  )
})

test('a change of the range begins at the first page and replaces the other way of saying it', () => {
  const here = at('query=a&start=1&end=2&cursor=1:2:0&environment=prod')
  assert.equal(changeRange(here, { statsPeriod: '24h' }), '?query=a&environment=prod&statsPeriod=24h')
  assert.equal(
    changeRange(at('statsPeriod=24h&cursor=1:2:0'), { range: { start: 'a', end: 'b' } }),
    '?start=a&end=b',
  )
  assert.equal(changeRange(here, { environments: [] }), '?query=a&start=1&end=2')
  assert.equal(changeRange(at('statsPeriod=24h'), { statsPeriod: '' }), '')
})

test('a range is named in words', () => {
  assert.equal(rangeName(at(''), ''), 'All time')
  assert.equal(rangeName(at(''), '7d'), 'Last 7 days')
  assert.equal(rangeName(at('statsPeriod=14d'), '7d'), 'Last 14 days')
  assert.equal(rangeName(at('statsPeriod=36h'), ''), 'Last 36h')
  assert.equal(rangeName(at('statsPeriod=<b>'), ''), 'All time')
  assert.equal(
    rangeName(at('start=2026-11-03T10:00:00Z&end=2026-11-05T12:30'), '7d'),
    '2026-11-03 10:00 – 2026-11-05 12:30 UTC',
  )
})

test('screens of performance look at the last 7 days unless told otherwise, those of issues at everything', () => {
  for (const screen of [
    '/[org]/[project]/vitals',
    '/[org]/explore',
    '/[org]/[project]/performance/transaction',
  ])
    assert.equal(usualPeriod(screen), '7d')
  for (const screen of ['/[org]/[project]/issues', '/[org]/issues', '/[org]/[project]/performances'])
    assert.equal(usualPeriod(screen), '')
})
