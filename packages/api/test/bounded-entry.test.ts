import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedEntry } from '../src/bounded-entry.ts'

test('so many are inside at once; the next comes in when one leaves, in the order of asking', async () => {
  const enter = boundedEntry(2, 60_000)
  const [first, second] = [await enter(), await enter()]
  const inside: string[] = []
  const third = enter().then((leave) => (inside.push('third'), leave))
  const fourth = enter().then((leave) => (inside.push('fourth'), leave))
  await Promise.resolve()
  assert.deepEqual(inside, [])
  first()
  // Leaving twice lets nobody else in.
  first()
  const leaveThird = await third
  assert.deepEqual(inside, ['third'])
  second()
  leaveThird()
  ;(await fourth)()
  assert.deepEqual(inside, ['third', 'fourth'])
  const [again, once] = [await enter(), await enter()]
  again()
  once()
})

test('whoever waits too long is told to come again, and takes no place', async () => {
  const enter = boundedEntry(1, 5)
  const leave = await enter()
  await assert.rejects(enter(), { kind: 'unavailable' })
  leave()
  const next = await enter()
  next()
})
