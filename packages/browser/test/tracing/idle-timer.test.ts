import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import {
  CHILD_MS,
  FINAL_MS,
  IDLE_MS,
  startIdleTimer,
  type FinishReason,
  type IdleTimer,
} from '../../src/tracing/idle-timer.ts'

/** In small steps: within one tick the clock stands at its end already. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 50) mock.timers.tick(Math.min(50, left))
}

type Ended = { readonly reason: FinishReason; readonly atMs: number }

describe('the end of a trace', () => {
  let ended: Ended[]
  let timer: IdleTimer
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    ended = []
    timer = startIdleTimer(
      0,
      () => Date.now(),
      (reason) => ended.push({ reason, atMs: Date.now() }),
    )
  })
  afterEach(() => {
    timer()
    mock.timers.reset()
  })

  test('the times are the facts T1, T2 and T3', () => {
    assert.deepEqual([IDLE_MS, FINAL_MS, CHILD_MS], [1000, 30_000, 15_000])
  })

  test('without a child it ends after the idle time', () => {
    pass(60_000)
    assert.deepEqual(ended, [{ reason: 'idleTimeout', atMs: 1000 }])
  })

  test('it ends 1 s after the last of several children ended', () => {
    timer('a')
    pass(800)
    timer('b')
    pass(2200)
    timer('a', 3000)
    pass(500)
    timer('b', 3500)
    pass(60_000)
    assert.deepEqual(ended, [{ reason: 'idleTimeout', atMs: 4500 }])
  })

  test('what counts is when a child ended, not when that was heard of', () => {
    timer('a')
    pass(2600)
    timer('a', 2000)
    pass(60_000)
    assert.deepEqual(ended, [{ reason: 'idleTimeout', atMs: 3000 }])
  })

  test('an entry that is over when it is seen prolongs the trace too', () => {
    pass(900)
    timer('entry', 850)
    pass(60_000)
    assert.deepEqual(ended, [{ reason: 'idleTimeout', atMs: 1850 }])
  })

  test('a child that hangs is waited for 15 s', () => {
    pass(500)
    timer('hangs')
    pass(60_000)
    assert.deepEqual(ended, [{ reason: 'heartbeatFailed', atMs: 15_500 }])
  })

  test('children that come and go beside it do not prolong the wait for one that hangs', () => {
    timer('hangs')
    for (let atMs = 0; atMs < 16_000; atMs += 500) {
      timer(`poll ${atMs}`)
      pass(100)
      timer(`poll ${atMs}`, Date.now())
      pass(400)
    }
    pass(60_000)
    assert.deepEqual(ended, [{ reason: 'idleTimeout', atMs: 16_600 }])
  })

  test('a page that polls without end is cut at 30 s', () => {
    while (ended.length === 0) {
      timer('poll')
      pass(100)
      timer('poll', Date.now())
      pass(400)
    }
    assert.deepEqual(ended, [{ reason: 'finalTimeout', atMs: 30_000 }])
  })

  test('the 30 s count from the start of the trace, but a late one is looked at for the idle time', () => {
    timer()
    pass(40_000)
    timer = startIdleTimer(
      0,
      () => Date.now(),
      (reason) => ended.push({ reason, atMs: Date.now() }),
    )
    timer('a')
    pass(10_000)
    assert.deepEqual(ended, [{ reason: 'finalTimeout', atMs: 41_000 }])
  })

  test('stopped, it never ends', () => {
    timer('a')
    timer()
    pass(60_000)
    assert.deepEqual(ended, [])
  })
})
