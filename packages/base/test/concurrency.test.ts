import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedMap, createMutex, createPool, createSemaphore, forEachAtOnce } from '../src/index.ts'

test('jobs run one at a time, in the order of asking, also after one that failed', async () => {
  const mutex = createMutex()
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
  const first = mutex.run(job('a', open.promise))
  const failing = mutex.run(() => Promise.reject(new Error('no')))
  const third = mutex.run(job('c'))
  const failed = assert.rejects(failing, /no/)
  open.resolve()
  assert.equal(await first, 'a')
  await failed
  assert.equal(await third, 'c')
  assert.deepEqual(seen, ['a begins', 'a ends', 'c begins', 'c ends'])
})

test('who gives up waiting gets nothing, and those behind still wait for the one before', async () => {
  const mutex = createMutex()
  const open = Promise.withResolvers<void>()
  const stopping = new AbortController()
  let didRun = false
  const first = mutex.run(() => open.promise)
  const second = mutex.run(() => Promise.resolve((didRun = true)), stopping.signal)
  let isThird = false
  const third = mutex.run(() => Promise.resolve((isThird = true)))
  stopping.abort()
  assert.equal(await second, undefined)
  assert.equal(didRun, false)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isThird, false)
  open.resolve()
  await first
  assert.equal(await third, true)
})

const UPLOADS = { operation: 'take an upload', what: 'uploads' }

test('so many are inside at once; the next comes in when one leaves, in the order of asking', async () => {
  const enter = createSemaphore(2, { ...UPLOADS, waitMs: 60_000 })
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
  const enter = createSemaphore(1, { ...UPLOADS, waitMs: 5 })
  const leave = await enter()
  await assert.rejects(enter(), { kind: 'unavailable', message: 'too many uploads at once' })
  leave()
  const next = await enter()
  next()
})

test('a pool gives each member to one job at a time, and is idle when the last has ended', async () => {
  const pool = createPool(['a', 'b'])
  const doors = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const used: string[] = []
  const jobs = doors.map(({ promise }) =>
    pool.use(async (member) => {
      used.push(member)
      await promise
    }),
  )
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(used.toSorted(), ['a', 'b'])
  for (const { resolve } of doors) resolve()
  await pool.idle()
  assert.deepEqual(used.toSorted(), ['a', 'a', 'b', 'b'])
  await Promise.all(jobs)
})

test('a bounded map forgets what was set longest ago, and setting again makes it young', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4])
})

test('each is done in its order, so many at once, and none begins after the signal', async () => {
  const stop = new AbortController()
  const begun: number[] = []
  let [running, most] = [0, 0]
  await forEachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, stop.signal, async (item) => {
    begun.push(item)
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    if (item === 5) stop.abort()
  })
  assert.deepEqual(begun.slice(0, 5), [1, 2, 3, 4, 5])
  assert.equal(most, 3)
  assert.ok(!begun.includes(7))
  await assert.rejects(
    forEachAtOnce([1], 3, new AbortController().signal, () => Promise.reject(new Error('no'))),
    /no/,
  )
})
