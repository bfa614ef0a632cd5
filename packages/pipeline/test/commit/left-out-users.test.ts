/** Users of events that are counted and not stored: who is told again, and when. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { createUserMemory } from '../../src/commit/left-out-users.ts'
import type { ProcessedEvent } from '../../src/process/processed.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const FROM_MS = 496_000 * HOUR_MS

const of = (users: number, minute: number): ProcessedEvent[] =>
  Array.from({ length: users }, (_, at) => ({
    userKey: `id:${at}`,
    receivedMs: FROM_MS + minute * MINUTE_MS,
  })) as ProcessedEvent[]

/** How many are told of `users` in a batch, once they are stored. */
function told(memory: ReturnType<typeof createUserMemory>, users: number, minute: number, alike = 'a') {
  const events = of(users, minute)
  const found = memory.untold(alike, events)
  memory.remember(alike, events)
  return found.length
}

describe('users of events that are left out', () => {
  it('are told once in five minutes, and in each five minutes as long as they are few', () => {
    const memory = createUserMemory()
    assert.equal(told(memory, 300, 0), 300)
    assert.equal(told(memory, 300, 4), 0)
    assert.equal(told(memory, 301, 4), 1)
    assert.equal(told(memory, 300, 5), 300)
    assert.equal(told(memory, 300, 6), 0)
  })

  it('are told once an hour where they are many, but for two thousand of each five minutes', () => {
    const memory = createUserMemory()
    const users = 20_000
    assert.equal(told(memory, users, 0), users)
    for (let minute = 5; minute < 60; minute++)
      assert.equal(told(memory, users, minute), minute % 5 === 0 ? 2_000 : 0, `minute ${minute}`)
    assert.equal(told(memory, users + 1, 59), 1, 'who comes for the first time is told')
    assert.equal(told(memory, users, 60), users, 'the next hour begins anew')
  })

  it('are told of each group of events by itself, with the number that queries count them by', () => {
    const memory = createUserMemory()
    assert.equal(told(memory, 5, 0, 'a'), 5)
    const [first] = memory.untold('b', of(1, 0))
    assert.equal(first, crc32('id:0'))
    assert.deepEqual(memory.untold('a', [{ ...of(1, 0)[0], userKey: '' } as ProcessedEvent]), [])
  })

  it('are told again when what was told of them was not stored', () => {
    const memory = createUserMemory()
    assert.equal(memory.untold('a', of(10, 0)).length, 10)
    assert.equal(memory.untold('a', of(10, 0)).length, 10)
  })
})
