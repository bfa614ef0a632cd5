import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TelemetryNode } from '@sonde/stores'
import { clickhousePart } from '../../src/doctor/clickhouse-part.ts'

const GB = 1_000_000_000
const node = (shard: number, name: string, changes: Partial<TelemetryNode> = {}): TelemetryNode => ({
  shard,
  name,
  answers: true,
  freeBytes: 300 * GB,
  sizeBytes: 500 * GB,
  delaySec: 0,
  isReadOnly: false,
  ...changes,
})
const SERVERS = { address: 'http://ch1:8123', version: '26.7.2.1', cluster: 'sonde' }
const part = (...nodes: readonly TelemetryNode[]) => clickhousePart({ ...SERVERS, nodes })

test('a cluster that is well says its address, version, shards, servers, lag and the fullest disk', () => {
  assert.deepEqual(part(node(1, 'ch1:9000'), node(2, 'ch2:9000', { freeBytes: 50 * GB, delaySec: 3 })), {
    name: 'clickhouse',
    state: 'ok',
    detail:
      'http://ch1:8123, version 26.7.2.1, cluster sonde: 2 shards, 2 of 2 servers answering, replicas 3 s behind, 50.0 GB of 500.0 GB free on ch2:9000',
  })
})

test('one server says its address, version and disk', () => {
  const { state, detail } = clickhousePart({
    address: 'http://ch1:8123',
    version: '26.7.2.1',
    nodes: [node(1, 'ch1:8123')],
  })
  assert.equal(state, 'ok')
  assert.equal(detail, 'http://ch1:8123, version 26.7.2.1, 300.0 GB of 500.0 GB free')
})

const silent = { answers: false, freeBytes: 0, sizeBytes: 0 }
const CASES: readonly [string, readonly TelemetryNode[], string, RegExp][] = [
  [
    'a shard without a server that answers is down, by name',
    [node(1, 'ch1:9000'), node(2, 'ch2:9000', silent)],
    'down',
    /Shard 2 \(ch2:9000\) does not answer: .*waits in the log\. Start it again/,
  ],
  [
    'a silent replica is done without',
    [node(1, 'ch1:9000'), node(1, 'ch2:9000', silent)],
    'degraded',
    /ch2:9000 of shard 1 does not answer; another server of the shard does its work/,
  ],
  [
    'without Keeper a server is read-only',
    [node(1, 'ch1:9000', { isReadOnly: true })],
    'degraded',
    /ch1:9000 is read-only, .*check that Keeper runs/,
  ],
  [
    'a replica far behind is named',
    [node(1, 'ch1:9000'), node(1, 'ch2:9000', { delaySec: 900 })],
    'degraded',
    /ch2:9000 is 900 s behind: .*replication_queue/,
  ],
  [
    'a full disk is named',
    [node(1, 'ch1:9000', { freeBytes: GB })],
    'degraded',
    /disk of ch1:9000 is nearly full: free space, or lower SONDE_RETENTION_DAYS/,
  ],
]
for (const [name, nodes, state, says] of CASES)
  test(name, () => {
    const report = part(...nodes)
    assert.equal(report.state, state)
    assert.match(report.detail, says)
  })

test('after shards were added it says for how long queries ask all of them', () => {
  const { state, detail } = clickhousePart({
    ...SERVERS,
    nodes: [node(1, 'ch1:9000')],
    shardsAddedMs: Date.UTC(2026, 4, 3),
  })
  assert.equal(state, 'degraded')
  assert.match(detail, /Shards were added on 2026-05-03: .*every query asks all shards/)
})
