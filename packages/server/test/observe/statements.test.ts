import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, inScope, noTracer } from '@sonde/base'
import type { Telemetry } from '@sonde/stores'
import { createSlowStatements, observeStatements, type SlowStatement } from '../../src/observe/statements.ts'

const statement = (given: Partial<SlowStatement>): SlowStatement => ({
  name: 'query events 1',
  origin: 'GET /acme',
  requestId: undefined,
  atMs: 0,
  tookMs: 300,
  rows: 1,
  hasFailed: false,
  ...given,
})

test('the slowest of an hour are kept, each statement of a page once', () => {
  let nowMs = 0
  const slow = createSlowStatements(() => nowMs)
  slow.add(statement({ tookMs: 300 }))
  slow.add(statement({ tookMs: 900, requestId: 'r2' }))
  slow.add(statement({ tookMs: 500, requestId: 'r3' }))
  slow.add(statement({ tookMs: 400, origin: 'job alerts' }))
  assert.deepEqual(
    slow.list().map(({ tookMs, requestId, origin }) => [tookMs, requestId, origin]),
    [
      [900, 'r2', 'GET /acme'],
      [400, undefined, 'job alerts'],
    ],
  )
  nowMs = 3_600_000
  assert.deepEqual(slow.list(), [])
  for (let count = 0; count < 100; count++)
    slow.add(statement({ name: `query ${count}`, atMs: nowMs, tookMs: 200 + count }))
  assert.equal(slow.list().length, 20)
  assert.equal(slow.list()[0]?.tookMs, 299)
})

test('a slow statement is named by its tables and its asker, without a value, also when it fails; others cost nothing', async () => {
  const metrics = createMetrics()
  const slow = createSlowStatements(() => 0)
  let monotonicMs = 0
  let answer: () => Promise<unknown[]> = async () => [{}, {}]
  const telemetry = observeStatements(
    { query: () => answer(), shardWeights: [1, 2] } as unknown as Telemetry,
    {
      tracer: noTracer,
      metrics,
      slow,
      nowMs: () => 5,
      monotonicMs: () => monotonicMs,
    },
  )
  assert.deepEqual(telemetry.shardWeights, [1, 2])
  await telemetry.query('SELECT 1 FROM events')
  assert.deepEqual(slow.list(), [])
  answer = async () => {
    monotonicMs += 210
    return [{}, {}, {}]
  }
  const scope = { requestId: 'r1', origin: 'GET /acme/[id]' }
  const ask = () =>
    telemetry.query('SELECT x FROM issues WHERE user = {user:String}', { user: 'anna@example.com' })
  await inScope(scope, ask)
  const [found] = slow.list()
  assert.match(found?.name ?? '', /^query issues [\da-f]{12}$/)
  assert.deepEqual(
    [found?.origin, found?.requestId, found?.rows, found?.hasFailed],
    ['GET /acme/[id]', 'r1', 3, false],
  )
  assert.doesNotMatch(JSON.stringify(slow.list()), /anna/)
  answer = () => Promise.reject(new Error('no memory'))
  await assert.rejects(ask(), /no memory/)
  assert.match(await metrics.text(), /sonde_telemetry_statement_failures_total\{kind="query"\} 1/)
})
