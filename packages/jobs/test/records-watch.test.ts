import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fixedClock } from '@sonde/base'
import { watchRecords } from '@sonde/jobs'
import { openNodes, until } from './harness.ts'

const LOOK_MS = 5

/** What says that the records changed, and how often it was asked. */
function versions() {
  let version = 0
  let looks = 0
  return {
    change: () => version++,
    looks: () => looks,
    read: () => (looks++, String(version)),
    async more(): Promise<void> {
      const seen = looks
      await until(() => looks >= seen + 10, 'it looks ten times')
    },
  }
}

describe('records watch', () => {
  let nodes: Awaited<ReturnType<typeof openNodes>>
  beforeEach(async () => {
    nodes = await openNodes()
  })
  afterEach(() => nodes.close())

  /** A job that is due when it is told, and counts how often it was asked. */
  async function watched(gapMs = 0) {
    const clock = fixedClock(1_000_000)
    const source = versions()
    const watch = watchRecords(source.read, clock, LOOK_MS)
    let dueMs: number | undefined
    const seen = { asked: 0, runs: 0 }
    const host = { ...(await nodes.host({ clock })), watch }
    const job = nodes.start(host, {
      lookEveryMs: gapMs,
      dueMs: () => Promise.resolve((seen.asked++, dueMs)),
      run: () => Promise.resolve((seen.runs++, (dueMs = undefined), 'done')),
    })
    await until(() => seen.asked === 1, 'it is asked at the start')
    await source.more()
    return { clock, source, seen, job, due: (atMs: number | undefined) => (dueMs = atMs) }
  }

  it('asks a job once while nothing changes, and again after a change', async () => {
    const { source, seen, due } = await watched()
    await source.more()
    assert.equal(seen.asked, 1)
    due(0)
    source.change()
    await until(() => seen.runs === 1, 'it works')
  })

  it('asks a job that said when it is due at that time, without a change', async () => {
    const { clock, source, seen, due } = await watched()
    due(1_000_100)
    source.change()
    await until(() => seen.asked === 2, 'it is asked after the change')
    await source.more()
    clock.advance(99)
    await source.more()
    assert.equal(seen.asked, 2)
    clock.advance(1)
    await until(() => seen.runs === 1, 'it works')
  })

  it('asks again when somebody set the clock, and after a minute in any case', async () => {
    const { clock, source, seen } = await watched()
    clock.set(0)
    await until(() => seen.asked === 2, 'the clock was set back')
    await source.more()
    clock.advance(59_900)
    await source.more()
    assert.equal(seen.asked, 2)
    clock.advance(100)
    await until(() => seen.asked === 3, 'a minute has passed')
  })

  it('asks a job no more often than it looks, however much changes', async () => {
    const { clock, source, seen } = await watched(5_000)
    source.change()
    clock.advance(4_000)
    await source.more()
    assert.equal(seen.asked, 1)
    clock.advance(1_000)
    await until(() => seen.asked === 2, 'five seconds have passed')
  })

  it('hears who wakes the job, and leaves no timer once nobody waits', async () => {
    const { source, seen, job } = await watched()
    job.wake()
    await until(() => seen.asked === 2, 'it is woken')
    await job.stop()
    const looks = source.looks()
    // Another one, which somebody waits for, looks ten times meanwhile.
    const other = await watched()
    await other.source.more()
    assert.equal(source.looks(), looks)
  })

  it('takes a version that cannot be read for a change', async () => {
    const watch = watchRecords(
      () => {
        throw new Error('the file is away')
      },
      fixedClock(0),
      LOOK_MS,
    )
    const never = new AbortController().signal
    await watch.after({ mark: watch.mark(), dueMs: undefined, gapMs: 0 }, never)
  })
})
