import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteTransaction, TransactionChange } from '@sonde/queries'
import { byCertainChange, withChanges } from '../../src/routes/[org]/[project]/performance/page.server.ts'

const row = (op: string, name: string): RouteTransaction => ({
  op,
  name,
  count: 1,
  samples: 1,
  perMinute: 1,
  p50: 1,
  p75: 1,
  p95: 1,
  failureRate: 0,
  users: 0,
  miserableUsers: 0,
})
const change = (op: string, name: string, by: number, low: number, high: number): TransactionChange => ({
  op,
  name,
  samples: [100, 90],
  changes: { p75: { change: { kind: 'known', by, low, high }, before: 10 } },
})

test('a change is that of the same kind and name', () => {
  const rows = [row('pageload', '/'), row('navigation', '/'), row('pageload', '/ navigation')]
  const [first, second, third] = withChanges(rows, [change('navigation', '/', 1, 0.5, 2)], 'p75')
  assert.deepEqual([first?.change, third?.change], [undefined, undefined])
  assert.deepEqual([second?.change?.kind, second?.before, second?.samplesBefore], ['known', 10, 90])
})

test('by change means by what is certain: a large one that may be none comes after a small one that is', () => {
  const rows = ['/few', '/unsure', '/faster', '/slower', '/slowest'].map((name) => row('', name))
  const changes = [
    change('', '/unsure', 9, -0.1, 20),
    change('', '/faster', -0.5, -0.6, -0.4),
    change('', '/slower', 0.1, 0.05, 0.15),
    change('', '/slowest', 0.4, 0.3, 0.5),
  ]
  const names = (order: 'asc' | 'desc') =>
    withChanges(rows, changes, 'p75')
      .toSorted(byCertainChange(order))
      .map(({ name }) => name)
  assert.deepEqual(names('desc'), ['/slowest', '/slower', '/few', '/unsure', '/faster'])
  assert.deepEqual(names('asc'), ['/faster', '/few', '/unsure', '/slower', '/slowest'])
})
