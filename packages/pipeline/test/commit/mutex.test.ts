import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTurns } from '../../src/commit/mutex.ts'

it('jobs run one at a time, in the order of asking, also after one that failed', async () => {
  const turns = createTurns()
  const seen: string[] = []
  const open = Promise.withResolvers<void>()
  const job =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      seen.push(`${name} begins`)
      await until
      seen.push(`${name} ends`)
      return name
    }
  const first = turns.take(job('a', open.promise))
  const failing = turns.take(() => Promise.reject(new Error('no')))
  const third = turns.take(job('c'))
  const failed = assert.rejects(failing, /no/)
  open.resolve()
  assert.equal(await first, 'a')
  await failed
  assert.equal(await third, 'c')
  assert.deepEqual(seen, ['a begins', 'a ends', 'c begins', 'c ends'])
})

it('who gives up waiting gets nothing, and those behind still wait for the one before', async () => {
  const turns = createTurns()
  const open = Promise.withResolvers<void>()
  const stopping = new AbortController()
  let didRun = false
  const first = turns.take(() => open.promise)
  const second = turns.take(() => Promise.resolve((didRun = true)), stopping.signal)
  let isThird = false
  const third = turns.take(() => Promise.resolve((isThird = true)))
  stopping.abort()
  assert.equal(await second, undefined)
  assert.equal(didRun, false)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isThird, false)
  open.resolve()
  await first
  assert.equal(await third, true)
})
