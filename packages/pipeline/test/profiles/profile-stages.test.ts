import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isMissingFiles } from '../../src/maps/file-requests.ts'
import { PROFILE_STAGES } from '../../src/profiles/profile-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from '../spans/row-cells.ts'
import { RECEIVED, RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'

const run = (payload: unknown, type: 'profile' | 'profile_chunk' = 'profile') =>
  PROFILE_STAGES.run(spanInput({ header: { type }, payload }), new Map())
const stored = (...given: Parameters<typeof run>) => {
  const result = run(...given)
  assert.ok(!isDropped(result) && !isMissingFiles(result), JSON.stringify(result))
  return result
}
const SAMPLED = {
  samples: [0, 10, 20, 30].map((ms, at) => ({
    stack_id: at % 2,
    thread_id: '7',
    elapsed_since_start_ns: String(ms * 1e6),
  })),
  stacks: [[0, 1, 0], [1]],
  frames: [
    { function: 'price', filename: 'shop/price.py', lineno: 12, in_app: true },
    { function: 'handle', module: 'shop.views', lineno: 3, in_app: true },
  ],
  thread_metadata: { '7': { name: 'MainThread' } },
}
const PROFILE = {
  version: '1',
  event_id: 'c'.repeat(32),
  platform: 'python',
  release: 'shop@1.4.2',
  environment: 'production',
  timestamp: new Date(RECEIVED_MS - 5000).toISOString(),
  transaction: { id: 'd'.repeat(32), name: 'GET /cart', trace_id: 'a'.repeat(32), active_thread_id: '7' },
  profile: SAMPLED,
}

describe('a profile of a transaction', () => {
  test('is a row with what it is of, and its stacks as a tree', () => {
    const [row] = cells('profiles', stored(PROFILE))
    assert.deepEqual(
      [row?.['profile_id'], row?.['transaction'], row?.['trace_id'], row?.['thread_id'], row?.['release']],
      ['c'.repeat(32), 'GET /cart', 'a'.repeat(32), '7', 'shop@1.4.2'],
    )
    assert.deepEqual([row?.['duration_ms'], row?.['samples'], row?.['remark']], ['30', '4', ''])
    const body = JSON.parse(row?.['body'] ?? '')
    assert.deepEqual(body.nodes, [-1, 0, 0, 1, 1, 0, -1, 1])
    assert.deepEqual(body.samples, [0, 2, 0, 10_000, 3, 0, 20_000, 2, 0, 30_000, 3, 0])
    assert.deepEqual(body.weights, [10_000, 10_000, 10_000, 10_000])
    assert.deepEqual(body.threads, [['7', 'MainThread']])
  })

  test('time of functions: recursion counts once in the total', () => {
    const rows = cells('profile_functions', stored(PROFILE))
    assert.deepEqual(
      rows.map((row) => [row['function'], row['file'], row['self_ms'], row['total_ms'], row['samples']]),
      [
        ['handle', 'shop.views', '20', '40', '2'],
        ['price', 'shop/price.py', '20', '20', '2'],
      ],
    )
  })

  test('the same profile again has the same id, and a chunk of the same id another', () => {
    const { item } = stored(PROFILE)
    assert.equal(item.eventId, stored({ ...PROFILE, release: 'x' }).item.eventId)
    assert.deepEqual(item.counts, [{ category: 'profile', quantity: 1 }])
    assert.notEqual(item.eventId, 'c'.repeat(32))
  })
})

test('a chunk has times of its own', () => {
  const samples = [0, 0.01, 0.02].map((sec) => ({
    stack_id: 0,
    thread_id: '1',
    timestamp: RECEIVED - 60 + sec,
  }))
  const chunk = {
    version: '2',
    profiler_id: 'e'.repeat(32),
    chunk_id: 'f'.repeat(32),
    platform: 'node',
    profile: { ...SAMPLED, samples },
  }
  const [row] = cells('profiles', stored(chunk, 'profile_chunk'))
  assert.deepEqual([row?.['profiler_id'], row?.['transaction']], ['e'.repeat(32), ''])
  assert.equal(Number(row?.['timestamp']), RECEIVED - 60)
  assert.equal(Number(row?.['duration_ms']), 20)
})

describe('hostile profiles', () => {
  const hostile = (profile: object) => cells('profiles', stored({ ...PROFILE, profile }))[0]
  test('indexes that name nothing are left out, and the profile says so', () => {
    const stacks = [[0, 99, -1, 1.5, 'x', null, 1], 'none']
    const row = hostile({ ...SAMPLED, stacks })
    assert.deepEqual(JSON.parse(row?.['body'] ?? '').nodes, [-1, 1, 0, 0])
    assert.equal(row?.['remark'], 'frames_invalid samples_invalid')
    assert.ok(isDropped(run({ ...PROFILE, profile: { ...SAMPLED, samples: [{}] } })))
    assert.ok(isDropped(run({ ...PROFILE, profile: {} })))
    assert.ok(isDropped(run('{"profile":[')))
  })

  test('a function that calls itself 100,000 times is cut at 256', () => {
    const row = hostile({ ...SAMPLED, stacks: [Array(100_000).fill(0), [1]] })
    assert.equal(JSON.parse(row?.['body'] ?? '').nodes.length, 2 * 257)
    assert.match(row?.['remark'] ?? '', /depth_cut/)
  })

  test('many samples, frames and threads are bounded, in time that grows with their number', () => {
    const profile = {
      frames: Array.from({ length: 50_000 }, (_, at) => ({ function: `f${at}${'x'.repeat(100)}` })),
      stacks: Array.from({ length: 20_000 }, (_, at) => [at % 5000, (at * 7) % 5000, at % 13]),
      samples: Array.from({ length: 100_000 }, (_, at) => ({
        stack_id: at % 20_000,
        thread_id: at % 1000,
        elapsed_since_start_ns: at * 1000,
      })),
    }
    const before = performance.now()
    const row = hostile(profile)
    assert.ok(performance.now() - before < 5000)
    assert.equal(row?.['threads'], '256')
    assert.ok(Number(row?.['frames']) <= 5000 && Number(row?.['samples']) <= 60_000)
    assert.ok(Number(row?.['body_size']) < 4_000_000)
  })
})
