import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readExploreSearch, sortOf, withExplore } from '../../../src/parts/explore/explore-search.ts'
import { termFor } from '../../../src/parts/explore/term-for.ts'

const read = (text: string) => readExploreSearch(new URLSearchParams(text))

test('an address without anything groups by kind of work', () => {
  assert.deepEqual(read(''), {
    query: '',
    view: 'groups',
    groupBy: ['op'],
    measures: ['count()', 'p50(duration)', 'p95(duration)', 'failure_rate()'],
    sort: '',
    page: 1,
  })
})

test('empty fields are left out, and none at all means none', () => {
  assert.deepEqual(read('group=&group=release&group=').groupBy, ['release'])
  assert.deepEqual(read('group=').groupBy, [])
  assert.deepEqual(read('measure=').measures, ['count()'])
  assert.equal(read('group=a&group=b&group=c&group=d').groupBy.length, 3)
  assert.deepEqual(read('page=-3&view=x').page, 1)
})

test('any address is read', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (text) => {
      const search = read(text)
      assert.ok(search.page >= 1 && search.measures.length >= 1 && search.groupBy.length <= 3)
    }),
  )
})

test('the first measure falls unless the address says otherwise', () => {
  const measures = ['p95(duration)', 'count()']
  assert.deepEqual(sortOf({ sort: '', measures }), { field: 'p95(duration)', isDescending: true })
  assert.deepEqual(sortOf({ sort: '-count()', measures }), { field: 'count()', isDescending: true })
  assert.deepEqual(sortOf({ sort: 'op', measures }), { field: 'op', isDescending: false })
})

test('another sort begins at the first page and keeps the rest', () => {
  const params = new URLSearchParams('query=op:db&page=3&statsPeriod=24h&environment=a&environment=b')
  assert.equal(
    withExplore(params, { sort: '-count()' }),
    '?query=op%3Adb&statsPeriod=24h&environment=a&environment=b&sort=-count%28%29',
  )
})

test('a press on a group becomes a term that means it', () => {
  assert.equal(termFor('op', 'db'), 'op:db')
  assert.equal(termFor('name', 'SELECT "a" * \\'), 'name:"SELECT \\"a\\" \\* \\\\"')
  assert.equal(termFor('release', ''), '!has:release')
  assert.equal(termFor('odd key', null), '!has:"tags[odd key]"')
  assert.equal(termFor('is_transaction', true), 'is_transaction:true')
  assert.equal(termFor('code', '>5'), 'code:">5"')
})
