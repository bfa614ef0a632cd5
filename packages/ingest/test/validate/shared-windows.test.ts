import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalBus, createMetrics, fixedClock, silentLogger, type Topics } from '@sonde/base'
import type { KeyInfo } from '@sonde/stores/keys'
import * as fc from 'fast-check'
import { createQuotaWindows } from '../../src/validate/quota-windows.ts'
import { createRateLimiter } from '../../src/validate/rate-limiter.ts'
import { shareWindows } from '../../src/validate/share-windows.ts'

const NOW_MS = 1_700_000_000_000
const MINUTE_MS = 60_000
const A = 'a'.repeat(16)
const B = 'b'.repeat(16)

describe('a window that others take from too', () => {
  const ofLength = (lengthMs: number) => {
    const windows = createQuotaWindows()
    windows.sharing.begin()
    const hear = (by: string, endsAtMs: number, quantity: number, nowMs = NOW_MS): void =>
      windows.sharing.heard(by, ['k1:error', lengthMs, endsAtMs, quantity], nowMs)
    const open = (nowMs = NOW_MS) => windows.open('k1:error', lengthMs, nowMs)
    return { windows, hear, open }
  }

  it('counts the most that each process ever said, however often and in whichever order it is heard', () => {
    const said = fc.array(fc.tuple(fc.constantFrom(A, B), fc.nat(50)), { maxLength: 30 })
    fc.assert(
      fc.property(said, fc.nat(50), (messages, own) => {
        const { windows, hear, open } = ofLength(MINUTE_MS)
        windows.take(open(), own)
        for (const [by, quantity] of messages) hear(by, NOW_MS + MINUTE_MS, quantity)
        const most = (of: string): number =>
          Math.max(0, ...messages.filter(([by]) => by === of).map(([, n]) => n))
        assert.equal(open().taken, own + most(A) + most(B))
      }),
    )
  })

  it('ends with the first of them that began, and the next is another window', () => {
    const { windows, hear, open } = ofLength(MINUTE_MS)
    windows.take(open(), 1)
    hear(A, NOW_MS + MINUTE_MS - 200, 5)
    assert.deepEqual([open().taken, open().endsAtMs], [6, NOW_MS + MINUTE_MS - 200])
    hear(B, NOW_MS + MINUTE_MS + 100, 7)
    assert.deepEqual([open().taken, open().endsAtMs], [13, NOW_MS + MINUTE_MS - 200])
    // Its clock is ahead: there the next window began.
    const shortlyMs = NOW_MS + MINUTE_MS - 1_000
    hear(A, NOW_MS + 2 * MINUTE_MS - 200, 2, shortlyMs)
    assert.equal(open(shortlyMs).taken, 2)
    hear(B, NOW_MS + MINUTE_MS - 200, 9, shortlyMs)
    assert.equal(open(shortlyMs).taken, 2, 'what is late is of the window before')
  })

  it('is known before this process lets anything in, and forgotten when it is over', () => {
    const { hear, open } = ofLength(MINUTE_MS)
    hear(A, NOW_MS + 10_000, 5)
    assert.deepEqual([open().taken, open().endsAtMs], [5, NOW_MS + 10_000])
    hear(A, NOW_MS + 10_000, 50, NOW_MS + 10_000)
    assert.equal(open(NOW_MS + 10_000).taken, 0)
  })

  it('is not what a clock far ahead says, nor a window of another length', () => {
    const { windows, hear, open } = ofLength(MINUTE_MS)
    hear(A, NOW_MS + MINUTE_MS + 10_001, 5)
    assert.equal(open().taken, 0)
    windows.sharing.heard(A, ['k1:error', 1_000, NOW_MS + 1_000, 5], NOW_MS)
    assert.equal(open().taken, 0)
    assert.equal(windows.open('k1:error', 1_000, NOW_MS).taken, 0, 'a changed limit begins a new one')
  })
})

describe('processes that share their windows', () => {
  const KEY: KeyInfo = {
    keyId: 1,
    projectId: 10,
    orgId: 1,
    isActive: true,
    rateLimit: { count: 10, windowSec: 60 },
  }
  const bus = createLocalBus(silentLogger)
  const clock = fixedClock(NOW_MS)
  const start = (everyMs = 1) => {
    const windows = createQuotaWindows()
    const limiter = createRateLimiter({ events: 40 }, clock, windows)
    const { stop } = shareWindows({
      windows,
      bus,
      clock,
      logger: silentLogger,
      metrics: createMetrics(),
      everyMs,
    })
    const passes = (count: number, key = KEY): number =>
      Array.from({ length: count }, () => limiter(key, { category: 'error', quantity: 1 })).filter(
        ({ ok }) => ok,
      ).length
    return { windows, passes, stop }
  }
  const told: Topics['limits.taken'][] = []
  bus.subscribe('limits.taken', (message) => told.push(message))
  let marks = 0
  /** Everything that it let in before was told. */
  const heard = async (from: ReturnType<typeof start>): Promise<void> => {
    const keyId = 1_000 + ++marks
    from.passes(1, { ...KEY, keyId, projectId: keyId })
    const isTold = (): boolean => told.some(({ windows }) => windows.some(([id]) => id === `k${keyId}:error`))
    while (!isTold()) await new Promise((resolve) => setImmediate(resolve))
  }

  it('let in together what one alone may, of keys and of projects', async () => {
    const [one, two] = [start(), start()]
    assert.equal(one.passes(7), 7)
    await heard(one)
    assert.equal(two.passes(9), 3)
    await heard(two)
    assert.equal(one.passes(9), 0)
    const spiking: KeyInfo = { keyId: 2, projectId: 11, orgId: 1, isActive: true }
    assert.equal(one.passes(30, spiking), 30)
    await heard(one)
    assert.equal(two.passes(30, spiking), 10)
    one.stop()
    two.stop()
    clock.advance(MINUTE_MS)
  })

  it('let in more by at most what they let in before they heard of each other', async () => {
    const processes = [start(), start(), start()]
    assert.deepEqual(
      processes.map(({ passes }) => passes(10)),
      [10, 10, 10],
      'all at once, before anything was told',
    )
    for (const one of processes) await heard(one)
    assert.deepEqual(
      processes.map(({ passes }) => passes(10)),
      [0, 0, 0],
    )
    for (const { stop } of processes) stop()
    clock.advance(MINUTE_MS)
  })

  it('tell whoever comes later what was let in, also by one that ended', async () => {
    const [one, two] = [start(), start()]
    assert.equal(one.passes(4), 4)
    assert.equal(two.passes(3), 3)
    // It tells what is left to tell.
    one.stop()
    await heard(two)
    const late = start()
    await heard(two)
    await heard(late)
    await heard(two)
    assert.equal(late.passes(9), 3)
    two.stop()
    late.stop()
    clock.advance(MINUTE_MS)
  })

  it('say nothing while they let nothing in, and of a window that changed often one number', async () => {
    const [one, two] = [start(), start()]
    await heard(one)
    await heard(two)
    told.length = 0
    one.passes(3)
    await heard(one)
    for (let tick = 0; tick < 3; tick++) await heard(two)
    const busy = told.filter(({ windows }) => windows.some(([id]) => id.startsWith('k1:')))
    assert.deepEqual(
      busy.flatMap(({ windows }) => windows).filter(([id]) => id === 'k1:error'),
      [['k1:error', MINUTE_MS, clock.nowMs() + MINUTE_MS, 3]],
    )
    assert.equal(told.filter(({ by }) => by === busy[0]?.by).length, 1)
    one.stop()
    two.stop()
  })
})
