import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  readListSearch,
  STATUSES,
  statusOf,
  toSearch,
  usualOf,
  withStatus,
} from '../../../src/parts/issue-list/list-search.ts'

const read = (text: string) => readListSearch(new URLSearchParams(text))

test('an address without a search asks for what is unresolved, last seen first', () => {
  assert.deepEqual(read(''), {
    query: 'is:unresolved',
    sort: 'date',
    statsPeriod: '',
    start: undefined,
    end: undefined,
    environments: [],
    cursor: undefined,
    usual: { query: 'is:unresolved', sort: 'date' },
  })
})

test('a list that begins with another search says only in addresses what differs from it', () => {
  const usual = usualOf({ query: 'assigned:me', sort: 'priority' })
  const begun = (text: string) => readListSearch(new URLSearchParams(text), usual)
  assert.deepEqual([begun('').query, begun('').sort], ['assigned:me', 'priority'])
  // Whoever has another default reads the same address alike.
  assert.equal(begun('query=is:unresolved').sort, 'date')
  const change = (text: string, to: Parameters<typeof toSearch>[1]) => {
    const { query, sort } = toSearch(begun(text), to)
    return [query, sort]
  }
  assert.deepEqual(change('', {}), [undefined, undefined])
  assert.deepEqual(change('', { sort: 'date' }), [undefined, 'date'])
  assert.deepEqual(change('', { query: 'is:unresolved' }), ['is:unresolved', 'priority'])
  assert.deepEqual(change('query=is:unresolved', { query: 'assigned:me', sort: 'priority' }), [
    undefined,
    undefined,
  ])
  for (const text of ['', 'query=a', 'query=a&sort=priority', 'sort=date', 'query=assigned:me'])
    for (const to of [{}, { query: 'b' }, { sort: 'freq' as const }, { query: 'assigned:me' }]) {
      const wanted = { ...begun(text), ...to }
      const { query, sort } = toSearch(begun(text), to)
      const params = new URLSearchParams({ ...(query !== undefined && { query }), ...(sort && { sort }) })
      const { query: read, sort: order } = readListSearch(params, usual)
      assert.deepEqual([read, order], [wanted.query, wanted.sort], `${text} ${JSON.stringify(to)}`)
    }
  assert.deepEqual(usualOf({ query: 'x', sort: 'gone' }), { query: 'x', sort: 'date' })
})

test('an empty query asks for everything and is not the default', () => {
  assert.equal(read('query=').query, '')
  assert.equal(toSearch(read('query=')).query, '')
})

test('unknown sorts and periods fall back', () => {
  assert.deepEqual(read('sort=hot&statsPeriod=5y'), read(''))
})

test('two times are one range however they are written, and then no period', () => {
  const { start, end, statsPeriod } = read(
    'start=2026-01-02T10:00:00%2B04:00&end=2026-01-02T06:00:00.500Z&statsPeriod=24h',
  )
  assert.deepEqual([start, end, statsPeriod], ['2026-01-02T06:00:00Z', '2026-01-02T06:00:00.500Z', ''])
  assert.equal(read('start=2026-01-02T06:00&end=2026-01-02T07:00').start, '2026-01-02T06:00:00Z')
  const backwards = read('start=2026-01-02T07:00:00Z&end=2026-01-02T06:59:59.999Z&statsPeriod=24h')
  assert.deepEqual([backwards.start, backwards.end, backwards.statsPeriod], [undefined, undefined, '24h'])
})

test('a change begins at the first page; the rest of the search stays', () => {
  const search = read(
    'query=a&sort=freq&statsPeriod=24h&cursor=1:2:0&environment=prod&environment=&environment=prod',
  )
  assert.deepEqual(toSearch(search, { sort: 'new' }), {
    query: 'a',
    sort: 'new',
    statsPeriod: '24h',
    start: undefined,
    end: undefined,
    environments: ['prod'],
    cursor: undefined,
  })
  assert.equal(toSearch(search, { cursor: '9:9:0' }).cursor, '9:9:0')
})

test('defaults are not in the address', () => {
  assert.deepEqual(toSearch(read('query=is:unresolved&sort=date')), {
    query: undefined,
    sort: undefined,
    statsPeriod: '',
    start: undefined,
    end: undefined,
    environments: [],
    cursor: undefined,
  })
})

test('the status of a query is known, and can be changed without touching its other terms', () => {
  assert.equal(statusOf('level:error is:resolved cart'), 'resolved')
  assert.equal(statusOf('is:new'), 'all')
  assert.equal(statusOf('!is:resolved'), undefined)
  assert.equal(statusOf('is:resolved is:ignored'), undefined)
  assert.equal(
    withStatus('level:error is:resolved cart', 'ignored'),
    'is:ignored level:error  cart'.replace('  ', ' '),
  )
  assert.equal(withStatus('is:unresolved', 'all'), '')
  assert.equal(withStatus('"is:resolved"', 'resolved'), 'is:resolved "is:resolved"')
})

test('every tab leads to a query of that status', () => {
  for (const { id } of STATUSES) assert.equal(statusOf(withStatus('!is:ignored level:fatal', id)), id)
})
