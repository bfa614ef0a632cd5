import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createLocalBus,
  MAX_BUS_BYTES,
  MAX_TAKEN_WINDOWS,
  readBusMessage,
  silentLogger,
  type Topic,
} from '@sonde/base'
import { busConformance } from '@sonde/base/bus-conformance'

busConformance('of one process', async () => {
  const bus = createLocalBus(silentLogger)
  return { nodes: [bus, bus], close: async () => undefined }
})

describe('a message from another process', () => {
  const changed = { projects: [1], issues: [2], created: [], regressed: [] }
  const taken = { by: '0123456789abcdef', windows: [['k1:error', 60_000, 1_700_000_000_000, 3]] }
  const reads = (topic: Topic, value: unknown): boolean =>
    readBusMessage(topic, typeof value === 'string' ? value : JSON.stringify(value)) !== undefined

  it('is read when it is exactly one of its topic', () => {
    assert.deepEqual(readBusMessage('limits.taken', JSON.stringify(taken)), taken)
    assert.ok(reads('issues.changed', changed) && reads('issues.changed', { ...changed, later: true }))
    assert.ok(reads('limits.ask', { by: taken.by }) && reads('setting.changed', { name: 'self_report' }))
  })

  it('is left out when a field is missing, of another kind, or beyond its bound', () => {
    for (const value of ['', '[]', 'null', '{}', '{"projects":[1]', { ...changed, issues: ['2'] }])
      assert.equal(reads('issues.changed', value), false, JSON.stringify(value))
    for (const id of [-1, 1.5, 2 ** 53, null, {}])
      assert.equal(reads('issues.changed', { ...changed, issues: [id] }), false, JSON.stringify(id))
    assert.equal(reads('issues.changed', { ...changed, issues: Array(50_001).fill(1) }), false)
    assert.ok(reads('inbox.changed', { users: ['a1B2', 'c'] }))
    for (const users of [undefined, 'a', [1], ['a b\n'], [''], Array(1_001).fill('a')])
      assert.equal(reads('inbox.changed', { users }), false)
    assert.equal(reads('job.wake', { job: 'x'.repeat(101) }), false)
    assert.equal(reads('job.wake', ' '.repeat(MAX_BUS_BYTES) + '{"job":"a"}'), false)
    const [window] = taken.windows
    for (const [at, wrong] of [
      [0, 'a b'],
      [0, 7],
      [1, 0],
      [1, 1e12],
      [2, '1'],
      [3, -1],
      [4, 1],
    ] as const) {
      const windows = [window?.toSpliced(at, 1, wrong)]
      assert.equal(reads('limits.taken', { ...taken, windows }), false, `${at}: ${wrong}`)
    }
    assert.equal(
      reads('limits.taken', { ...taken, windows: Array(MAX_TAKEN_WINDOWS + 1).fill(window) }),
      false,
    )
    assert.equal(reads('limits.taken', { ...taken, by: 'me' }), false)
  })
})
