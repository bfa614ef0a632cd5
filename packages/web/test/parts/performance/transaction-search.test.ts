import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  readTransactionSearch,
  sortedBy,
  withParams,
  zoomedTo,
} from '../../../src/parts/performance/transaction-search.ts'

const at = (text: string) => new URLSearchParams(text)

test('an address without anything is the most frequent first', () => {
  assert.deepEqual(readTransactionSearch(at('')), {
    op: undefined,
    query: '',
    sort: 'count',
    order: 'desc',
    measure: 'p75',
    page: 1,
  })
})

test('what cannot be read is not there', () => {
  const read = readTransactionSearch(at('sort=; DROP&order=up&compare=p1&page=-3&query=%20%20'))
  assert.deepEqual(
    [read.sort, read.order, read.measure, read.page, read.query],
    ['count', 'desc', 'p75', 1, ''],
  )
  assert.equal(readTransactionSearch(at('page=1e9')).page, 1000)
  assert.equal(readTransactionSearch(at('page=2.5')).page, 1)
})

test('a press on a column sorts by it, another turns it around; both begin at the first page', () => {
  assert.equal(sortedBy(at('page=3&browser=Chrome'), 'p95'), '?browser=Chrome&sort=p95')
  assert.equal(sortedBy(at('sort=p95&page=3'), 'p95'), '?sort=p95&order=asc')
  assert.equal(sortedBy(at('sort=p95&order=asc'), 'p95'), '?sort=p95')
  assert.equal(sortedBy(at(''), 'count'), '?sort=count&order=asc')
  assert.equal(sortedBy(at('sort=p95&order=asc'), 'name'), '?sort=name')
  assert.equal(sortedBy(at('sort=name'), 'name'), '?sort=name&order=desc')
})

test('a page is said, everything else begins at the first', () => {
  assert.equal(withParams(at('page=3&op=db'), { op: undefined }), '')
  assert.equal(withParams(at('op=db'), { page: '2' }), '?op=db&page=2')
})

test('a brush replaces the period by its times and leaves the filters', () => {
  const range = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 1, 6, 0, 0, 500) }
  assert.equal(
    zoomedTo(at('statsPeriod=7d&os=iOS&page=2'), range),
    '?os=iOS&start=2026-01-01T00%3A00%3A00Z&end=2026-01-01T06%3A00%3A00.500Z',
  )
})
