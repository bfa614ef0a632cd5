import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createWriteGate } from '../../src/backup/write-gate.ts'

void describe('the gate before the stores', () => {
  void test('closed, it waits for what was begun, and what comes meanwhile waits for it', async () => {
    const gate = createWriteGate()
    const seen: string[] = []
    const begun = Promise.withResolvers<void>()
    const first = gate.write(async () => {
      await begun.promise
      seen.push('begun before')
    })
    const held = Promise.withResolvers<void>()
    const closed = gate.closed(async () => {
      seen.push('closed')
      await held.promise
      seen.push('opened')
    })
    const later = gate.write(async () => void seen.push('came meanwhile'))
    const second = gate.closed(async () => void seen.push('closed again'))
    begun.resolve()
    await first
    held.resolve()
    await Promise.all([closed, later, second])
    assert.deepEqual(seen.slice(0, 3), ['begun before', 'closed', 'opened'])
    assert.deepEqual(seen.slice(3).sort(), ['came meanwhile', 'closed again'])
  })

  void test('a failure opens it again, and holding deletes holds no writes', async () => {
    const gate = createWriteGate()
    await assert.rejects(
      gate.closed(async () => {
        throw new Error('no')
      }),
      /no/,
    )
    assert.equal(await gate.write(async () => 'open'), 'open')
    const release = await gate.holdDeletes()
    const deleted = gate.delete(async () => 'deleted')
    assert.equal(await gate.write(async () => 'written'), 'written')
    assert.equal(await Promise.race([deleted, Promise.resolve('held')]), 'held')
    release()
    assert.equal(await deleted, 'deleted')
  })
})
